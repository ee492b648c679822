import { sha256 } from '@noble/hashes/sha2.js'
import { type Bytes, encodeFields, uint64, utf8 } from './bytes.ts'

const IDENTITY_DOMAIN = 'revelations.app/identity/v2'
const FORMER_DOMAIN = 'revelations.app/former/v1'
const LEAF_DOMAIN = 'revelations.app/leaf/v2'

export const LEAF_KINDS = ['create', 'edit', 'change', 'delete'] as const
/** `change`: other named fields of the same version, such as who may see it. */
export type LeafKind = (typeof LEAF_KINDS)[number]

/** The same in all leaves of a revelation, and nobody’s who does not know the blinding. */
export function identityOf(blinding: Bytes, id: string, authorId: string): Bytes {
  return sha256(encodeFields([utf8(IDENTITY_DOMAIN), blinding, utf8(id), utf8(authorId)]))
}

/** What the first leaf of format 2 names as the one before it, where there were leaves of format 1: all of their hashes. */
export function formerOfV1(hashes: readonly Bytes[]): Bytes {
  return sha256(encodeFields([utf8(FORMER_DOMAIN), ...hashes]))
}

export interface LeafV2 {
  kind: LeafKind
  version: number
  identity: Bytes
  /** The hash of the leaf before it; empty in a creation. */
  former: Bytes
  commitment: Bytes
  sealedAt: string
}

/** The bytes of a leaf of format 2 (docs/proof.md): bound to its revelation and to the leaf before it. */
export function leafV2Of(leaf: LeafV2): Bytes {
  const { kind, version, identity, former, commitment, sealedAt } = leaf
  return encodeFields([
    utf8(LEAF_DOMAIN),
    utf8(kind),
    uint64(version),
    identity,
    former,
    commitment,
    utf8(sealedAt),
  ])
}
