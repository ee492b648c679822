import { sql } from 'kysely'
import type { Db } from '#server/platform/database/db.ts'
import type { CountedMail, LinkClass, MailClass } from './mail-limits.rules.ts'

/** Nobody else counts the mails to this mailbox until the transaction ends. */
export async function lockMailbox(db: Db, mailboxHash: Buffer): Promise<void> {
  const name = `mails to ${mailboxHash.toString('hex')}`
  await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(db)
}

export async function listCounted(
  db: Db,
  { mailboxHash, mailClass, since }: { mailboxHash: Buffer; mailClass: MailClass; since: Date },
): Promise<(CountedMail & { id: string })[]> {
  return db
    .selectFrom('countedMails')
    .select(['id', 'senderHash', 'countedAt'])
    .where('mailboxHash', '=', mailboxHash)
    .where('class', '=', mailClass)
    .where('countedAt', '>', since)
    .orderBy('countedAt')
    .execute()
}

export async function countLinks(
  db: Db,
  mailboxHash: Buffer,
  since: Date,
): Promise<Record<LinkClass, number>> {
  const rows = await db
    .selectFrom('countedMails')
    .select('class')
    .where('mailboxHash', '=', mailboxHash)
    .where('class', 'in', ['links', 'resets'])
    .where('countedAt', '>', since)
    .execute()
  const resets = rows.filter((row) => row.class === 'resets').length
  return { links: rows.length - resets, resets }
}

/** One that goes to another address after all counts there. */
export async function insertCounted(
  db: Db,
  mail: {
    id: string
    mailboxHash: Buffer
    class: MailClass | LinkClass
    senderHash: Buffer | null
    countedAt: Date
  },
): Promise<void> {
  await db
    .insertInto('countedMails')
    .values(mail)
    .onConflict((conflict) =>
      conflict.column('id').doUpdateSet((set) => ({
        mailboxHash: set.ref('excluded.mailboxHash'),
        countedAt: set.ref('excluded.countedAt'),
      })),
    )
    .execute()
}

export async function deleteCountedBefore(db: Db, before: Date): Promise<void> {
  await db.deleteFrom('countedMails').where('countedAt', '<=', before).execute()
}

/** Whether others that waited long enough are about to leave for this mailbox. */
export async function isAnyReady(
  db: Db,
  { mailboxHash, mailClass, now }: { mailboxHash: Buffer; mailClass: MailClass; now: Date },
): Promise<boolean> {
  const row = await db
    .selectFrom('mails')
    .select('id')
    .where('mailboxHash', '=', mailboxHash)
    .where('heldClass', '=', mailClass)
    .where('heldUntil', '<=', now)
    .where('state', '=', 'queued')
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Whether whoever a mail leaves for proved an address of their own; what leaves for nobody needs no proof. */
export async function hasProvedAddress(db: Db, userId: string | null): Promise<boolean> {
  if (userId === null) return true
  const row = await db
    .selectFrom('users')
    .select('emailVerifiedAt')
    .where('id', '=', userId)
    .executeTakeFirst()
  return Boolean(row?.emailVerifiedAt)
}
