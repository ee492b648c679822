import { sql } from 'kysely'
import type { Db } from '#server/platform/database/db.ts'

/** A letter that would never reach its recipient. */
export interface PendingLetter {
  id: string
  title: string
  targetEmail: string
  targetName: string | null
  revealAt: Date
}

export async function countRevelations(db: Db, userId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from revelations where author_id = ${userId}`.execute(db)
  return rows[0]?.count ?? 0
}

/** The person’s voice messages, and the sealed ones among them. */
export async function countSounds(
  db: Db,
  userId: string,
  now: Date,
): Promise<{ all: number; sealed: number }> {
  const { rows } = await sql<{ all: number; sealed: number }>`
    select count(*)::integer as all, (count(*) filter (where reveal_at > ${now}))::integer as sealed
    from sounds where author_id = ${userId}`.execute(db)
  return rows[0] ?? { all: 0, sealed: 0 }
}

/** The sealed letters to other people than their author, the soonest first: their count, and some of them. */
export async function listPendingLetters(
  db: Db,
  { userId, now, limit }: { userId: string; now: Date; limit: number },
): Promise<{ count: number; letters: PendingLetter[] }> {
  const { rows } = await sql<PendingLetter & { count: number }>`
    select id, title, reveal_at, count(*) over ()::integer as count, address as target_email,
      name as target_name
    from revelations cross join lateral (
      select address, name from deliveries
      where revelation_id = revelations.id
        and address_key <> (select email_key from users where id = ${userId})
      order by position limit 1
    ) as delivery
    where author_id = ${userId} and reveal_at > ${now}
    order by reveal_at, id
    limit ${limit}`.execute(db)
  return { count: rows[0]?.count ?? 0, letters: rows }
}

/** Sent mails that may name somebody who wrote under these revelations; queued ones are composed without them. */
export async function listActivityMails(
  db: Db,
  revelationIds: readonly string[],
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from mails
    where recipient_id in (select author_id from revelations where id = any(${revelationIds}::uuid[]))
      and template = 'activity' and state <> 'queued'`.execute(db)
  return rows.map(({ id }) => id)
}

/** A revelation that is deleted, or that loses contributions of this person. */
export interface Touched {
  id: string
  authorId: string
}

/** The mails to and from this person, and about their letters; `lock` locks them against being sent. */
export async function listMails(
  db: Db,
  userId: string,
  { lock }: { lock: boolean },
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    with own as (select id from revelations where author_id = ${userId})
    select id from mails
    where recipient_id = ${userId} or sender_id = ${userId}
      or subject_id in (select id from own)
      or subject_id in (select deliveries.id from deliveries join own on own.id = revelation_id)
    order by id ${lock ? sql`for update` : sql``}`.execute(db)
  return rows.map(({ id }) => id)
}

/** The person’s revelations, and those with a comment, a reaction or a vote of theirs; `lock` locks them. */
export async function listTouched(
  db: Db,
  userId: string,
  { lock }: { lock: boolean },
): Promise<Touched[]> {
  const { rows } = await sql<Touched>`
    select id, author_id from revelations
    where author_id = ${userId}
      or id in (select revelation_id from comments where author_id = ${userId})
      or id in (select revelation_id from reactions where author_id = ${userId})
      or id in (select revelation_id from prediction_votes where voter_id = ${userId})
    order by id ${lock ? sql`for update` : sql``}`.execute(db)
  return rows
}

/** Locks the deliveries of this person against the worker that queues due ones. */
export async function lockDeliveries(db: Db, userId: string): Promise<void> {
  await sql`
    select from deliveries where revelation_id in (select id from revelations where author_id = ${userId})
    order by id for update`.execute(db)
}

/** Waits longer for locks: the row of a mail is locked until the mail server answers, two minutes at most. */
export async function extendStatementTimeout(db: Db): Promise<void> {
  await sql`set local statement_timeout = '150s'`.execute(db)
}

/** Locks the account against everything that is written in its name. */
export async function lockAccount(db: Db, userId: string): Promise<void> {
  await sql`select from users where id = ${userId} for update`.execute(db)
}

/** The files that go with this person: their own, and the voices of replies that they wrote or received. */
function ownMedia(userId: string) {
  return sql`(
    select id from media where owner_id = ${userId}
    union select media_id from replies where media_id is not null and (
      writer_id = ${userId} or revelation_id in (select id from revelations where author_id = ${userId})
    )
  )`
}

/** The storage keys of this person’s bytes, locked against new ones. */
export async function lockStorageKeys(db: Db, userId: string): Promise<string[]> {
  await sql`select from media where id in ${ownMedia(userId)} order by id for update`.execute(db)
  await sql`select from uploads where owner_id = ${userId} order by id for update`.execute(db)
  const { rows } = await sql<{ storageKey: string }>`
    select storage_key from media_objects where media_id in ${ownMedia(userId)}
    union all select storage_key from upload_pieces join uploads on uploads.id = upload_id where owner_id = ${userId}
    union all select storage_key from avatars where user_id = ${userId}`.execute(db)
  return rows.map(({ storageKey }) => storageKey)
}

/** Deletes the person’s comments, reactions and votes and counts them out; hidden comments were not counted. */
export async function deleteContributions(db: Db, userId: string): Promise<void> {
  await sql`
    with removed as (
      delete from comments where author_id = ${userId} returning revelation_id, hidden_at
    ), number as (
      select revelation_id, count(*)::integer as of_them from removed
      where hidden_at is null group by revelation_id
    )
    update revelations set comments_count = comments_count - number.of_them
    from number where revelations.id = number.revelation_id`.execute(db)
  await sql`
    with removed as (
      delete from reactions where author_id = ${userId} returning revelation_id
    ), number as (
      select revelation_id, count(*)::integer as of_them from removed group by revelation_id
    )
    update revelations set reactions_count = reactions_count - number.of_them
    from number where revelations.id = number.revelation_id`.execute(db)
  await sql`
    with removed as (
      delete from prediction_votes where voter_id = ${userId} returning revelation_id, outcome
    )
    update revelations set
      votes_fulfilled = votes_fulfilled - (removed.outcome = 'fulfilled')::integer,
      votes_partly = votes_partly - (removed.outcome = 'partly')::integer,
      votes_failed = votes_failed - (removed.outcome = 'failed')::integer,
      votes_undecidable = votes_undecidable - (removed.outcome = 'undecidable')::integer
    from removed where revelations.id = removed.revelation_id`.execute(db)
}

/** Deletes the replies that the person wrote or received, with their voices, whoever sent those. */
export async function deleteReplies(db: Db, userId: string): Promise<void> {
  const { rows } = await sql<{ mediaId: string | null }>`
    delete from replies where writer_id = ${userId}
      or revelation_id in (select id from revelations where author_id = ${userId})
    returning media_id`.execute(db)
  const mediaIds = rows.flatMap(({ mediaId }) => mediaId ?? [])
  await sql`delete from media where id = any(${mediaIds}::uuid[])`.execute(db)
}

/** A revelation that was deleted, as the seal of its deletion repeats it. */
export interface Withdrawn {
  id: string
  version: number
  commitment: Buffer
}

/** Deletes some revelations of the person, keys and letters. */
export async function deleteRevelations(
  db: Db,
  userId: string,
  limit: number,
): Promise<Withdrawn[]> {
  const { rows } = await sql<Withdrawn>`
    delete from revelations where id in (
      select id from revelations where author_id = ${userId} order by id limit ${limit}
    ) returning id, version, commitment`.execute(db)
  return rows
}

/** Locks the person’s voice messages against listeners, favourites and mails. */
export async function lockSounds(db: Db, userId: string): Promise<void> {
  await sql`select from sounds where author_id = ${userId} order by id for update`.execute(db)
}

/** Deletes the person’s voice messages, keys and all; one that was for them stays with its author. */
export async function deleteSounds(db: Db, userId: string): Promise<void> {
  await sql`delete from sounds where author_id = ${userId}`.execute(db)
}

/** Deletes the account with all that refers to it, by id or by address. */
export async function deleteAccount(
  db: Db,
  { id, emailKey }: { id: string; emailKey: string },
  mailIds: readonly string[],
): Promise<void> {
  await sql`delete from mails where id = any(${mailIds}::uuid[])`.execute(db)
  await sql`delete from revelation_views where viewer = ${`user:${id}`}`.execute(db)
  await sql`delete from password_requests where email_key = ${emailKey}`.execute(db)
  await sql`
    update reports set reporter_email = null, reporter_email_key = null
    where reporter_email_key = ${emailKey}`.execute(db)
  await sql`delete from users where id = ${id}`.execute(db)
}
