import { type AppContext, inTransaction } from '#server/context.ts'
import { handles } from '#server/platform/jobs/work.ts'
import { type Email, MailError } from '#server/platform/mail/mail.ts'
import {
  dropMail,
  markMailSent,
  noteMailFailure,
  type QueuedMail,
  sendMail,
  takeMail,
} from '#server/platform/mail/mail-queue.ts'
import { deliveryEmail, noticeEmail } from './deliveries.emails.ts'
import { findDeliveryFacts, noteOutcome } from './deliveries.repository.ts'
import { isLastTry, reasonInWords } from './deliveries.rules.ts'
import { personalKeyFor, queueDueDeliveries } from './deliveries.service.ts'

export const dueDeliveriesSchedule = {
  name: 'queue-due-deliveries',
  everyMs: 5_000,
  run: queueDueDeliveries,
}

/**
 * Sends a mail once, and marks it after: a crash in between sends it again under the same Message-ID, never
 * loses it (docs/decisions/0004-mail-outbox.md). Throws when it should be tried again.
 */
export async function handleSendMail(
  ctx: AppContext,
  { mailId }: { mailId: string },
): Promise<void> {
  const retry = await inTransaction(ctx, async (tx) => {
    const mail = await takeMail(tx.db, mailId, tx.now())
    if (!mail) return
    // The other run may yet fail: this job must come back and look.
    if (mail === 'busy') return new Error('This mail is already being sent')
    const email = await composeMail(tx, mail)
    if (!email) return dropMail(tx.db, mail.id)
    try {
      await ctx.mail.send(email)
    } catch (error) {
      return noteFailure(tx, mail, error)
    }
    const sentAt = tx.now()
    await markMailSent(tx.db, mail, sentAt)
    await noteOutcome(tx.db, mail.id, { state: 'sent', sentAt, error: null })
  })
  if (retry) throw retry
}

/** The error to try again after, or nothing when this was the last try. */
async function noteFailure(tx: AppContext, mail: QueuedMail, error: unknown): Promise<unknown> {
  const failure = error instanceof MailError ? error.failure : 'unexpected'
  const isLast = isLastTry(failure, mail.firstTriedAt, tx.now())
  await noteMailFailure(tx.db, mail, { isLast, error: String(error) })
  await noteOutcome(tx.db, mail.id, {
    state: isLast ? 'failed' : 'queued',
    error: reasonInWords(failure, isLast),
  })
  if (!isLast) return error
  tx.log.error({ mailId: mail.id, template: mail.template, failure }, 'a mail could not be sent')
}

/** Undefined when there is nothing to say any more: deleted, moved to another date, or already open. */
async function composeMail(tx: AppContext, mail: QueuedMail): Promise<Email | undefined> {
  const facts = await findDeliveryFacts(tx.db, { id: mail.subjectId })
  if (!facts) return undefined
  const { publicUrl } = tx.config.http
  const page = `${publicUrl}/revelation/${facts.revelationId}`
  const isRevealed = facts.revealAt.getTime() <= tx.now().getTime()
  const envelope = {
    to: facts.targetEmail,
    messageId: `<${mail.id}@${new URL(publicUrl).hostname}>`,
  }
  if (mail.template === 'delivery') {
    if (facts.mailId !== mail.id || !isRevealed) return undefined
    const personalLink = `${page}#cle=${personalKeyFor(tx, facts.id)}`
    return { ...envelope, ...deliveryEmail(facts, { publicUrl, personalLink }) }
  }
  // Another addressee since: this notice was for nobody any more.
  if (isRevealed || facts.notifiedAt === null) return undefined
  const publicPage = facts.visibility === 'public' ? page : undefined
  return { ...envelope, ...noticeEmail(facts, { publicUrl, publicPage }) }
}

export const deliveryHandlers = [handles(sendMail, handleSendMail)]
