import { sql } from 'kysely'
import type { Db } from '#server/platform/database/db.ts'
import { HAS_REPLIED } from './journal.repository.ts'

/** It left, and nothing says to its author that it was read: an opening that was kept quiet is not asked. */
const IS_SILENT = sql<boolean>`(
  deliveries.state = 'sent' and deliveries.opened_at is null and deliveries.revoked_at is null
  and revelations.hidden_at is null and not ${HAS_REPLIED}
)`

/** Its reader broke the seal, told or not: by either link, or by the account that this address is proved to be of. */
const IS_OPENED = sql<boolean>`(
  deliveries.seal_broken_at is not null
  or exists (
    select from handed_links
    where handed_links.delivery_id = deliveries.id and handed_links.seal_broken_at is not null
  )
  or exists (
    select from openings join users on users.id = openings.user_id
    where openings.revelation_id = revelations.id and users.email_key = deliveries.address_key
      and users.email_verified_at is not null
  )
)`

/** The account of this address wants to have nothing to do with the author. */
const IS_BLOCKED = sql<boolean>`exists (
  select from blocks join users on users.id = blocks.blocker_id
  where blocks.blocked_id = revelations.author_id and users.email_key = deliveries.address_key
    and users.email_verified_at is not null
)`

/** The instants between which a delivery left whose follow-up of this number is due. */
interface DueFollowUps {
  number: 1 | 2
  since: Date
  until: Date
}

export interface FollowUp {
  deliveryId: string
  /** Whether its addressee is to be reminded: not of what they opened, told or not. */
  isMailed: boolean
}

/**
 * Begins the due follow-ups of this number, those that left first before the others; what another worker locked is left to it.
 * One after a later one is none.
 */
export async function insertFollowUps(
  db: Db,
  { number, since, until }: DueFollowUps,
  at: Date,
  limit: number,
): Promise<FollowUp[]> {
  const { rows } = await sql<FollowUp>`
    with due as materialized (
      select deliveries.id, not ${IS_OPENED} and not ${IS_BLOCKED} as is_mailed
      from deliveries join revelations on revelations.id = deliveries.revelation_id
      where ${IS_SILENT} and sent_at > ${since} and sent_at <= ${until}
        and not exists (
          select from follow_ups
          where follow_ups.delivery_id = deliveries.id and follow_ups.number >= ${number}
        )
      order by sent_at limit ${limit}
      for update of deliveries skip locked
    ), begun as (
      insert into follow_ups (delivery_id, number, at) select id, ${number}, ${at} from due
      on conflict do nothing returning delivery_id
    )
    select due.id as delivery_id, is_mailed from due join begun on begun.delivery_id = due.id`.execute(
    db,
  )
  return rows
}

/** The mails that carry follow-ups, by their deliveries. */
export async function setFollowUpMails(
  db: Db,
  number: 1 | 2,
  mailIds: ReadonlyMap<string, string>,
): Promise<void> {
  await sql`
    update follow_ups set mail_id = pair.mail_id
    from unnest(${[...mailIds.keys()]}::uuid[], ${[...mailIds.values()]}::uuid[])
      as pair (delivery_id, mail_id)
    where follow_ups.delivery_id = pair.delivery_id and follow_ups.number = ${number}
  `.execute(db)
}

/** The follow-up that a mail carries, and whether it still has a reason. */
export interface MailedFollowUp {
  deliveryId: string
  number: 1 | 2
  isWanted: boolean
  isHidden: boolean
}

export async function findMailedFollowUp(
  db: Db,
  mailId: string,
): Promise<MailedFollowUp | undefined> {
  const { rows } = await sql<MailedFollowUp>`
    select follow_ups.delivery_id, follow_ups.number,
      ${IS_SILENT} and not ${IS_OPENED} and not ${IS_BLOCKED} as is_wanted,
      revelations.hidden_at is not null as is_hidden
    from follow_ups join deliveries on deliveries.id = follow_ups.delivery_id
    join revelations on revelations.id = deliveries.revelation_id
    where follow_ups.mail_id = ${mailId}`.execute(db)
  return rows[0]
}

/** It is begun again, if it is still time, once what held it back is over. */
export async function deleteFollowUp(
  db: Db,
  { deliveryId, number }: Pick<MailedFollowUp, 'deliveryId' | 'number'>,
): Promise<void> {
  await db
    .deleteFrom('followUps')
    .where('deliveryId', '=', deliveryId)
    .where('number', '=', number)
    .execute()
}

/**
 * Locks the follow-ups of this span of which no author was told, and marks them as told; returns the letters whose authors
 * are to be told, once each. A letter to oneself tells its author nothing.
 */
export async function setAuthorNotified(
  db: Db,
  { since, until }: { since: Date; until: Date },
  notifiedAt: Date,
  limit: number,
): Promise<{ count: number; letters: { revelationId: string; authorId: string }[] }> {
  const { rows } = await sql<{ revelationId: string; authorId: string }>`
    with due as (
      select follow_ups.delivery_id, follow_ups.number, revelations.id as revelation_id, revelations.author_id,
        deliveries.address_key = users.email_key as is_own
      from follow_ups join deliveries on deliveries.id = follow_ups.delivery_id
      join revelations on revelations.id = deliveries.revelation_id
      join users on users.id = revelations.author_id
      where follow_ups.author_notified_at is null and follow_ups.at > ${since} and follow_ups.at <= ${until}
        and ${IS_SILENT}
      order by follow_ups.at limit ${limit}
      for update of follow_ups skip locked
    )
    update follow_ups set author_notified_at = ${notifiedAt} from due
    where follow_ups.delivery_id = due.delivery_id and follow_ups.number = due.number
    returning case when not is_own then due.revelation_id end as revelation_id, due.author_id`.execute(
    db,
  )
  const letters = new Map(
    rows.flatMap(({ revelationId, authorId }) => (revelationId ? [[revelationId, authorId]] : [])),
  )
  return {
    count: rows.length,
    letters: [...letters].map(([revelationId, authorId]) => ({ revelationId, authorId })),
  }
}

/** A delivery of which nothing is known since it left. */
export interface SilentDelivery {
  address: string
  name: string | null
  sentAt: Date
}

/** Those of a letter whose author was told so; its own address is none. */
export async function listSilentDeliveries(
  db: Db,
  revelationId: string,
): Promise<SilentDelivery[]> {
  const { rows } = await sql<SilentDelivery>`
    select deliveries.address, deliveries.name, sent_at
    from deliveries join revelations on revelations.id = deliveries.revelation_id
    join users on users.id = revelations.author_id
    where revelations.id = ${revelationId} and ${IS_SILENT} and deliveries.address_key <> users.email_key
      and exists (
        select from follow_ups where follow_ups.delivery_id = deliveries.id and author_notified_at is not null
      )
    order by deliveries.position`.execute(db)
  return rows
}
