import { createHmac } from 'node:crypto'
import { type AppContext, inTransaction } from '#server/context.ts'
import type { QueuedMail } from '#server/platform/mail/mail-queue.ts'
import {
  countLinks,
  deleteCountedBefore,
  hasProvedAddress,
  insertCounted,
  listCounted,
  lockAddress,
} from './mail-limits.repository.ts'
import {
  type LinkClass,
  type MailClass,
  mayLeaveFrom,
  mayMailLink,
  startOfMailDay,
} from './mail-limits.rules.ts'
import { hashOfAddress } from './suppression.service.ts'

type Sent = Pick<QueuedMail, 'id' | 'senderId' | 'recipientId'>

/**
 * Counts mails that are to leave as one to an address; the answer is until when each of those that may not waits. What was
 * counted before leaves: it is tried again. In a transaction of its own, so that those who write to the same address wait
 * for the counting and not for the mail to be sent.
 */
export async function takeMailRoom(
  ctx: AppContext,
  mails: readonly Sent[],
  { addressHash, mailClass }: { addressHash: Buffer; mailClass: MailClass },
): Promise<Map<string, Date>> {
  const held = new Map<string, Date>()
  if (!ctx.config.http.rateLimits) return held
  await inTransaction(ctx, async (tx) => {
    await lockAddress(tx.db, addressHash)
    const now = tx.now()
    const since = startOfMailDay(now)
    const counted = await listCounted(tx.db, { addressHash, mailClass, since })
    for (const mail of mails) {
      if (counted.some(({ id }) => id === mail.id)) continue
      const senderId = senderOf(mail)
      const isProved = await hasProvedAddress(tx.db, senderId)
      const senderHash = senderId === null ? null : hashOfAccount(tx, senderId)
      const leavesAt = mayLeaveFrom(counted, { senderHash, isProved, now })
      if (leavesAt > now) held.set(mail.id, leavesAt)
      else
        await insertCounted(tx.db, {
          id: mail.id,
          addressHash,
          class: mailClass,
          senderHash,
          countedAt: now,
        })
    }
  })
  return held
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
  const addressHash = hashOfAddress(tx, link.email)
  await lockAddress(tx.db, addressHash)
  const countedAt = tx.now()
  const counts = await countLinks(tx.db, addressHash, startOfMailDay(countedAt))
  if (!mayMailLink(counts, linkClass)) return false
  const senderHash = hashOfAccount(tx, link.userId)
  await insertCounted(tx.db, { id: link.id, addressHash, class: linkClass, senderHash, countedAt })
  return true
}

/** Forgets mails that no longer count. */
export async function forgetCountedMails(ctx: AppContext): Promise<void> {
  await deleteCountedBefore(ctx.db, startOfMailDay(ctx.now()))
}
