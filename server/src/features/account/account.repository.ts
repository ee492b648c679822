import { sql } from 'kysely'
import type { Db } from '#server/platform/database/db.ts'

/** A letter that would never reach somebody else. */
export interface PendingLetter {
  id: string
  title: string
  targetEmail: string
  revealAt: Date
}

export async function countRevelations(db: Db, userId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from revelations where author_id = ${userId}`.execute(db)
  return rows[0]?.count ?? 0
}

/** The person’s own voices, and those of them that still wait for somebody. */
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

/** Letters that wait for somebody else than their author, the soonest first; how many there are, and some of them. */
export async function listPendingLetters(
  db: Db,
  { userId, now, limit }: { userId: string; now: Date; limit: number },
): Promise<{ count: number; letters: PendingLetter[] }> {
  const { rows } = await sql<PendingLetter & { count: number }>`
    select id, title, reveal_at, count(*) over ()::integer as count,
      case when target_email_key <> own.email_key then target_email else second_email end as target_email
    from revelations, (select email_key from users where id = ${userId}) as own
    where author_id = ${userId} and reveal_at > ${now}
      and (target_email_key <> own.email_key or second_email_key <> own.email_key)
    order by reveal_at, id
    limit ${limit}`.execute(db)
  return { count: rows[0]?.count ?? 0, letters: rows }
}

/** Mails that left and may have named somebody who talked under these revelations; what waits is composed without them. */
export async function listMailsOfTalk(db: Db, revelationIds: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from mails
    where subject_id = any(${revelationIds}::uuid[]) and template = 'activity' and state <> 'queued'`.execute(
    db,
  )
  return rows.map(({ id }) => id)
}

/** A revelation that goes, or that loses words of this person. */
export interface Touched {
  id: string
  authorId: string
}

/** Mails to and from this person, and about what they sealed, held with `lock` against whoever sends them. */
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

/** The person’s own revelations and those they left a word, an emoji or a vote under, held with `lock`. */
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

/** The worker that queues what is due leaves these alone. */
export async function lockDeliveries(db: Db, userId: string): Promise<void> {
  await sql`
    select from deliveries where revelation_id in (select id from revelations where author_id = ${userId})
    order by id for update`.execute(db)
}

/** A mail that is being sent holds its row until the server answered, two minutes at most. */
export async function allowForMails(db: Db): Promise<void> {
  await sql`set local statement_timeout = '150s'`.execute(db)
}

/** Waits for whoever writes in this person’s name, and lets nobody begin to. */
export async function lockAccount(db: Db, userId: string): Promise<void> {
  await sql`select from users where id = ${userId} for update`.execute(db)
}

/** Where bytes of this person are stored; nobody adds any to the end of the transaction. */
export async function lockStorageKeys(db: Db, userId: string): Promise<string[]> {
  await sql`select from media where owner_id = ${userId} order by id for update`.execute(db)
  await sql`select from uploads where owner_id = ${userId} order by id for update`.execute(db)
  const { rows } = await sql<{ storageKey: string }>`
    select storage_key from media_objects join media on media.id = media_id where owner_id = ${userId}
    union all select storage_key from upload_pieces join uploads on uploads.id = upload_id where owner_id = ${userId}
    union all select storage_key from avatars where user_id = ${userId}`.execute(db)
  return rows.map(({ storageKey }) => storageKey)
}

/** Takes back what the person left under what others sealed, and counts it out; hidden comments are not counted. */
export async function deleteWords(db: Db, userId: string): Promise<void> {
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

/** Withdraws every revelation of the person: keys and letters go, and a line says that it was withdrawn. */
export async function withdrawRevelations(db: Db, userId: string, now: Date): Promise<void> {
  await sql`
    with withdrawn as (
      delete from revelations where author_id = ${userId} returning id, version, commitment
    )
    insert into seals (revelation_id, version, kind, commitment, sealed_at)
    select id, version, 'delete', commitment, ${now} from withdrawn order by id`.execute(db)
}

/** The person’s own sounds, held with whoever listens, keeps or is told of one. */
export async function lockSounds(db: Db, userId: string): Promise<void> {
  await sql`select from sounds where author_id = ${userId} order by id for update`.execute(db)
}

/** Deletes the person’s own sounds, keys and all; one that was for them stays with its author. */
export async function deleteSounds(db: Db, userId: string): Promise<void> {
  await sql`delete from sounds where author_id = ${userId}`.execute(db)
}

/** Deletes the account, with all that refers to it, and what knows it by another name. */
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
