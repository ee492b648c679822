import { sql } from 'kysely'
import type { RelationshipType } from '#contract/relationships.ts'
import type { Visibility } from '#contract/revelations.ts'
import type { Db } from '#server/platform/database/db.ts'

/** The revelations of these deliveries that anybody tied to their author could hear of. */
export async function listTold(db: Db, deliveryIds: readonly string[]): Promise<string[]> {
  if (deliveryIds.length === 0) return []
  const { rows } = await sql<{ id: string }>`
    select id from revelations
    where id in (select revelation_id from deliveries where id = any(${deliveryIds}::uuid[]))
      and visibility <> 'private'
      and (exists (select from relationships where low_user_id = author_id)
        or exists (select from relationships where high_user_id = author_id))`.execute(db)
  return rows.map(({ id }) => id)
}

/** A revelation, as far as it says whom to tell of it. */
export interface Told {
  id: string
  authorId: string
  visibility: Visibility
  hiddenAt: Date | null
  revealAt: Date
  createdAt: Date
}

export async function findTold(db: Db, id: string): Promise<Told | undefined> {
  const row = await db
    .selectFrom('revelations')
    .select(['id', 'authorId', 'visibility', 'hiddenAt', 'revealAt', 'createdAt'])
    .where('id', '=', id)
    .executeTakeFirst()
  return row && { ...row, visibility: row.visibility as Visibility }
}

/** Waits until nobody else tells of this author, to the end of the transaction. */
export async function lockTellingOf(db: Db, authorId: string): Promise<void> {
  const name = `tell/${authorId}`
  await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(db)
}

export interface Listeners {
  template: string
  preference: 'newRevelations' | 'revelationRevealed'
  types: readonly RelationshipType[]
  /** Whoever became tied to the author later is told nothing. */
  tiedBefore: Date
  /** Whoever got such a mail about anything of this author since then is told nothing; null: whenever. */
  quietSince: Date | null
  /** Whoever it is addressed to has a mail of their own. */
  isAddresseeTold: boolean
}

/**
 * The next people to tell of a revelation, in the order of their ids, after one of them: tied to its author, with a
 * verified address, who want such mails and were not told already, nor asked to be reminded, which is told apart.
 */
export async function listListeners(
  db: Db,
  { id, authorId }: Told,
  listeners: Listeners,
  page: { after: string; limit: number },
): Promise<string[]> {
  const { template, preference, types, tiedBefore, quietSince, isAddresseeTold } = listeners
  const { rows } = await sql<{ id: string }>`
    select tie.id
    from (
      select high_user_id as id, type, created_at from relationships
        where low_user_id = ${authorId} and high_user_id > ${page.after}
      union all
      select low_user_id, type, created_at from relationships
        where high_user_id = ${authorId} and low_user_id > ${page.after}
    ) as tie
    join users on users.id = tie.id
    left join notification_preferences as wish on wish.user_id = tie.id
    where tie.type = any(${types}) and tie.created_at <= ${tiedBefore}
      and users.email_verified_at is not null
      and coalesce(wish.email_notifications, true)
      and coalesce(${sql.ref(`wish.${preference}`)}, true)
      and (${isAddresseeTold} or not exists (
        select from revelations where id = ${id} and email_key in (target_email_key, second_email_key)
      ))
      and not exists (
        select from reminders where revelation_id = ${id} and user_id = tie.id
      )
      and not exists (
        select from mails where recipient_id = tie.id and template in (${template}, 'reminder-instant')
          and (subject_id = ${id} or (sender_id = ${authorId} and mails.created_at > ${quietSince}))
      )
    order by tie.id
    limit ${page.limit}`.execute(db)
  return rows.map((row) => row.id)
}
