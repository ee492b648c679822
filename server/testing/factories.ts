import type { Visibility } from '#contract/revelations.ts'
import { upsertRelationship } from '#server/features/relationships/relationships.repository.ts'
import type { Answer, Person, TestApp } from './test-server.ts'

export const AN_HOUR_MS = 3_600_000
export const A_DAY_MS = 24 * AN_HOUR_MS

interface RevelationOverrides {
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
