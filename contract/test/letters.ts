import { type Bytes, base64Of, bytesOfHex, hexOf } from '../src/proofs/bytes.ts'
import type { CheckpointDate } from '../src/proofs/checkpoint.ts'
import {
  commitmentOfFields,
  type FieldValue,
  hashField,
  isAlwaysOpen,
} from '../src/proofs/fields.ts'
import { identityOf, type LeafKind, leafV2Of } from '../src/proofs/leaf.ts'
import { PROOF_FORMAT_2, type ProofField, type ProofV2 } from '../src/proofs/proof.ts'
import { hashLeaf } from '../src/proofs/tree.ts'
import { bytesFor, itemOf, type TestLog } from './log.ts'

/** A leaf of format 2 that is in a log, with all that opens it. */
export interface LoggedLeaf {
  kind: Exclude<LeafKind, 'delete'>
  version: number
  sealedAt: string
  fields: Readonly<Record<string, FieldValue>>
  index: number
  hash: Bytes
}

/** A letter of format 2 as its author has it. */
export interface TestLetter {
  name: string
  id: string
  authorId: string
  blinding: Bytes
  leaves: LoggedLeaf[]
}

export function letterOf(name: string): TestLetter {
  const { id, authorId } = itemOf(name.length).facts
  return { name, id, authorId, blinding: bytesFor(`blinding of ${name}`), leaves: [] }
}

/** The five fields of a letter, with others beside or in their place. */
export function fieldsWith(others: Record<string, FieldValue> = {}): Record<string, FieldValue> {
  return {
    audience: { type: 'text', value: 'public' },
    content: { type: 'text', value: 'Je parie que l’élan arrivera premier.' },
    files: { type: 'none' },
    reveal_at: { type: 'instant', value: '2027-06-01T08:00:00.000Z' },
    title: { type: 'text', value: 'Le pari' },
    ...others,
  }
}

function saltOf(letter: TestLetter, at: number, name: string): Bytes {
  return bytesFor(`salt of ${name} in leaf ${at} of ${letter.name}`)
}

/** Appends a leaf of the letter to the log, bound to the one before it or to `former`. */
export function seal(
  log: TestLog,
  letter: TestLetter,
  leaf: Omit<LoggedLeaf, 'index' | 'hash'>,
  former: Bytes = letter.leaves.at(-1)?.hash ?? new Uint8Array(),
): void {
  const at = letter.leaves.length
  const commitment = commitmentOfFields(
    Object.entries(leaf.fields).map(([name, value]) => ({
      name,
      hash: hashField(saltOf(letter, at, name), name, value),
    })),
  )
  const identity = identityOf(letter.blinding, letter.id, letter.authorId)
  const { kind, version, sealedAt } = leaf
  const bytes = leafV2Of({ kind, version, identity, former, commitment, sealedAt })
  letter.leaves.push({ ...leaf, index: log.append(bytes), hash: hashLeaf(bytes) })
}

interface Exported {
  size?: number
  dated: CheckpointDate
  /** Of the last version; those of earlier ones are closed but for audience and kind. */
  closed?: readonly string[]
}

/** The proof of a letter of which all leaves are in the log. */
export function proofV2Of(
  log: TestLog,
  letter: TestLetter,
  { size = log.size, dated, closed = [] }: Exported,
): ProofV2 {
  const last = letter.leaves.findLastIndex(({ kind }) => kind !== 'change')
  return {
    format: PROOF_FORMAT_2,
    key: log.key,
    checkpoint: log.checkpoint(size, dated),
    revelation_id: letter.id,
    author_id: letter.authorId,
    blinding: hexOf(letter.blinding),
    leaves: letter.leaves.map(({ kind, version, sealedAt, fields, index }, at) => ({
      format: 2,
      ...{ kind, version, index },
      sealed_at: sealedAt,
      inclusion: log.inclusion(index, size).map(base64Of),
      fields: Object.entries(fields)
        .toSorted(([one], [other]) => (one < other ? -1 : 1))
        .map(([name, value]) => {
          const isOpen = isAlwaysOpen(name) || (at === last && !closed.includes(name))
          return exportedField(name, value, saltOf(letter, at, name), isOpen)
        }),
    })),
    opening: null,
  }
}

function exportedField(name: string, value: FieldValue, salt: Bytes, isOpen: boolean): ProofField {
  if (!isOpen) return { name, hash: hexOf(hashField(salt, name, value)) }
  const open = { name, salt: hexOf(salt) }
  if (value.type === 'none') return { ...open, type: 'none', value: null }
  if (value.type === 'files') return { ...open, type: 'files', value: [...value.value] }
  return { ...open, type: value.type, value: value.value }
}

/** Bytes of a hexadecimal text of tests. */
export function bytesIn(hex: string): Bytes {
  return bytesOfHex(hex) ?? new Uint8Array()
}
