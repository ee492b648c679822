import { createHash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'

/** The validator of these bytes, or of a text that stands for them: quoted, strong (RFC 9110, 8.8.3). */
export function etagOf(content: string | Buffer): string {
  return `"${createHash('sha256').update(content).digest('base64url').slice(0, 22)}"`
}

/** Whether whoever asks has it already (RFC 9110, 13.1.2): a proxy that compresses hands tags back as weak ones. */
export function hasAlready({ headers }: FastifyRequest, etag: string): boolean {
  const held = headers['if-none-match']?.split(',').map((tag) => tag.trim().replace(/^W\//, ''))
  return held?.some((tag) => tag === etag || tag === '*') ?? false
}
