import { fromBase64, isCount, isHex32, isInstant, isRecord, isText, isUuid } from './commitment.ts'
import { areFieldsOf, type Field } from './named-fields.ts'

interface Placed {
  version: number
  sealed_at: string
  index: number | null
  inclusion: string[] | null
}

export interface FirstLeaf extends Placed {
  format: 1
  kind: string
  commitment: string
}

export interface SecondLeaf extends Placed {
  format: 2
  kind: string
  fields: Field[]
}

export type ProofLeaf = FirstLeaf | SecondLeaf

interface Opening {
  title: string
  content: string
  reveal_date: string
  salt: string
  file_sha256: string | null
}

/** Both formats, read into one. */
export interface Proof {
  format: 1 | 2
  key: string | null
  checkpoint: string | null
  revelation_id: string
  /** In format 1 it is that of the opening. */
  author_id: string | null
  blinding: string
  leaves: [ProofLeaf, ...ProofLeaf[]]
  /** The last one that is no `change`. */
  last: ProofLeaf
  opening: Opening | null
  consistency: { from: number; hashes: string[] }[]
}

/** Undefined for what is no exported proof. */
export function readProof(value: unknown): Proof | undefined {
  if (!isRecord(value) || !isUuid(value.revelation_id)) return undefined
  if (!isOrNull(value.key, isText) || !isOrNull(value.checkpoint, isText)) return undefined
  if (value.consistency !== undefined && !isListOf(value.consistency, isBeginning)) return undefined
  if (value.format === 'revelations.app/proof/v1') return readFirst(value)
  return value.format === 'revelations.app/proof/v2' ? readSecond(value) : undefined
}

function readFirst(value: Record<string, unknown>): Proof | undefined {
  const { versions, opening } = value
  if (!isListOf(versions, (one) => isFirstLeaf(one, 'leaf')) || versions.length === 0)
    return undefined
  if (versions.length > 10_000) return undefined
  if (
    !isOrNull(
      opening,
      (one) => isOpening(one) && isUuid((one as { author_id?: unknown }).author_id),
    )
  )
    return undefined
  const leaves = (versions as (FirstLeaf & { leaf: number | null })[]).map(
    ({ leaf, ...version }): ProofLeaf => ({ ...version, format: 1, index: leaf }),
  )
  const author_id = (opening as { author_id: string } | null)?.author_id ?? null
  return asProof({ ...value, format: 1, author_id, blinding: '', leaves })
}

function readSecond(value: Record<string, unknown>): Proof | undefined {
  const { leaves, opening } = value
  if (!isUuid(value.author_id) || !isHex32(value.blinding)) return undefined
  if (!isListOf(leaves, isLeaf) || leaves.length === 0 || leaves.length > 1000) return undefined
  const formats = (leaves as ProofLeaf[]).map(({ format }) => format)
  if (!formats.includes(2) || formats.lastIndexOf(1) > formats.indexOf(2)) return undefined
  const last = (leaves as ProofLeaf[]).findLast(({ kind }) => kind !== 'change')
  if (!last || !isOrNull(opening, (one) => last.format === 1 && isOpening(one))) return undefined
  return asProof({ ...value, format: 2 })
}

function asProof(value: Record<string, unknown>): Proof {
  const proof = value as unknown as Proof
  const last = proof.leaves.findLast(({ kind }) => kind !== 'change') ?? proof.leaves[0]
  return { ...proof, last, consistency: proof.consistency ?? [] }
}

function isOrNull(value: unknown, is: (value: unknown) => boolean): boolean {
  return value === null || is(value)
}

function isListOf(value: unknown, is: (value: unknown) => boolean): value is unknown[] {
  return Array.isArray(value) && value.every(is)
}

function isHash(value: unknown): boolean {
  return isText(value) && fromBase64(value, 32) !== undefined
}

function isBeginning(value: unknown): boolean {
  return isRecord(value) && isCount(value.from) && isListOf(value.hashes, isHash)
}

function isPlaced(value: Record<string, unknown>, index: 'leaf' | 'index'): boolean {
  return (
    isCount(value.version) &&
    value.version > 0 &&
    isInstant(value.sealed_at) &&
    isOrNull(value[index], isCount) &&
    isOrNull(value.inclusion, (path) => isListOf(path, isHash))
  )
}

function isFirstLeaf(value: unknown, index: 'leaf' | 'index'): boolean {
  if (!isRecord(value) || !isPlaced(value, index)) return false
  return (value.kind === 'create' || value.kind === 'edit') && isHex32(value.commitment)
}

function isLeaf(value: unknown): boolean {
  if (!isRecord(value)) return false
  if (value.format === 1) return isFirstLeaf(value, 'index')
  const { format, kind } = value
  if (format !== 2 || (kind !== 'create' && kind !== 'edit' && kind !== 'change')) return false
  return isPlaced(value, 'index') && areFieldsOf(kind, value.fields)
}

function isOpening(value: unknown): boolean {
  return (
    isRecord(value) &&
    [value.title, value.content].every((text) => isText(text) && text.normalize('NFC') === text) &&
    isInstant(value.reveal_date) &&
    isHex32(value.salt) &&
    isOrNull(value.file_sha256, isHex32)
  )
}
