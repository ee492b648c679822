import { leafOf, type SealKind } from '#contract/proofs/commitment.ts'
import { formerOfV1, type LeafKind, leafV2Of } from '#contract/proofs/leaf.ts'
import { hashLeaf } from '#contract/proofs/tree.ts'

/** A line of what was sealed, in the format in which it was sealed. */
export interface SealRow {
  position: number
  format: number
  kind: LeafKind
  version: number
  commitment: Buffer
  sealedAt: Date
  /** Null in format 1, as is `former`. */
  identity: Buffer | null
  /** The hash of the leaf before it; empty in a creation. */
  former: Buffer | null
}

export function leafHashOf({ format, identity, former, ...seal }: SealRow): Buffer {
  const leaf = { ...seal, sealedAt: seal.sealedAt.toISOString() }
  if (format === 1) return Buffer.from(hashLeaf(leafOf({ ...leaf, kind: kindOfV1(seal.kind) })))
  if (!identity || !former) throw new Error(`The seal ${seal.position} is bound to nothing`)
  return Buffer.from(hashLeaf(leafV2Of({ ...leaf, identity, former })))
}

function kindOfV1(kind: LeafKind): SealKind {
  if (kind === 'change') throw new Error('There is no such leaf in format 1')
  return kind
}

/** What the next leaf of a revelation names as the one before it, after all that it has so far. */
export function formerOf(seals: readonly SealRow[]): Buffer {
  const last = seals.at(-1)
  if (!last) return Buffer.alloc(0)
  if (last.format !== 1) return leafHashOf(last)
  return Buffer.from(formerOfV1(seals.map(leafHashOf)))
}
