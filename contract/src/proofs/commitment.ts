import { sha256 } from '@noble/hashes/sha2.js'
import { type Bytes, encodeFields, uint64, utf8 } from './bytes.ts'

const COMMITMENT_DOMAIN = 'revelations.app/commitment/v1'
const LEAF_DOMAIN = 'revelations.app/leaf/v1'

/** What one version of a revelation commits to. Instants are ISO 8601, in UTC, with milliseconds. */
export interface CommittedFacts {
  id: string
  authorId: string
  title: string
  content: string
  revealAt: string
  /** Of the plain bytes of the file; undefined without a file. */
  fileSha256: Bytes | undefined
}

/** SHA-256 over length-prefixed fields (docs/proof.md): what is published when something is sealed. */
export function commitmentOf(salt: Bytes, facts: CommittedFacts): Bytes {
  return sha256(
    encodeFields([
      utf8(COMMITMENT_DOMAIN),
      salt,
      utf8(facts.id),
      utf8(facts.authorId),
      utf8(facts.title.normalize('NFC')),
      utf8(facts.content.normalize('NFC')),
      utf8(facts.revealAt),
      facts.fileSha256 ?? new Uint8Array(),
    ]),
  )
}

export const SEAL_KINDS = ['create', 'edit', 'delete'] as const
export type SealKind = (typeof SEAL_KINDS)[number]

/** One line of what was sealed when. */
export interface SealFacts {
  kind: SealKind
  version: number
  commitment: Bytes
  sealedAt: string
}

/** The bytes of a leaf of the log (docs/proof.md); only their hash is ever published. */
export function leafOf({ kind, version, commitment, sealedAt }: SealFacts): Bytes {
  return encodeFields([utf8(LEAF_DOMAIN), utf8(kind), uint64(version), commitment, utf8(sealedAt)])
}
