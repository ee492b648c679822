import {
  createCipheriv,
  createDecipheriv,
  createSecretKey,
  hkdfSync,
  KeyObject,
  randomBytes,
} from 'node:crypto'
import { SealBroken } from './sealed-format.ts'

// version (1 byte) ‖ nonce (12) ‖ ciphertext ‖ tag (16)
const VERSION = Buffer.of(1)
export const NONCE_SIZE = 12
const TAG_SIZE = 16
const OVERHEAD = VERSION.length + NONCE_SIZE + TAG_SIZE

/**
 * Seals a few bytes for one place: `openBox` refuses them under any other `place`. A caller passes a nonce only if it is
 * derived from the bytes themselves.
 */
export function sealBox(
  key: Buffer | KeyObject,
  place: string,
  plain: Uint8Array,
  nonce: Buffer = randomBytes(NONCE_SIZE),
): Buffer {
  const cipher = createCipheriv('aes-256-gcm', keyObjectOf(key), nonce)
  cipher.setAAD(additionalData(place))
  const sealed = [cipher.update(plain), cipher.final()]
  return Buffer.concat([VERSION, nonce, ...sealed, cipher.getAuthTag()])
}

/** Throws `SealBroken`, which names the place and shows nothing of the content. */
export function openBox(key: Buffer | KeyObject, place: string, sealed: Uint8Array): Buffer {
  if (sealed.length < OVERHEAD || sealed[0] !== VERSION[0]) {
    throw new SealBroken(`What is sealed for ${place} is not in a known format`)
  }
  const nonce = sealed.subarray(VERSION.length, VERSION.length + NONCE_SIZE)
  const decipher = createDecipheriv('aes-256-gcm', keyObjectOf(key), nonce, {
    authTagLength: TAG_SIZE,
  })
  decipher.setAAD(additionalData(place))
  decipher.setAuthTag(sealed.subarray(-TAG_SIZE))
  try {
    const ciphertext = sealed.subarray(VERSION.length + NONCE_SIZE, -TAG_SIZE)
    return Buffer.concat([decipher.update(ciphertext), decipher.final()])
  } catch {
    throw new SealBroken(`What is sealed for ${place} was altered, or sealed for another place`)
  }
}

/** A key of bytes takes three times as long, with the making of the object counted. */
function keyObjectOf(key: Buffer | KeyObject): KeyObject {
  return key instanceof KeyObject ? key : createSecretKey(key)
}

function additionalData(place: string): Buffer {
  return Buffer.concat([VERSION, Buffer.from(place)])
}

/** One secret, many keys: a key is never used for two purposes. */
export function deriveKey(secret: Buffer, purpose: string, salt: Uint8Array = new Uint8Array()) {
  const key = createSecretKey(secret)
  return Buffer.from(hkdfSync('sha256', key, salt, `revelations/${purpose}`, 32))
}
