import { UPLOAD_EXPIRES_AFTER_MS } from '#contract/uploads.ts'

/** Where pieces are stored. */
export const PIECES_PREFIX = 'uploads/'

/** An upload last touched at this instant or before has expired. */
export function expiredBefore(now: Date): Date {
  return new Date(now.getTime() - UPLOAD_EXPIRES_AFTER_MS)
}

export function expiryOf({ touchedAt }: { touchedAt: Date }): Date {
  return new Date(touchedAt.getTime() + UPLOAD_EXPIRES_AFTER_MS)
}

/** Boundaries and fields around the file in the body of its request, at most. */
export const FORM_OVERHEAD_BYTES = 16 * 1024

/** The least that a file can measure in a request of this length; undefined when the request has none. */
export function leastFileBytes(contentLength: string | undefined): number | undefined {
  const bytes = parseBytes(contentLength)
  return bytes === undefined ? undefined : Math.max(0, bytes - FORM_OVERHEAD_BYTES)
}

/** tus 1.0, https://tus.io/protocols/resumable-upload */
export const TUS_VERSION = '1.0.0'
export const TUS_EXTENSIONS = 'creation,expiration,termination,checksum'
export const CHECKSUM_ALGORITHM = 'sha256'
/** The type of the body that carries a part of a file. */
export const PART_TYPE = 'application/offset+octet-stream'

/** The name and type of a file, as its sender declares them. */
export interface UploadFacts {
  name: string
  type: string
}

export type Header = string | string[] | undefined

const FACT_MAX_LENGTH = 1_000
const SHA256_BYTES = 32

/** A number of bytes; undefined when the header is none. */
export function parseBytes(header: Header): number | undefined {
  return typeof header === 'string' && /^\d{1,15}$/.test(header) ? Number(header) : undefined
}

/** `Upload-Checksum`: a SHA-256; undefined when the header is none. */
export function parseChecksum(header: Header): Buffer | undefined {
  const [, digest = ''] = /^sha256 ([A-Za-z0-9+/]{43}=)$/.exec(String(header)) ?? []
  const bytes = Buffer.from(digest, 'base64')
  return bytes.length === SHA256_BYTES ? bytes : undefined
}

/** `Upload-Metadata`: `filename` and `filetype`, each followed by its value in base64; others are left out. */
export function parseMetadata(header: Header): UploadFacts {
  const pairs = String(header ?? '')
    .split(',')
    .map((pair) => pair.trim().split(' '))
  function read(name: string): string {
    const value = pairs.find(([key]) => key === name)?.[1] ?? ''
    return Buffer.from(value, 'base64').toString().slice(0, FACT_MAX_LENGTH).toWellFormed()
  }
  return { name: read('filename'), type: read('filetype') }
}

export function formatMetadata({ name, type }: UploadFacts): string {
  const encode = (text: string) => Buffer.from(text).toString('base64')
  return `filename ${encode(name)},filetype ${encode(type)}`
}
