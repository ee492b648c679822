export type Bytes = Uint8Array

/** Of SHA-256. */
export const HASH_SIZE = 32

const encoder = new TextEncoder()

export function utf8(text: string): Bytes {
  return encoder.encode(text)
}

// Proofs are made of these: what a byte or a digit is stands in tables.
const NONE = 255
const HEX_OF_BYTE = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))
const HEX_DIGITS = digitsOf('0123456789abcdef')
const BASE64_DIGITS = digitsOf('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/')

function digitsOf(alphabet: string): Bytes {
  const digits = new Uint8Array(128).fill(NONE)
  for (let digit = 0; digit < alphabet.length; digit += 1)
    digits[alphabet.charCodeAt(digit)] = digit
  return digits
}

export function hexOf(bytes: Bytes): string {
  let text = ''
  for (const byte of bytes) text += HEX_OF_BYTE[byte]
  return text
}

/** Undefined for anything but lower-case hexadecimal: one value has one spelling. */
export function bytesOfHex(text: string): Bytes | undefined {
  if (text.length % 2 === 1) return undefined
  const bytes = new Uint8Array(text.length / 2)
  for (let at = 0; at < bytes.length; at += 1) {
    const high = HEX_DIGITS[text.charCodeAt(2 * at)] ?? NONE
    const low = HEX_DIGITS[text.charCodeAt(2 * at + 1)] ?? NONE
    if (high === NONE || low === NONE) return undefined
    bytes[at] = 16 * high + low
  }
  return bytes
}

export function base64Of(bytes: Bytes): string {
  return btoa(String.fromCharCode(...bytes))
}

/** Undefined for anything but padded, canonical base64: one value has one spelling. */
export function bytesOfBase64(text: string): Bytes | undefined {
  if (text.length % 4 !== 0) return undefined
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0
  const bytes = new Uint8Array((text.length / 4) * 3 - padding)
  let bits = 0
  let count = 0
  let filled = 0
  for (let at = 0; at < text.length - padding; at += 1) {
    const digit = BASE64_DIGITS[text.charCodeAt(at)] ?? NONE
    if (digit === NONE) return undefined
    bits = ((bits << 6) | digit) & 0xffff
    count += 6
    if (count < 8) continue
    count -= 8
    bytes[filled] = bits >> count
    filled += 1
  }
  // The bits that are left over mean nothing.
  return (bits & ((1 << count) - 1)) === 0 ? bytes : undefined
}

export function isSameBytes(one: Bytes, other: Bytes): boolean {
  if (one.length !== other.length) return false
  for (let at = 0; at < one.length; at += 1) if (one[at] !== other[at]) return false
  return true
}

/** Eight bytes, big endian. */
export function uint64(value: number): Bytes {
  const bytes = new Uint8Array(8)
  new DataView(bytes.buffer).setBigUint64(0, BigInt(value))
  return bytes
}

/** Each field as its length (8 bytes, big endian) and its bytes: no two lists of fields give the same bytes. */
export function encodeFields(fields: readonly Bytes[]): Bytes {
  const bytes = new Uint8Array(fields.reduce((sum, { length }) => sum + 8 + length, 0))
  const view = new DataView(bytes.buffer)
  let at = 0
  for (const field of fields) {
    // None is as long as 4 GiB.
    view.setUint32(at + 4, field.length)
    bytes.set(field, at + 8)
    at += 8 + field.length
  }
  return bytes
}
