import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { z } from 'zod'
import { createStatement, type Db, PREPARED } from '#server/platform/database/db.ts'
import { defineJob, type Jobs } from '#server/platform/jobs/jobs.ts'

/** A queued mail: its subject, never its text nor its address. */
export interface QueuedMail {
  id: string
  template: string
  subjectId: string
  /** The account of the recipient, if there is one. */
  recipientId: string | null
  /** The account that causes the mail, when it is another one. */
  senderId: string | null
  /** Set once the mail was postponed. */
  addressHash: Buffer | null
  mailboxHash: Buffer | null
  mailClass: string | null
  createdAt: Date
  firstTriedAt: Date
}

/** The subject of a mail, the account that receives it and the account that causes it: it is deleted with either. */
export interface MailSubject {
  subjectId: string
  recipientId?: string
  senderId?: string
  /** The highest leave first; 0 by default. */
  priority?: number
}

/**
 * Sends every mail. The mail's row decides when to stop, not the queue: so many retries outlast any outage, and the wait
 * between them doubles up to an hour.
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

/** Queues one mail per subject in this transaction and returns the ids in the same order. */
export async function enqueueMails(
  tx: Queueing,
  template: string,
  subjects: readonly MailSubject[],
): Promise<string[]> {
  if (subjects.length === 0) return []
  const createdAt = tx.now()
  const mails = await tx.db
    .insertInto('mails')
    .values(
      subjects.map(({ subjectId, recipientId = null, senderId = null, priority = 0 }) => ({
        template,
        subjectId,
        recipientId,
        senderId,
        priority,
        state: 'queued',
        createdAt,
      })),
    )
    .returning(['id', 'priority'])
    .execute()
  await enqueueJobs(tx, mails)
  return mails.map(({ id }) => id)
}

/** Queues the jobs of mails or groups, in this order among those of one priority. */
export async function enqueueJobs(
  tx: Pick<Queueing, 'jobs'>,
  mails: readonly { id: string; priority: number }[],
): Promise<void> {
  for (const [priority, some] of Map.groupBy(mails, (mail) => mail.priority))
    await tx.jobs.enqueueAll(
      sendMail,
      some.map(({ id }) => ({ mailId: id })),
      { priority },
    )
}

/**
 * Locks the queued mail with this id, or the mails of this group, until the transaction ends: the death of a worker
 * releases them at once. The oldest first; `busy` when another worker sends them. Those that are postponed or wait for the turn of
 * their domain have another job later.
 */
export async function lockMails(db: Db, id: string, now: Date): Promise<QueuedMail[] | 'busy'> {
  const mails = await lockLeaving(db, { id })
  if (mails.length > 0)
    return mails.map((mail) => ({ ...mail, firstTriedAt: mail.firstTriedAt ?? now }))
  return (await selectLeaving(db, id).select('id').executeTakeFirst()) ? 'busy' : []
}

function selectLeaving(db: Db, id: string) {
  return db
    .selectFrom('mails')
    .where('state', '=', 'queued')
    .where('heldUntil', 'is', null)
    .where('domainHash', 'is', null)
    .where((where) => where.or([where('id', '=', id), where('groupId', '=', id)]))
}

const lockLeaving = createStatement((db, { id }: { id: string }) =>
  selectLeaving(db, id)
    .select(COLUMNS)
    .orderBy('createdAt')
    .forUpdate()
    .skipLocked()
    .modifyEnd(PREPARED),
)

const COLUMNS = [
  'id',
  'template',
  'subjectId',
  'recipientId',
  'senderId',
  'addressHash',
  'mailboxHash',
  'heldClass as mailClass',
  'createdAt',
  'firstTriedAt',
] as const

/** Postponed mails that leave as one: their address by keyed hashes, and the class that limits count. */
export interface PostponedGroup {
  addressHash: Buffer
  mailboxHash: Buffer
  mailClass: string
}

/** Postpones a mail until `until`, to send it together with others to the same address. */
export async function postponeMail(
  db: Db,
  id: string,
  { addressHash, mailboxHash, mailClass }: PostponedGroup,
  until: Date,
): Promise<void> {
  await db
    .updateTable('mails')
    .set({ addressHash, mailboxHash, heldClass: mailClass, heldUntil: until, groupId: null })
    .where('id', '=', id)
    .execute()
}

/** Groups of postponed mails that are due, the longest postponed first. */
export async function listPostponedGroups(db: Db, now: Date): Promise<PostponedGroup[]> {
  const rows = await db
    .selectFrom('mails')
    .select(['addressHash', 'mailboxHash', 'heldClass as mailClass'])
    .where('state', '=', 'queued')
    .where('heldUntil', '<=', now)
    .groupBy(['addressHash', 'mailboxHash', 'heldClass'])
    .orderBy((order) => order.fn.min('heldUntil'))
    .execute()
  return rows as PostponedGroup[]
}

/**
 * Locks the due mails of a group until the transaction ends. Senders alternate: many letters of one person do not delay
 * those of others.
 */
export async function lockPostponedMails(
  db: Db,
  { addressHash, mailClass }: PostponedGroup,
  { now, limit }: { now: Date; limit: number },
): Promise<QueuedMail[]> {
  const byTurns = sql<string>`(
    select id from (
      select id, created_at, row_number() over (
        partition by coalesce(sender_id, recipient_id) order by created_at, id
      ) as turn
      from mails
      where state = 'queued' and held_until <= ${now} and address_hash = ${addressHash}
        and held_class = ${mailClass}
    ) as ranked order by turn, created_at limit ${limit}
  )`
  const mails = await db
    .selectFrom('mails')
    .select(COLUMNS)
    .where('id', 'in', byTurns)
    .where('state', '=', 'queued')
    .where('heldUntil', '<=', now)
    .orderBy('createdAt')
    .forUpdate()
    .skipLocked()
    .execute()
  return mails.map((mail) => ({ ...mail, firstTriedAt: mail.firstTriedAt ?? now }))
}

/** Whether mails of a group are still queued, and have no other job. */
export async function isAnyQueued(db: Db, groupId: string): Promise<boolean> {
  const row = await db
    .selectFrom('mails')
    .select('id')
    .where('groupId', '=', groupId)
    .where('state', '=', 'queued')
    .where('heldUntil', 'is', null)
    .where('domainHash', 'is', null)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Whether a worker holds this mail, which exists, to send it. If none does, none begins to until the transaction ends. */
export async function isBeingSent(db: Db, id: string): Promise<boolean> {
  const free = await db
    .selectFrom('mails')
    .select('id')
    .where('id', '=', id)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst()
  return free === undefined
}

/** Whether a mail of this kind about this subject waits to leave. */
export async function isQueuedFor(db: Db, template: string, subjectId: string): Promise<boolean> {
  const row = await db
    .selectFrom('mails')
    .select('id')
    .where('subjectId', '=', subjectId)
    .where('template', '=', template)
    .where('state', '=', 'queued')
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Queues mails to leave as one. */
export async function enqueueGroup(tx: Queueing, mailIds: readonly string[]): Promise<void> {
  const groupId = randomUUID()
  await tx.db
    .updateTable('mails')
    .set({ groupId, heldUntil: null })
    .where('id', 'in', mailIds)
    .execute()
  await enqueueJobs(tx, [{ id: groupId, priority: 1 }])
}

export async function markMailSent(db: Db, mail: QueuedMail, sentAt: Date): Promise<void> {
  await updateSent(db, { id: mail.id, firstTriedAt: mail.firstTriedAt, sentAt })
}

const updateSent = createStatement(
  (db, { id, sentAt, firstTriedAt }: { id: string; sentAt: Date; firstTriedAt: Date }) =>
    db
      .updateTable('mails')
      .set({
        state: 'sent',
        sentAt,
        failure: null,
        lastError: null,
        ...countAttempt({ firstTriedAt }),
      })
      .where('id', '=', id)
      .modifyEnd(PREPARED),
)

/** Records a failed attempt; after the last one the mail is `failed` and never leaves. */
export async function recordMailFailure(
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
 * Queues at most `limit` failed mails again, as if they had never been tried, and returns their ids. Skips mails whose
 * address does not exist or accepts none.
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

function countAttempt({ firstTriedAt }: Pick<QueuedMail, 'firstTriedAt'>) {
  return { attempts: sql<number>`attempts + 1`, firstTriedAt }
}

/** Deletes a mail whose subject no longer exists. */
export async function deleteMail(db: Db, id: string): Promise<void> {
  await db.deleteFrom('mails').where('id', '=', id).execute()
}

/** Deletes at most `limit` mails that were done before `before` and belong to no delivery; returns how many. */
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
