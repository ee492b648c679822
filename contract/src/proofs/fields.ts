import { sha256 } from '@noble/hashes/sha2.js'
import { type Bytes, bytesOfHex, encodeFields, utf8 } from './bytes.ts'

const FIELD_DOMAIN = 'revelations.app/field/v2'
const COMMITMENT_DOMAIN = 'revelations.app/commitment/v2'

/** What a named field may hold. The types are these for ever; names are added as the product grows. */
export type FieldValue =
  | { type: 'none' }
  | { type: 'text'; value: string }
  | { type: 'instant'; value: string }
  /** SHA-256 of the plain bytes of each, in hexadecimal, and the words that go with it. */
  | { type: 'files'; value: readonly { sha256: string; label: string }[] }

/** What every leaf that creates or edits a letter names, absent things as `none`. */
export const LETTER_FIELDS = ['audience', 'content', 'files', 'reveal_at', 'title'] as const

/** Whether a field is told in every proof, wherever a leaf names it: who may see the letter, and what it is sealed as. */
export function isAlwaysOpen(name: string): boolean {
  return name === 'audience' || name === 'kind'
}

/** A field that was opened is told with its salt and value, a closed one by this hash alone (docs/proof.md). */
export function hashField(salt: Bytes, name: string, value: FieldValue): Bytes {
  return sha256(
    encodeFields([utf8(FIELD_DOMAIN), salt, utf8(name), utf8(value.type), ...partsOf(value)]),
  )
}

function partsOf(value: FieldValue): Bytes[] {
  if (value.type === 'none') return []
  if (value.type === 'text') return [utf8(value.value.normalize('NFC'))]
  if (value.type === 'instant') return [utf8(value.value)]
  return value.value.flatMap(({ sha256, label }) => [
    bytesOfHex(sha256) ?? new Uint8Array(),
    utf8(label.normalize('NFC')),
  ])
}

/** SHA-256 over all names and hashes, in the order of the names. Throws on a name that stands twice. */
export function commitmentOfFields(fields: readonly { name: string; hash: Bytes }[]): Bytes {
  const inOrder = fields.toSorted((one, other) => (one.name < other.name ? -1 : 1))
  const names = new Set(inOrder.map(({ name }) => name))
  if (names.size < inOrder.length) throw new Error('A field stands twice')
  return sha256(
    encodeFields([
      utf8(COMMITMENT_DOMAIN),
      ...inOrder.flatMap(({ name, hash }) => [utf8(name), hash]),
    ]),
  )
}
