import { createHmac, createSecretKey, type KeyObject, timingSafeEqual } from 'node:crypto'

/** The right of one bearer (a session, a link, a visitor) to one variant of one item, for a while. */
export interface Ticket {
  item: string
  variant: string
  holder: string
  expiresAt: Date
}

const FORMAT = 'ticket-1'

export function signTicket(secret: Buffer, ticket: Ticket): string {
  const { item, variant, holder, expiresAt } = ticket
  const facts = JSON.stringify([item, variant, holder, expiresAt.getTime()])
  const body = Buffer.from(facts).toString('base64url')
  return `${body}.${signatureOf(secret, body)}`
}

/** Undefined for a forged or malformed ticket; the caller checks `expiresAt`. */
export function parseTicket(secret: Buffer, text: string): Ticket | undefined {
  const [body = '', signature = '', ...more] = text.split('.', 3)
  const expected = Buffer.from(signatureOf(secret, body))
  const received = Buffer.from(signature)
  if (more.length > 0 || received.length !== expected.length) return undefined
  if (!timingSafeEqual(received, expected)) return undefined
  const [item, variant, holder, expiresAt] = JSON.parse(
    Buffer.from(body, 'base64url').toString(),
  ) as [string, string, string, number]
  return { item, variant, holder, expiresAt: new Date(expiresAt) }
}

/** An answer has a dozen tickets, and making a key costs as much as signing with it. */
const keys = new WeakMap<Buffer, KeyObject>()

function signatureOf(secret: Buffer, body: string): string {
  const key = keys.get(secret) ?? createSecretKey(secret)
  keys.set(secret, key)
  return createHmac('sha256', key).update(`${FORMAT}.${body}`).digest('base64url')
}
