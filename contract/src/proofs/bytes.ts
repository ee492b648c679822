import { concatBytes } from '@noble/hashes/utils.js'

export type Bytes = Uint8Array

/** Of SHA-256. */
export const HASH_SIZE = 32

const HEXADECIMAL = /^(?:[0-9a-f]{2})*$/

export function utf8(text: string): Bytes {
  return new TextEncoder().encode(text)
}

export function hexOf(bytes: Bytes): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** Undefined for anything but lower-case hexadecimal: one value has one spelling. */
export function bytesOfHex(text: string): Bytes | undefined {
  if (!HEXADECIMAL.test(text)) return undefined
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
}

export function base64Of(bytes: Bytes): string {
  return btoa(String.fromCharCode(...bytes))
}

/** Undefined for anything but padded, canonical base64: one value has one spelling. */
export function bytesOfBase64(text: string): Bytes | undefined {
  try {
    const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
    return base64Of(bytes) === text ? bytes : undefined
  } catch {
    return undefined
  }
}

export function isSameBytes(one: Bytes, other: Bytes): boolean {
  return one.length === other.length && one.every((byte, index) => byte === other[index])
}

/** Eight bytes, big endian. */
export function uint64(value: number): Bytes {
  const bytes = new Uint8Array(8)
  new DataView(bytes.buffer).setBigUint64(0, BigInt(value))
  return bytes
}

/** Each field as its length (8 bytes, big endian) and its bytes: no two lists of fields give the same bytes. */
export function encodeFields(fields: readonly Bytes[]): Bytes {
  return concatBytes(...fields.flatMap((field) => [uint64(field.length), field]))
}
