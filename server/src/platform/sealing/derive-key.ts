import { hkdfSync } from 'node:crypto'

/** One secret, many keys: a key is never used for two purposes. */
export function deriveKey(secret: Buffer, purpose: string, salt: Uint8Array = new Uint8Array()) {
  return Buffer.from(hkdfSync('sha256', secret, salt, `revelations/${purpose}`, 32))
}
