import { createHmac } from 'node:crypto'
import { deriveKey } from './derive-key.ts'
import { SealBroken } from './seal-broken.ts'
import { NONCE_SIZE, openBox, sealBox } from './sealed-box.ts'

/**
 * Facts sealed into text that fits in an address, for whoever holds the secret. The same facts make the same token:
 * its nonce is a keyed hash of them, which no other facts share.
 */
export function sealToken(secret: Buffer, purpose: string, facts: unknown): string {
  const plain = Buffer.from(JSON.stringify(facts))
  const nonce = createHmac('sha256', deriveKey(secret, 'token/nonce')).update(plain).digest()
  const key = deriveKey(secret, 'token/key')
  return sealBox(key, purpose, plain, nonce.subarray(0, NONCE_SIZE)).toString('base64url')
}

/** The facts of a token; undefined when it was altered, or made for another purpose or under another secret. */
export function openToken(secret: Buffer, purpose: string, token: string): unknown {
  try {
    const sealed = Buffer.from(token, 'base64url')
    return JSON.parse(openBox(deriveKey(secret, 'token/key'), purpose, sealed).toString())
  } catch (error) {
    if (error instanceof SealBroken) return undefined
    throw error
  }
}
