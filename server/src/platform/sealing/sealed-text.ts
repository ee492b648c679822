import { deriveKey } from './derive-key.ts'
import type { DataKey } from './keyring.ts'
import { openBox, sealBox } from './sealed-box.ts'

/** `field` names the column: what is sealed for one does not open as another. */
export function sealText(key: DataKey, field: string, text: string): Buffer {
  // UTF-8 would silently replace a lone surrogate, and the commitment would no longer match.
  if (!text.isWellFormed()) throw new TypeError(`The text of ${field} is not well formed`)
  return sealBox(deriveKey(key.bytes, 'text'), field, Buffer.from(text))
}

/** Throws `SealBroken`. */
export function openText(key: DataKey, field: string, sealed: Uint8Array): string {
  return openBox(deriveKey(key.bytes, 'text'), field, sealed).toString()
}
