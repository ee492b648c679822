import { createHmac } from 'node:crypto'
import { type AppContext, inTransaction } from '#server/context.ts'
import { AppError } from '#server/errors.ts'
import { emailKeyOf } from '#server/platform/mail/email-address.ts'
import type { QueuedMail } from '#server/platform/mail/mail-queue.ts'
import {
  countLinks,
  deleteMailsCountedBefore,
  deleteRecipientUsesBefore,
  isAnyPostponedDue,
  isSenderVerified,
  listCountedMails,
  listRecipientUses,
  lockMailbox,
  lockWriter,
  upsertCountedMail,
  upsertRecipientUses,
} from './mail-limits.repository.ts'
import { hashOfAddress } from './mail-preferences.service.ts'
import {
  canMailLink,
  type LinkClass,
  type MailClass,
  mailboxKeyOf,
  type Postponement,
  postponementOf,
  startOfWindow,
  waitForRecipients,
} from './mails.rules.ts'

type Sent = Pick<QueuedMail, 'id' | 'senderId' | 'recipientId'>

/**
 * Counts mails that are to leave as one for a mailbox, and returns the postponements of those that may not. A new mail
 * (`isNew`) leaves with postponed ones that are due, never before them; one that was counted before is a retry and leaves. The
 * counting has a transaction of its own: others that write to the mailbox wait for it, not for the sending.
 */
export async function consumeMailQuota(
  ctx: AppContext,
  mails: readonly Sent[],
  to: { mailboxHash: Buffer; mailClass: MailClass; isNew: boolean },
): Promise<Map<string, Postponement>> {
  const postponed = new Map<string, Postponement>()
  if (!ctx.config.http.rateLimits) return postponed
  await inTransaction(ctx, async (tx) => {
    const { mailboxHash, mailClass, isNew } = to
    await lockMailbox(tx.db, mailboxHash)
    const now = tx.now()
    const since = startOfWindow(now)
    const counted = await listCountedMails(tx.db, { mailboxHash, mailClass, since })
    for (const mail of mails) {
      if (counted.some(({ id }) => id === mail.id)) continue
      const senderId = senderOf(mail)
      const isVerified = await isSenderVerified(tx.db, senderId)
      const senderHash = senderId === null ? null : hashOfAccount(tx, senderId)
      const isBehind = isNew && (await isAnyPostponedDue(tx.db, { mailboxHash, mailClass, now }))
      const postponement =
        postponementOf(counted, { senderHash, isVerified, now }) ??
        (isBehind ? ({ until: now, reason: 'address' } as const) : undefined)
      if (postponement) postponed.set(mail.id, postponement)
      else
        await upsertCountedMail(tx.db, {
          id: mail.id,
          mailboxHash,
          class: mailClass,
          senderHash,
          countedAt: now,
        })
    }
  })
  return postponed
}

/** The keyed hash of the mailbox behind an address, whatever the spelling. */
function hashOfMailbox(ctx: AppContext, address: string): Buffer {
  return hashOfAddress(ctx, mailboxKeyOf(emailKeyOf(address)))
}

/** By which the mails to an address wait together, and are counted. */
export function mailHashesOf(ctx: AppContext, address: string) {
  return { addressHash: hashOfAddress(ctx, address), mailboxHash: hashOfMailbox(ctx, address) }
}

/** A mail that no other account causes is counted for the one that receives it. */
function senderOf({ senderId, recipientId }: Sent): string | null {
  return senderId ?? recipientId
}

/** A deleted account still counts for a day, and the hash does not identify it. */
function hashOfAccount(ctx: AppContext, userId: string): Buffer {
  return createHmac('sha256', ctx.keyring.secretFor('addresses')).update(`user:${userId}`).digest()
}

/**
 * Counts a link that is mailed to an address; false when none may be mailed there today. Runs in the transaction that
 * creates the link.
 */
export async function consumeLinkQuota(
  tx: AppContext,
  link: { id: string; userId: string; email: string },
  linkClass: LinkClass,
): Promise<boolean> {
  const mailboxHash = hashOfMailbox(tx, link.email)
  await lockMailbox(tx.db, mailboxHash)
  const countedAt = tx.now()
  const counts = await countLinks(tx.db, mailboxHash, startOfWindow(countedAt))
  if (!canMailLink(counts, linkClass)) return false
  const senderHash = hashOfAccount(tx, link.userId)
  await upsertCountedMail(tx.db, {
    id: link.id,
    mailboxHash,
    class: linkClass,
    senderHash,
    countedAt,
  })
  return true
}

/** Deletes counts of mails and links that no longer matter. */
export async function deleteOldMailCounts(ctx: AppContext): Promise<void> {
  await deleteMailsCountedBefore(ctx.db, startOfWindow(ctx.now()))
}

/** The account that writes to others. */
interface Writer {
  userId: string
}

/**
 * Counts the recipients that an account writes to, or throws `too_many_addressees` (behaviour.md 5.3: 20 a day, 3 before its
 * own address is verified). Its own address is free. Runs in the transaction that stores the addresses: the account stays
 * locked until it ends, so that two at once count each other.
 */
export async function consumeRecipientQuota(
  tx: AppContext,
  writer: Writer,
  addresses: readonly string[],
): Promise<void> {
  if (!tx.config.http.rateLimits) return
  const { hashes, isVerified } = await lockForeign(tx, writer, addresses)
  if (hashes.length === 0) return
  const now = tx.now()
  const uses = await listRecipientUses(tx.db, writer.userId, startOfWindow(now))
  const waitMs = waitForRecipients(hashes, uses, { isVerified, now })
  if (waitMs > 0) throw tooManyRecipients(waitMs, isVerified)
  await upsertRecipientUses(
    tx.db,
    writer.userId,
    hashes.map((addressHash) => ({ addressHash, usedAt: now })),
  )
}

/** Locks the account, and returns the keyed hashes of the addresses that are not its own. */
async function lockForeign(tx: AppContext, { userId }: Writer, addresses: readonly string[]) {
  const account = await lockWriter(tx.db, userId)
  const foreign = new Map(
    addresses
      .filter((address) => emailKeyOf(address) !== account?.emailKey)
      .map((address) => [emailKeyOf(address), hashOfMailbox(tx, address)]),
  )
  return { hashes: [...foreign.values()], isVerified: Boolean(account?.emailVerifiedAt) }
}

function tooManyRecipients(waitMs: number, isVerified: boolean): AppError {
  const retryAfterSeconds = Math.ceil(waitMs / 1000)
  if (isVerified) return new AppError('too_many_addressees', { retryAfterSeconds })
  return new AppError('too_many_addressees', {
    message:
      'Vous avez écrit à 3 adresses différentes aujourd’hui. Vérifiez votre adresse pour écrire à 20 adresses par jour, ou réessayez demain.',
    retryAfterSeconds,
  })
}

/** Deletes counts of recipients that no longer matter. */
export async function deleteOldRecipientUses(ctx: AppContext): Promise<void> {
  await deleteRecipientUsesBefore(ctx.db, startOfWindow(ctx.now()))
}
