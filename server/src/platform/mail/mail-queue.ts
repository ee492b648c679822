import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { z } from 'zod'
import type { Db } from '#server/platform/database/db.ts'
import { defineJob, type Jobs } from '#server/platform/jobs/jobs.ts'

/** A queued mail: what it is about, never what it says nor where it goes. */
export interface QueuedMail {
  id: string
  template: string
  subjectId: string
  /** The account it goes to, if it is one of ours. */
  recipientId: string | null
  /** The account on which it leaves, when that is another one. */
  senderId: string | null
  /** Once it had to wait. */
  addressHash: Buffer | null
  mailboxHash: Buffer | null
  heldClass: string | null
  createdAt: Date
  firstTriedAt: Date
}

/** What a mail is about, whose account it goes to and on whose account it leaves: it goes with either account. */
export interface MailSubject {
  subjectId: string
  recipientId?: string
  senderId?: string
}

/**
 * All mail leaves through this job. When to stop trying is written with the mail, not in the queue: so many
 * tries outlast any outage, and the wait between them doubles up to an hour.
 */
export const sendMail = defineJob('send-mail', z.object({ mailId: z.uuid() }), {
  concurrency: 5,
  expireInSeconds: 300,
  retryLimit: 10_000,
  retryDelaySeconds: 5,
})

interface Queueing {
  db: Db
  jobs: Jobs
  now(): Date
}

/** Queues one mail per subject, in this transaction; their ids come in the same order. What is urgent leaves first. */
export async function queueMails(
  tx: Queueing,
  template: string,
  subjects: readonly MailSubject[],
  { isUrgent = false } = {},
): Promise<string[]> {
  if (subjects.length === 0) return []
  const mails = subjects.map(({ subjectId, recipientId = null, senderId = null }) => ({
    id: randomUUID(),
    template,
    subjectId,
    recipientId,
    senderId,
    state: 'queued',
    createdAt: tx.now(),
  }))
  await tx.db.insertInto('mails').values(mails).execute()
  await tx.jobs.enqueueAll(
    sendMail,
    mails.map(({ id }) => ({ mailId: id })),
    { priority: isUrgent ? 1 : 0 },
  )
  return mails.map(({ id }) => id)
}

/**
 * The mail, or the mails of the group, that still have to leave, the oldest first, kept from every other worker until the
 * transaction ends: whoever dies while sending lets go of them at once. `busy` when another one is sending them.
 */
export async function takeMails(db: Db, id: string, now: Date): Promise<QueuedMail[] | 'busy'> {
  const waiting = db
    .selectFrom('mails')
    .where('state', '=', 'queued')
    .where('heldUntil', 'is', null)
    .where((where) => where.or([where('id', '=', id), where('groupId', '=', id)]))
  const mails = await waiting
    .select(COLUMNS)
    .orderBy('createdAt')
    .forUpdate()
    .skipLocked()
    .execute()
  if (mails.length > 0)
    return mails.map((mail) => ({ ...mail, firstTriedAt: mail.firstTriedAt ?? now }))
  return (await waiting.select('id').executeTakeFirst()) ? 'busy' : []
}

const COLUMNS = [
  'id',
  'template',
  'subjectId',
  'recipientId',
  'senderId',
  'addressHash',
  'mailboxHash',
  'heldClass',
  'createdAt',
  'firstTriedAt',
] as const

/** Where a mail that waits goes, by keyed hashes, and what it is counted with. */
export interface Held {
  addressHash: Buffer
  mailboxHash: Buffer
  heldClass: string
}

/** Keeps a mail until then, for others to the same address. */
export async function holdMail(
  db: Db,
  id: string,
  held: Held & { heldUntil: Date },
): Promise<void> {
  await db
    .updateTable('mails')
    .set({ ...held, groupId: null })
    .where('id', '=', id)
    .execute()
}

/** For whom mails have waited long enough; whoever waited longest first. */
export async function listHeld(db: Db, now: Date): Promise<Held[]> {
  const rows = await db
    .selectFrom('mails')
    .select(['addressHash', 'mailboxHash', 'heldClass'])
    .where('state', '=', 'queued')
    .where('heldUntil', '<=', now)
    .groupBy(['addressHash', 'mailboxHash', 'heldClass'])
    .orderBy((order) => order.fn.min('heldUntil'))
    .execute()
  return rows as Held[]
}

/**
 * Mails that waited long enough, each in the hands of this transaction alone. Whoever wrote takes turns: many letters of one
 * person keep nobody else’s waiting.
 */
export async function takeHeldMails(
  db: Db,
  { addressHash, heldClass }: Held,
  { now, limit }: { now: Date; limit: number },
): Promise<QueuedMail[]> {
  const inTurns = sql<string>`(
    select id from (
      select id, created_at, row_number() over (
        partition by coalesce(sender_id, recipient_id) order by created_at, id
      ) as turn
      from mails
      where state = 'queued' and held_until <= ${now} and address_hash = ${addressHash}
        and held_class = ${heldClass}
    ) as ranked order by turn, created_at limit ${limit}
  )`
  const mails = await db
    .selectFrom('mails')
    .select(COLUMNS)
    .where('id', 'in', inTurns)
    .where('state', '=', 'queued')
    .where('heldUntil', '<=', now)
    .orderBy('createdAt')
    .forUpdate()
    .skipLocked()
    .execute()
  return mails.map((mail) => ({ ...mail, firstTriedAt: mail.firstTriedAt ?? now }))
}

/** Whether mails of a group are still to leave. */
export async function isAnyLeft(db: Db, groupId: string): Promise<boolean> {
  const row = await db
    .selectFrom('mails')
    .select('id')
    .where('groupId', '=', groupId)
    .where('state', '=', 'queued')
    .where('heldUntil', 'is', null)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Queues mails that leave as one. */
export async function queueGroup(tx: Queueing, mailIds: readonly string[]): Promise<void> {
  const groupId = randomUUID()
  await tx.db
    .updateTable('mails')
    .set({ groupId, heldUntil: null })
    .where('id', 'in', mailIds)
    .execute()
  await tx.jobs.enqueueAll(sendMail, [{ mailId: groupId }], { priority: 1 })
}

export async function markMailSent(db: Db, mail: QueuedMail, sentAt: Date): Promise<void> {
  await db
    .updateTable('mails')
    .set({ state: 'sent', sentAt, failure: null, lastError: null, ...countAttempt(mail) })
    .where('id', '=', mail.id)
    .execute()
}

/** Notes an attempt that failed; after the last one the mail is `failed` and never leaves. */
export async function noteMailFailure(
  db: Db,
  mail: QueuedMail,
  { isLast, failure, error }: { isLast: boolean; failure: string; error: string },
): Promise<void> {
  await db
    .updateTable('mails')
    .set({
      state: isLast ? 'failed' : 'queued',
      failure,
      lastError: error,
      ...countAttempt(mail),
    })
    .where('id', '=', mail.id)
    .execute()
}

/**
 * Queues again, as if they had never been tried, at most so many of the mails that did not leave; not those whose address
 * does not exist or wants none. Their ids.
 */
export async function requeueFailedMails(
  { db, jobs }: Pick<Queueing, 'db' | 'jobs'>,
  limit: number,
): Promise<string[]> {
  const mails = await db
    .updateTable('mails')
    .set({ state: 'queued', failure: null, lastError: null, firstTriedAt: null })
    .where('id', 'in', (select) =>
      select
        .selectFrom('mails')
        .select('id')
        .where('state', '=', 'failed')
        .where('failure', 'not in', ['bad_address', 'suppressed'])
        .orderBy('createdAt')
        .limit(limit)
        .forUpdate()
        .skipLocked(),
    )
    .returning('id')
    .execute()
  await jobs.enqueueAll(
    sendMail,
    mails.map(({ id }) => ({ mailId: id })),
  )
  return mails.map(({ id }) => id)
}

function countAttempt({ firstTriedAt }: QueuedMail) {
  return { attempts: sql<number>`attempts + 1`, firstTriedAt }
}

/** For a mail whose subject is gone: it is forgotten without a word. */
export async function dropMail(db: Db, id: string): Promise<void> {
  await db.deleteFrom('mails').where('id', '=', id).execute()
}

/** Forgets the oldest of the mails that are done since before then and carry no delivery; how many. */
export async function deleteDoneMails(db: Db, before: Date, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from mails where id in (
      select id from mails
      where state <> 'queued' and coalesce(sent_at, first_tried_at, created_at) < ${before}
        and not exists (select from deliveries where mail_id = mails.id)
      order by coalesce(sent_at, first_tried_at, created_at)
      limit ${limit}
    )`.execute(db)
  return Number(numAffectedRows ?? 0)
}
