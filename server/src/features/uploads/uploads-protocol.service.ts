import { AppError, fieldError } from '#server/errors.ts'

/** The protocol is told at https://tus.io/protocols/resumable-upload, version 1.0. */
export const TUS_VERSION = '1.0.0'
export const TUS_EXTENSIONS = 'creation,expiration,termination,checksum'
export const CHECKSUM_ALGORITHM = 'sha256'
/** The type of the body that carries a part of a file. */
export const PART_TYPE = 'application/offset+octet-stream'

/** What the sender says of a file. */
export interface UploadFacts {
  name: string
  type: string
}

type Header = string | string[] | undefined

const FACT_MAX_LENGTH = 1_000
const SHA256_BYTES = 32

/** A number of bytes; undefined when the header is none. */
export function readBytes(header: Header): number | undefined {
  return typeof header === 'string' && /^\d{1,15}$/.test(header) ? Number(header) : undefined
}

export function requireVersion(header: Header): void {
  if (header !== TUS_VERSION) throw new AppError('unsupported_version')
}

/** `Upload-Length`: how large the file will be, which has to be known. */
export function requireLength(header: Header): number {
  const length = readBytes(header)
  if (length === undefined) throw fieldError('Upload-Length', 'La taille du fichier manque')
  return length
}

/** `Upload-Offset`: where the part begins. */
export function requireOffset(header: Header): number {
  const offset = readBytes(header)
  if (offset === undefined) throw fieldError('Upload-Offset', 'Le début de cette partie manque')
  return offset
}

/** `Upload-Checksum`: the SHA-256 of the part; undefined when none is given. */
export function readChecksum(header: Header): Buffer | undefined {
  if (header === undefined) return undefined
  const [, digest = ''] = /^sha256 ([A-Za-z0-9+/]{43}=)$/.exec(String(header)) ?? []
  const bytes = Buffer.from(digest, 'base64')
  if (bytes.length !== SHA256_BYTES) {
    throw fieldError('Upload-Checksum', 'Cette somme de contrôle n’est pas reconnue')
  }
  return bytes
}

/** `Upload-Metadata`: `filename` and `filetype`, each followed by its value in base64; others are left out. */
export function readFacts(header: Header): UploadFacts {
  const pairs = String(header ?? '')
    .split(',')
    .map((pair) => pair.trim().split(' '))
  function read(name: string): string {
    const value = pairs.find(([key]) => key === name)?.[1] ?? ''
    return Buffer.from(value, 'base64').toString().slice(0, FACT_MAX_LENGTH).toWellFormed()
  }
  return { name: read('filename'), type: read('filetype') }
}

/** The same header from what it said. */
export function writeFacts({ name, type }: UploadFacts): string {
  const encode = (text: string) => Buffer.from(text).toString('base64')
  return `filename ${encode(name)},filetype ${encode(type)}`
}
