import { createHmac, createSecretKey, type KeyObject } from 'node:crypto'
import { deriveKey, NONCE_SIZE, openBox, sealBox } from './box.ts'
import type { DataKey } from './keyring.ts'
import { SealBroken } from './sealed-format.ts'

/** `field` names the column: a text sealed for one column does not open as another. */
export function sealText(key: DataKey, field: string, text: string): Buffer {
  // UTF-8 would silently replace a lone surrogate, and the commitment would no longer match.
  if (!text.isWellFormed()) throw new TypeError(`The text of ${field} is not well formed`)
  return sealBinary(key, field, Buffer.from(text))
}

/** Throws `SealBroken`. */
export function openText(key: DataKey, field: string, sealed: Uint8Array): string {
  return openBinary(key, field, sealed).toString()
}

/** A few bytes for one column, as `sealText`. */
export function sealBinary(key: DataKey, field: string, bytes: Uint8Array): Buffer {
  return sealBox(textKeyOf(key), field, bytes)
}

/** Throws `SealBroken`. */
export function openBinary(key: DataKey, field: string, sealed: Uint8Array): Buffer {
  return openBox(textKeyOf(key), field, sealed)
}

/** A letter has several texts under one key. */
const textKeys = new WeakMap<DataKey, KeyObject>()

function textKeyOf(key: DataKey): KeyObject {
  const known = textKeys.get(key)
  if (known) return known
  const textKey = createSecretKey(deriveKey(key.bytes, 'text'))
  textKeys.set(key, textKey)
  return textKey
}

/**
 * Seals facts into text that fits in an address; only the secret opens it. The same facts give the same token: its nonce
 * is a keyed hash of them, which no other facts share.
 */
export function sealToken(secret: Buffer, purpose: string, facts: unknown): string {
  const plain = Buffer.from(JSON.stringify(facts))
  const nonce = createHmac('sha256', deriveKey(secret, 'token/nonce')).update(plain).digest()
  const key = deriveKey(secret, 'token/key')
  return sealBox(key, purpose, plain, nonce.subarray(0, NONCE_SIZE)).toString('base64url')
}

/** The facts of a token; undefined for an altered token, another purpose or another secret. */
export function openToken(secret: Buffer, purpose: string, token: string): unknown {
  try {
    const sealed = Buffer.from(token, 'base64url')
    return JSON.parse(openBox(deriveKey(secret, 'token/key'), purpose, sealed).toString())
  } catch (error) {
    if (error instanceof SealBroken) return undefined
    throw error
  }
}
