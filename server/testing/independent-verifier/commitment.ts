import { createHash } from 'node:crypto'

export interface Opened {
  salt: string
  revelation_id: string
  author_id: string
  title: string
  content: string
  reveal_date: string
  file_sha256: string | null
}

export interface Leaf {
  kind: string
  version: number
  commitment: string
  sealed_at: string
}

export function commitmentOf(opened: Opened): string {
  return sha256(
    fields(
      'revelations.app/commitment/v1',
      Buffer.from(opened.salt, 'hex'),
      opened.revelation_id,
      opened.author_id,
      opened.title.normalize('NFC'),
      opened.content.normalize('NFC'),
      opened.reveal_date,
      Buffer.from(opened.file_sha256 ?? '', 'hex'),
    ),
  ).toString('hex')
}

export function leafBytes(leaf: Leaf): Buffer {
  return fields(
    'revelations.app/leaf/v1',
    leaf.kind,
    leaf.version,
    Buffer.from(leaf.commitment, 'hex'),
    leaf.sealed_at,
  )
}

export function leafHash(leaf: Leaf): Buffer {
  return sha256(Buffer.of(0), leafBytes(leaf))
}

export function sha256(...parts: Uint8Array[]): Buffer {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest()
}

function uint64(value: number): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64BE(BigInt(value))
  return bytes
}

/** `uint64(len f1) ‖ f1 ‖ …` */
export function fields(...parts: (string | number | Uint8Array)[]): Buffer {
  return Buffer.concat(
    parts.flatMap((part) => {
      const bytes = typeof part === 'number' ? uint64(part) : Buffer.from(part as string)
      return [uint64(bytes.length), bytes]
    }),
  )
}

/** Undefined for every other spelling of the same bytes. */
export function fromBase64(text: string, length?: number): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64')
  const isExact = bytes.toString('base64') === text
  return isExact && (length === undefined || bytes.length === length) ? bytes : undefined
}

export function isHex32(value: unknown): value is string {
  return typeof value === 'string' && /^[0-9a-f]{64}$/.test(value)
}

export function isUuid(value: unknown): value is string {
  return (
    typeof value === 'string' &&
    /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/.test(value)
  )
}

/** `2027-01-02T00:00:00.000Z`, of a day that exists. */
export function isInstant(value: unknown): value is string {
  if (typeof value !== 'string' || !/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(value))
    return false
  const at = new Date(value)
  return !Number.isNaN(at.getTime()) && at.toISOString() === value
}

export function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Half of a surrogate pair is no text. */
export function isText(value: unknown): value is string {
  return typeof value === 'string' && value.isWellFormed()
}
