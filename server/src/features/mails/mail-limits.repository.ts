import { sql } from 'kysely'
import type { Db } from '#server/platform/database/db.ts'
import type { CountedMail, LinkClass, MailClass, RecipientUse } from './mails.rules.ts'

/** Locks the counting of mails to a mailbox until the transaction ends. */
export async function lockMailbox(db: Db, mailboxHash: Buffer): Promise<void> {
  const name = `mails to ${mailboxHash.toString('hex')}`
  await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(db)
}

export async function listCountedMails(
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

/** Counts a mail; one that goes to another address after all counts there. */
export async function upsertCountedMail(
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

export async function deleteMailsCountedBefore(db: Db, before: Date): Promise<void> {
  await db.deleteFrom('countedMails').where('countedAt', '<=', before).execute()
}

/** Whether postponed mails are about to leave for this mailbox. */
export async function isAnyPostponedDue(
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

/** Whether the sender of a mail verified their own address; true for a mail of no account. */
export async function isSenderVerified(db: Db, userId: string | null): Promise<boolean> {
  if (userId === null) return true
  const row = await db
    .selectFrom('users')
    .select('emailVerifiedAt')
    .where('id', '=', userId)
    .executeTakeFirst()
  return Boolean(row?.emailVerifiedAt)
}

/** Locks an account until the transaction ends: its recipients are counted by one transaction at a time. */
export async function lockWriter(
  db: Db,
  userId: string,
): Promise<{ emailKey: string; emailVerifiedAt: Date | null } | undefined> {
  return db
    .selectFrom('users')
    .select(['emailKey', 'emailVerifiedAt'])
    .where('id', '=', userId)
    .forNoKeyUpdate()
    .executeTakeFirst()
}

export async function listRecipientUses(
  db: Db,
  userId: string,
  since: Date,
): Promise<RecipientUse[]> {
  return db
    .selectFrom('addresseeUses')
    .select(['addressHash', 'usedAt'])
    .where('userId', '=', userId)
    .where('usedAt', '>', since)
    .execute()
}

/** A recipient who is written to again counts from now on. */
export async function upsertRecipientUses(
  db: Db,
  userId: string,
  uses: readonly RecipientUse[],
): Promise<void> {
  await db
    .insertInto('addresseeUses')
    .values(uses.map((use) => ({ ...use, userId })))
    .onConflict((conflict) =>
      conflict
        .columns(['userId', 'addressHash'])
        .doUpdateSet((set) => ({ usedAt: set.ref('excluded.usedAt') })),
    )
    .execute()
}

export async function deleteRecipientUsesBefore(db: Db, before: Date): Promise<void> {
  await db.deleteFrom('addresseeUses').where('usedAt', '<=', before).execute()
}
