import { createHash, randomBytes } from 'node:crypto'

/** A new secret that opens something to whoever bears it. */
export function randomToken(): string {
  return randomBytes(32).toString('base64url')
}

/** What is stored of such a secret: whoever reads the database opens nothing with it. */
export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}
