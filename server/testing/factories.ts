import { randomUUID } from 'node:crypto'
import { DELIVERY_KEY_HEADER } from '#contract/deliveries.ts'
import type { Visibility } from '#contract/revelations.ts'
import { upsertRelationship } from '#server/features/relationships/relationships.repository.ts'
import { type Answer, type Person, signedIn, type TestApp } from './test-server.ts'

export const AN_HOUR_MS = 3_600_000
export const A_DAY_MS = 24 * AN_HOUR_MS

export interface RevelationOverrides {
  title?: string
  content?: string
  target_email?: string
  reveal_date?: string
  visibility?: Visibility
  [field: string]: unknown
}

/** A body that the server accepts, opening tomorrow by the server's clock. */
export function revelationBody(
  server: Pick<TestApp, 'clock'>,
  overrides: RevelationOverrides = {},
) {
  return {
    title: 'Ce que je pense de demain',
    content: 'Il fera beau toute la journée.',
    target_email: 'destinataire@exemple.test',
    reveal_date: new Date(server.clock.now.getTime() + A_DAY_MS).toISOString(),
    ...overrides,
  }
}

/** What a body says of several recipients, the first one first. */
export function toAll(...emails: string[]) {
  return { target_email: emails[0], recipients: emails.map((email) => ({ email })) }
}

/** Seals a revelation through the front door. */
export async function createRevelation(
  server: TestApp,
  author: Person,
  overrides: RevelationOverrides = {},
): Promise<Answer['body']> {
  const { status, body } = await server.call('POST', '/api/revelations', {
    as: author,
    body: revelationBody(server, overrides),
  })
  if (status !== 201) throw new Error(`Cannot seal: ${JSON.stringify(body)}`)
  return body.revelation
}

/** Seals a private letter for tomorrow, to an address of its own. */
export async function sealPrivate(
  server: TestApp,
  author: Person,
  overrides: RevelationOverrides = {},
): Promise<{ id: string; deliveryId: string; address: string }> {
  const address = overrides.target_email ?? `lectrice.${randomUUID()}@exemple.fr`
  const body = { target_email: address, visibility: 'private' as const, ...overrides }
  const { id, delivery } = await createRevelation(server, author, body)
  return { id, deliveryId: delivery.id, address }
}

/** The same once it is open and its mail has left: with the key of its personal link. */
export async function sealDelivered(
  server: TestApp,
  author: Person,
  overrides: RevelationOverrides = {},
) {
  const sealed = await sealPrivate(server, author, overrides)
  server.clock.advance(A_DAY_MS)
  await server.runJobs()
  return { ...sealed, key: server.mailbox.lastKeyTo(sealed.address) }
}

/** What the bearer of a personal link sends with each call. */
export function keyHeaders(key: string | undefined): Record<string, string> {
  return key ? { [DELIVERY_KEY_HEADER]: key } : {}
}

/** Relates two people as friends or family. */
export async function relate(
  server: Pick<TestApp, 'ctx'>,
  one: Person,
  other: Person,
  type: 'friend' | 'family',
): Promise<void> {
  await upsertRelationship(server.ctx.db, one.id, other.id, type, server.ctx.now())
}

/** Verifies the address of an account, as the link of its mail will. */
export async function verifyEmail(server: Pick<TestApp, 'ctx'>, person: Person): Promise<void> {
  await server.ctx.db
    .updateTable('users')
    .set({ emailVerifiedAt: server.ctx.now() })
    .where('id', '=', person.id)
    .execute()
}

/** A new person with an open session, whose address is verified. */
export async function verifiedPerson(
  server: Pick<TestApp, 'ctx'>,
  overrides: Parameters<typeof signedIn>[1] = {},
): Promise<Person> {
  const person = await signedIn(server, overrides)
  await verifyEmail(server, person)
  return person
}

/** Sets the clock to another instant, with every session, which would have ended long before. */
export async function travelTo(
  { ctx, clock }: Pick<TestApp, 'ctx' | 'clock'>,
  instant: string | Date,
): Promise<void> {
  clock.now = new Date(instant)
  await ctx.pool.query(
    `update sessions set created_at = $1, expires_at = $1::timestamptz + interval '30 days'`,
    [clock.now],
  )
}
