import {
  createCipheriv,
  createDecipheriv,
  createSecretKey,
  type KeyObject,
  randomBytes,
} from 'node:crypto'
import { deriveKey } from './derive-key.ts'
import { freeMemoryOf } from './free-memory.ts'
import type { DataKey } from './keyring.ts'
import { SealBroken } from './seal-broken.ts'
import { CHUNK_OVERHEAD, HEADER_SIZE, NONCE_SIZE, SALT_SIZE, TAG_SIZE } from './sealed-layout.ts'

const MAGIC = Buffer.from('RVLSEAL\x01', 'latin1')

/** What every chunk of one file is sealed with. */
export interface FileSeal {
  header: Buffer
  key: KeyObject
}

export function newFileSeal(dataKey: DataKey): FileSeal {
  return fileSealOf(dataKey, Buffer.concat([MAGIC, randomBytes(SALT_SIZE)]))
}

/** Throws `SealBroken` when these are not the first bytes of a sealed file. */
export function readFileSeal(dataKey: DataKey, header: Buffer): FileSeal {
  if (header.length !== HEADER_SIZE || !header.subarray(0, MAGIC.length).equals(MAGIC)) {
    throw new SealBroken('The file does not begin as a sealed file')
  }
  return fileSealOf(dataKey, Buffer.from(header))
}

function fileSealOf(dataKey: DataKey, header: Buffer): FileSeal {
  const key = deriveKey(dataKey.bytes, 'file', header.subarray(MAGIC.length))
  return { header, key: createSecretKey(key) }
}

export function sealChunk(
  { header, key }: FileSeal,
  index: number,
  isLast: boolean,
  plain: Buffer,
): Buffer {
  const nonce = randomBytes(NONCE_SIZE)
  const cipher = createCipheriv('aes-256-gcm', key, nonce)
  cipher.setAAD(additionalData(header, index, isLast))
  const ciphertext = cipher.update(plain)
  cipher.final()
  const sealed = Buffer.allocUnsafeSlow(plain.length + CHUNK_OVERHEAD)
  nonce.copy(sealed)
  ciphertext.copy(sealed, NONCE_SIZE)
  cipher.getAuthTag().copy(sealed, NONCE_SIZE + ciphertext.length)
  freeMemoryOf(ciphertext)
  return sealed
}

export function openChunk(
  { header, key }: FileSeal,
  index: number,
  isLast: boolean,
  sealed: Buffer,
): Buffer {
  if (sealed.length < CHUNK_OVERHEAD) throw new SealBroken('The sealed file is cut')
  const nonce = sealed.subarray(0, NONCE_SIZE)
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_SIZE })
  decipher.setAAD(additionalData(header, index, isLast))
  decipher.setAuthTag(sealed.subarray(-TAG_SIZE))
  const plain = decipher.update(sealed.subarray(NONCE_SIZE, -TAG_SIZE))
  try {
    decipher.final()
  } catch {
    throw new SealBroken(`Chunk ${index} of the sealed file was altered or moved`)
  }
  return plain
}

function additionalData(header: Buffer, index: number, isLast: boolean): Buffer {
  const data = Buffer.allocUnsafe(HEADER_SIZE + 9)
  header.copy(data)
  data.writeBigUInt64BE(BigInt(index), HEADER_SIZE)
  data[HEADER_SIZE + 8] = isLast ? 1 : 0
  return data
}
