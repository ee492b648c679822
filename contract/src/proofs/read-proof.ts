import { type Bytes, bytesOfBase64, bytesOfHex, hexOf } from './bytes.ts'
import type { Checkpoint } from './checkpoint.ts'
import { commitmentOf, leafOf } from './commitment.ts'
import {
  commitmentOfFields,
  type FieldValue,
  hashField,
  isAlwaysOpen,
  LETTER_FIELDS,
} from './fields.ts'
import { finish, type InSteps } from './in-steps.ts'
import { formerOfV1, identityOf, leafV2Of } from './leaf.ts'
import {
  type AnyProof,
  anyProofSchema,
  PROOF_FORMAT,
  type Proof,
  type ProofField,
  type ProofLeaf,
  type ProofV2,
} from './proof.ts'
import { hashLeaf, verifyInclusion } from './tree.ts'

export type OpenField = { name: string } & FieldValue

/** A leaf of either format, with the hash by which the log knows it. */
export interface ReadLeaf {
  format: 1 | 2
  kind: 'create' | 'edit' | 'change'
  version: number
  sealedAt: string
  index: number | null
  /** Null until the leaf is in the log. */
  path: Bytes[] | null
  hash: Bytes
  /** What the hash is of. */
  bytes: Bytes
  fields: readonly OpenField[]
  /** The names of fields that are told by their hash alone. */
  closed: readonly string[]
}

/** A proof of either format as the steps look at it. */
export interface ReadProof {
  proof: AnyProof
  leaves: readonly ReadLeaf[]
  /** The leaf of the last version: what the letter says. */
  last: ReadLeaf
  /** Whether an opening of format 1 makes the commitment of that leaf; undefined without one. */
  isOpeningRight: boolean | undefined
  authorId: string | undefined
  /** What the last version says, as far as it is open, in either format. */
  letter: readonly OpenField[]
}

/** Whether a leaf is at its place in the tree that a checkpoint is of. */
export function isIncluded(
  { hash, index, path }: ReadLeaf,
  { size, root }: Pick<Checkpoint, 'size' | 'root'>,
): boolean {
  if (index === null || path === null) return false
  return verifyInclusion({ leafHash: hash, index, size, path, root })
}

/** Undefined when it is no proof in its one spelling (docs/proof.md, step « format »). */
export function readProof(untrusted: unknown): ReadProof | undefined {
  return finish(readingProof(untrusted))
}

/** The same in steps: each leaf is hashed. */
export function* readingProof(untrusted: unknown): InSteps<ReadProof | undefined> {
  const proof = parse(untrusted)
  if (!proof) return undefined
  return yield* proof.format === PROOF_FORMAT ? readingProofV1(proof) : readingProofV2(proof)
}

function parse(untrusted: unknown): AnyProof | undefined {
  try {
    return anyProofSchema.safeParse(untrusted).data
  } catch {
    return undefined
  }
}

function* readingProofV1(proof: Proof): InSteps<ReadProof> {
  const leaves: ReadLeaf[] = []
  for (const version of proof.versions) {
    leaves.push(readLeafV1({ ...version, index: version.leaf }))
    yield leaves.length / proof.versions.length
  }
  const { opening } = proof
  return {
    proof,
    leaves,
    last: leaves.at(-1) as ReadLeaf,
    isOpeningRight:
      opening === null
        ? undefined
        : opens(opening, proof.revelation_id, opening.author_id, proof.versions.at(-1)?.commitment),
    authorId: opening?.author_id,
    letter: opening === null ? [] : fieldsOf(opening),
  }
}

function* readingProofV2(proof: ProofV2): InSteps<ReadProof | undefined> {
  const { revelation_id: id, author_id: authorId, opening } = proof
  const firstV2 = proof.leaves.findIndex(({ format }) => format === 2)
  // Those of format 1 alone are exported as format 1.
  if (firstV2 < 0 || proof.leaves.slice(firstV2).some(({ format }) => format === 1))
    return undefined
  const identity = identityOf(bytes(proof.blinding), id, authorId)
  const leaves: ReadLeaf[] = []
  for (const [at, leaf] of proof.leaves.entries()) {
    if (leaf.format === 2 && !hasRightFields(leaf)) return undefined
    leaves.push(
      leaf.format === 1
        ? readLeafV1(leaf)
        : readLeafV2(leaf, identity, formerOf(leaves, at === firstV2)),
    )
    yield leaves.length / proof.leaves.length
  }
  const last = leaves.findLast(({ kind }) => kind !== 'change')
  const said = proof.leaves.findLast(({ kind }) => kind !== 'change')
  if (!last || !said || (said.format === 2 && opening !== null)) return undefined
  return {
    proof,
    leaves,
    last,
    isOpeningRight:
      said.format === 2 || opening === null
        ? undefined
        : opens(opening, id, authorId, said.commitment),
    authorId,
    letter: said.format === 2 ? last.fields : opening === null ? [] : fieldsOf(opening),
  }
}

/** What a leaf of format 2 names as the one before it; leaves of format 1 have no such thing. */
function formerOf(before: readonly ReadLeaf[], isFirst: boolean): Bytes {
  if (!isFirst) return before.at(-1)?.hash ?? new Uint8Array()
  return before.length === 0 ? new Uint8Array() : formerOfV1(before.map(({ hash }) => hash))
}

function readLeafV1(leaf: Omit<Extract<ProofLeaf, { format: 1 }>, 'format'>): ReadLeaf {
  const { kind, version, sealed_at: sealedAt, index, inclusion } = leaf
  const commitment = bytes(leaf.commitment)
  const hashed = leafOf({ kind, version, commitment, sealedAt })
  return {
    ...{ format: 1, kind, version, sealedAt, index, fields: [], closed: [] },
    path: inclusion?.map(bytesOfHash) ?? null,
    hash: hashLeaf(hashed),
    bytes: hashed,
  }
}

function readLeafV2(
  leaf: Extract<ProofLeaf, { format: 2 }>,
  identity: Bytes,
  former: Bytes,
): ReadLeaf {
  const { kind, version, sealed_at: sealedAt, index, inclusion } = leaf
  const commitment = commitmentOfFields(
    leaf.fields.map((field) => ({ name: field.name, hash: hashOf(field) })),
  )
  const hashed = leafV2Of({ kind, version, identity, former, commitment, sealedAt })
  return {
    ...{ format: 2, kind, version, sealedAt, index },
    path: inclusion?.map(bytesOfHash) ?? null,
    hash: hashLeaf(hashed),
    bytes: hashed,
    fields: leaf.fields.flatMap((field) => openFieldOf(field) ?? []),
    closed: leaf.fields.flatMap((field) => ('hash' in field ? [field.name] : [])),
  }
}

function hashOf(field: ProofField): Bytes {
  const open = openFieldOf(field)
  if ('hash' in field || !open) return bytes('hash' in field ? field.hash : '')
  return hashField(bytes(field.salt), field.name, open)
}

function openFieldOf(field: ProofField): OpenField | undefined {
  if ('hash' in field) return undefined
  const { name } = field
  if (field.type === 'none') return { name, type: 'none' }
  if (field.type === 'files') return { name, type: 'files', value: field.value }
  return { name, type: field.type, value: field.value }
}

const TYPES = new Map<string, readonly FieldValue['type'][]>([
  ['audience', ['text']],
  ['content', ['text']],
  ['files', ['files', 'none']],
  ['kind', ['text']],
  ['reveal_at', ['instant']],
  ['title', ['text']],
])

/**
 * Names in ascending order; in a version all that a letter has, in a change none of what it says; audience and kind always
 * open.
 */
function hasRightFields({ kind, fields }: Extract<ProofLeaf, { format: 2 }>): boolean {
  const names = fields.map(({ name }) => name)
  const isAscending = names.every((name, at) => at === 0 || (names[at - 1] as string) < name)
  const ofLetter = LETTER_FIELDS.filter((name) => name !== 'audience')
  const isComplete =
    kind === 'change'
      ? !ofLetter.some((name) => names.includes(name))
      : LETTER_FIELDS.every((name) => names.includes(name))
  const areTyped = fields.every(
    (field) => 'hash' in field || (TYPES.get(field.name)?.includes(field.type) ?? true),
  )
  const areTold = fields.every((field) => !isAlwaysOpen(field.name) || !('hash' in field))
  return isAscending && isComplete && areTyped && areTold
}

type Opening = NonNullable<ProofV2['opening']>

function opens(
  opening: Opening,
  id: string,
  authorId: string,
  commitment: string | undefined,
): boolean {
  const found = commitmentOf(bytes(opening.salt), {
    ...{ id, authorId, title: opening.title, content: opening.content },
    revealAt: opening.reveal_date,
    fileSha256: opening.file_sha256 === null ? undefined : bytes(opening.file_sha256),
  })
  return hexOf(found) === commitment
}

function fieldsOf({ title, content, reveal_date, file_sha256: sha256 }: Opening): OpenField[] {
  return [
    { name: 'content', type: 'text', value: content },
    sha256 === null
      ? { name: 'files', type: 'none' }
      : { name: 'files', type: 'files', value: [{ sha256, label: '' }] },
    { name: 'reveal_at', type: 'instant', value: reveal_date },
    { name: 'title', type: 'text', value: title },
  ]
}

/** The schema let only right spellings pass. */
function bytes(hex: string): Bytes {
  return bytesOfHex(hex) ?? new Uint8Array()
}

function bytesOfHash(base64: string): Bytes {
  return bytesOfBase64(base64) ?? new Uint8Array()
}
