import { bytesOfHex, hexOf } from '#contract/proofs/bytes.ts'
import { commitmentOfFields, type FieldValue, hashField } from '#contract/proofs/fields.ts'
import type { ProofField } from '#contract/proofs/proof.ts'

type OpenField = Exclude<ProofField, { hash: string }>

/** A named field that is told, with its own salt: opening one tells nothing of the others. */
export function openField(name: string, value: FieldValue, salt: Buffer): OpenField {
  const open = { name, salt: salt.toString('hex') }
  if (value.type === 'none') return { ...open, type: 'none', value: null }
  if (value.type === 'files') return { ...open, type: 'files', value: [...value.value] }
  if (value.type === 'instant') return { ...open, type: 'instant', value: value.value }
  return { ...open, type: 'text', value: value.value.normalize('NFC') }
}

/** The same, told by its hash alone. */
export function closeField(field: ProofField): ProofField {
  return { name: field.name, hash: hexOf(hashOf(field)) }
}

export function commitmentTo(fields: readonly ProofField[]): Buffer {
  const hashes = fields.map((field) => ({ name: field.name, hash: hashOf(field) }))
  return Buffer.from(commitmentOfFields(hashes))
}

function hashOf(field: ProofField): Uint8Array {
  if ('hash' in field) return bytesIn(field.hash)
  return hashField(bytesIn(field.salt), field.name, sealedValueOf(field))
}

function sealedValueOf(field: OpenField): FieldValue {
  if (field.type === 'none') return { type: 'none' }
  if (field.type === 'files') return { type: 'files', value: field.value }
  return { type: field.type, value: field.value }
}

function bytesIn(hex: string): Uint8Array {
  const bytes = bytesOfHex(hex)
  if (!bytes) throw new Error('A field is not written in hexadecimal')
  return bytes
}
