import { type AppContext, inBatches } from '#server/context.ts'
import { pageOf } from '#server/features/access/access.rules.ts'
import { personalLinkOf } from '#server/features/access/personal-keys.service.ts'
import { getPreferences } from '#server/features/mails/mail-preferences.service.ts'
import type { MailTemplate } from '#server/features/mails/mails.service.ts'
import { notify } from '#server/features/notifications/news.service.ts'
import { enqueueMails } from '#server/platform/mail/mail-queue.ts'
import { calledName } from './deliveries.emails.ts'
import { findDeliveryFacts, lockDelivery } from './deliveries.repository.ts'
import { formatFailure } from './deliveries.rules.ts'
import { recordFailure } from './delivery-outcomes.service.ts'
import { followUpEmail, unopenedEmail } from './follow-ups.emails.ts'
import {
  deleteFollowUp,
  findMailedFollowUp,
  insertFollowUps,
  listSilentDeliveries,
  setAuthorNotified,
  setFollowUpMails,
} from './follow-ups.repository.ts'

const A_DAY_MS = 24 * 3_600_000
/** So long after it left, a letter of whose opening nothing is known is gone back to. */
const DUE_AFTER_MS = { 1: 7 * A_DAY_MS, 2: 60 * A_DAY_MS } as const
/** The reminder has that long to be read before the author is told. */
const NOTIFIED_AFTER_MS = 3 * A_DAY_MS
/** A worker that was away so long leaves what is even older alone. */
const LATE_AT_MOST_MS = 30 * A_DAY_MS
const BATCH_SIZE = 200

export const followUpsSchedule = {
  name: 'follow-up-unopened-letters',
  everyMs: 15 * 60_000,
  run: followUpUnopened,
}

/** Reminds the addressees of letters that nobody opened, then tells authors of those nothing is known of (behaviour.md 5.9). */
async function followUpUnopened(ctx: AppContext): Promise<void> {
  for (const number of [2, 1] as const)
    await inBatches(ctx, BATCH_SIZE, (tx) => followUpBatch(tx, number))
  await inBatches(ctx, BATCH_SIZE, notifyBatch)
}

async function followUpBatch(tx: AppContext, number: 1 | 2): Promise<number> {
  const at = tx.now()
  const until = new Date(at.getTime() - DUE_AFTER_MS[number])
  const since = new Date(until.getTime() - LATE_AT_MOST_MS)
  const begun = await insertFollowUps(tx.db, { number, since, until }, at, BATCH_SIZE)
  const ids = begun.filter(({ isMailed }) => isMailed).map(({ deliveryId }) => deliveryId)
  // On nobody’s account: the author could otherwise learn from the wait of their next letter that this one was not opened.
  const mailIds = await enqueueMails(
    tx,
    'follow-up',
    ids.map((subjectId) => ({ subjectId })),
  )
  await setFollowUpMails(tx.db, number, new Map(ids.map((id, at) => [id, mailIds[at] ?? ''])))
  return begun.length
}

/** Whatever became of the reminder, and whether there was one: a quiet opening has none, and nothing else tells it apart. */
async function notifyBatch(tx: AppContext): Promise<number> {
  const at = tx.now()
  const until = new Date(at.getTime() - NOTIFIED_AFTER_MS)
  const since = new Date(until.getTime() - LATE_AT_MOST_MS)
  const { count, letters } = await setAuthorNotified(tx.db, { since, until }, at, BATCH_SIZE)
  await notify(
    tx,
    letters.map(({ revelationId, authorId }) => ({
      userId: authorId,
      kind: 'unopened',
      revelationId,
    })),
  )
  await enqueueMails(
    tx,
    'unopened',
    letters.map(({ revelationId, authorId }) => ({
      subjectId: revelationId,
      recipientId: authorId,
    })),
  )
  return count
}

/** Undefined once it was opened, revoked, given another address or withdrawn, or anything else ended its reason. */
const composeFollowUp: MailTemplate['compose'] = async (tx, mail) => {
  const followUp = await findMailedFollowUp(tx.db, mail.id)
  if (followUp?.isHidden) await deleteFollowUp(tx.db, followUp)
  if (!followUp?.isWanted) return undefined
  const facts = await findDeliveryFacts(tx.db, { id: followUp.deliveryId })
  if (!facts) return undefined
  return followUpEmail(facts, {
    personalLink: personalLinkOf(tx, facts),
    number: followUp.number,
  })
}

/** An address that went away meanwhile is a failed delivery; whatever else happens to a reminder changes nothing. */
const recordOutcome: MailTemplate['onOutcome'] = async (tx, mail, outcome) => {
  if (outcome.state !== 'failed' || outcome.failure !== 'bad_address') return
  const facts = await lockDelivery(tx.db, mail.subjectId)
  // Another address has no follow-up of this mail.
  if (facts?.state !== 'sent' || !(await findMailedFollowUp(tx.db, mail.id))) return
  await recordFailure(tx, facts, formatFailure(outcome.failure, true))
}

/** Undefined when somebody said meanwhile that they read it. */
const composeUnopened: MailTemplate['compose'] = async (tx, mail) => {
  const silent = await listSilentDeliveries(tx.db, mail.subjectId)
  const facts = await findDeliveryFacts(tx.db, { revelationId: mail.subjectId })
  if (!facts || silent.length === 0) return undefined
  if (!(await getPreferences(tx, facts.authorId)).emailNotifications) return undefined
  return unopenedEmail(facts, {
    page: `${pageOf(tx.config.http, facts.revelationId)}#remise`,
    recipients: silent.map((delivery) => ({ ...delivery, name: calledName(delivery) })),
  })
}

export const followUpMails: readonly MailTemplate[] = [
  // Counted apart from letters: one of them would wait for a reminder, and its journal would say so.
  { name: 'follow-up', mailClass: 'news', compose: composeFollowUp, onOutcome: recordOutcome },
  { name: 'unopened', compose: composeUnopened },
]
