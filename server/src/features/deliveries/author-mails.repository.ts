import { sql } from 'kysely'
import type { Db } from '#server/platform/database/database.ts'

/** How many of these mails were made for an account shortly before this one, by the time they were queued. */
export async function countMailsBefore(
  db: Db,
  mail: { id: string; recipientId: string; createdAt: Date },
  asked: { templates: readonly string[]; since: Date },
): Promise<number> {
  const { count } = await db
    .selectFrom('mails')
    .select((select) => select.fn.countAll().as('count'))
    .where('recipientId', '=', mail.recipientId)
    .where('template', 'in', asked.templates)
    .where('createdAt', '>', asked.since)
    .where(sql<boolean>`(created_at, id) < (${mail.createdAt}::timestamptz, ${mail.id}::uuid)`)
    .executeTakeFirstOrThrow()
  return Number(count)
}

export async function findAuthor(
  db: Db,
  id: string,
): Promise<{ emailVerifiedAt: Date | null } | undefined> {
  return db.selectFrom('users').select('emailVerifiedAt').where('id', '=', id).executeTakeFirst()
}
