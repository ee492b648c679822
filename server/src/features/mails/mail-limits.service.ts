import { createHmac } from 'node:crypto'
import { type AppContext, inTransaction } from '#server/context.ts'
import { emailKeyOf } from '#server/platform/mail/email-address.ts'
import type { QueuedMail } from '#server/platform/mail/mail-queue.ts'
import {
  countLinks,
  deleteCountedBefore,
  hasProvedAddress,
  insertCounted,
  isAnyReady,
  listCounted,
  lockMailbox,
} from './mail-limits.repository.ts'
import {
  type LinkClass,
  type MailClass,
  mailboxKeyOf,
  mayMailLink,
  startOfMailDay,
  type Wait,
  waitOf,
} from './mail-limits.rules.ts'
import { hashOfAddress } from './suppression.service.ts'

type Sent = Pick<QueuedMail, 'id' | 'senderId' | 'recipientId'>

/**
 * Counts mails that are to leave as one to a mailbox; the answer is until when each of those that may not waits, and why. One
 * that comes (`isNew`) leaves with those that waited long enough, and never before them. What was counted before leaves: it
 * is tried again. In a transaction of its own, so that those who write to the same mailbox wait for the counting and not for
 * the mail to be sent.
 */
export async function takeMailRoom(
  ctx: AppContext,
  mails: readonly Sent[],
  to: { mailboxHash: Buffer; mailClass: MailClass; isNew: boolean },
): Promise<Map<string, Wait>> {
  const held = new Map<string, Wait>()
  if (!ctx.config.http.rateLimits) return held
  await inTransaction(ctx, async (tx) => {
    const { mailboxHash, mailClass, isNew } = to
    await lockMailbox(tx.db, mailboxHash)
    const now = tx.now()
    const since = startOfMailDay(now)
    const counted = await listCounted(tx.db, { mailboxHash, mailClass, since })
    for (const mail of mails) {
      if (counted.some(({ id }) => id === mail.id)) continue
      const senderId = senderOf(mail)
      const isProved = await hasProvedAddress(tx.db, senderId)
      const senderHash = senderId === null ? null : hashOfAccount(tx, senderId)
      const isBehind = isNew && (await isAnyReady(tx.db, { mailboxHash, mailClass, now }))
      const wait =
        waitOf(counted, { senderHash, isProved, now }) ??
        (isBehind ? ({ until: now, reason: 'address' } as const) : undefined)
      if (wait) held.set(mail.id, wait)
      else
        await insertCounted(tx.db, {
          id: mail.id,
          mailboxHash,
          class: mailClass,
          senderHash,
          countedAt: now,
        })
    }
  })
  return held
}

/** The keyed hash of the mailbox behind an address, whatever the spelling. */
export function hashOfMailbox(ctx: AppContext, address: string): Buffer {
  return hashOfAddress(ctx, mailboxKeyOf(emailKeyOf(address)))
}

/** What an account hears of itself leaves on its own account. */
function senderOf({ senderId, recipientId }: Sent): string | null {
  return senderId ?? recipientId
}

/** An account that ended is still counted for a day, and nothing tells which it was. */
function hashOfAccount(ctx: AppContext, userId: string): Buffer {
  return createHmac('sha256', ctx.keyring.secretFor('addresses')).update(`user:${userId}`).digest()
}

/** Counts a link mailed to an address; false when nothing may be mailed there today. In the transaction that makes it. */
export async function takeLinkRoom(
  tx: AppContext,
  link: { id: string; userId: string; email: string },
  linkClass: LinkClass,
): Promise<boolean> {
  const mailboxHash = hashOfMailbox(tx, link.email)
  await lockMailbox(tx.db, mailboxHash)
  const countedAt = tx.now()
  const counts = await countLinks(tx.db, mailboxHash, startOfMailDay(countedAt))
  if (!mayMailLink(counts, linkClass)) return false
  const senderHash = hashOfAccount(tx, link.userId)
  await insertCounted(tx.db, {
    id: link.id,
    mailboxHash,
    class: linkClass,
    senderHash,
    countedAt,
  })
  return true
}

/** Forgets mails that no longer count. */
export async function forgetCountedMails(ctx: AppContext): Promise<void> {
  await deleteCountedBefore(ctx.db, startOfMailDay(ctx.now()))
}
