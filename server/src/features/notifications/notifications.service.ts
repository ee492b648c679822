import { z } from 'zod'
import { type AppContext, type HookEvents, inBatches } from '#server/context.ts'
import { isRevealed } from '#server/features/access/access.rules.ts'
import { getPreferences } from '#server/features/mails/mail-preferences.service.ts'
import { listSelfAndHidden } from '#server/features/relationships/relationships.service.ts'
import { defineJob } from '#server/platform/jobs/jobs.ts'
import { enqueueMails, type QueuedMail } from '#server/platform/mail/mail-queue.ts'
import { notifyClose } from './news.service.ts'
import { type NotifiableRevelation, typesThatSee } from './notifiable.rules.ts'
import {
  claimDueDigests,
  findActivityStart,
  findNotifiable,
  type LetterActivity,
  listDueDigests,
  listNotifiable,
  listReaders,
  lockNotificationsOf,
  type ReaderCriteria,
  setActivityStart,
  sumActivity,
} from './notifications.repository.ts'
import { inBatchesOfPeople, lockReaders } from './readers.service.ts'

/** To an author, at most once a day. */
export const ACTIVITY_MAIL = 'activity'

const revelationPayload = z.object({ revelationId: z.uuid() })

/** One job per revelation, however many readers it has: it queues their mails a batch at a time. */
export const sealedNotificationsJob = defineJob('tell-ties-of-sealing', revelationPayload)
export const revealNotificationsJob = defineJob('tell-ties-of-reveal', revelationPayload)

const DIGESTS_PER_BATCH = 100
const AN_HOUR_MS = 3_600_000

/** On `onSealed`: the people close to the author are mailed later, by the gate as it stands then. */
export async function enqueueSealedNotifications(
  tx: AppContext,
  { revelationId }: HookEvents['onSealed'],
): Promise<void> {
  await tx.jobs.enqueue(sealedNotificationsJob, { revelationId })
}

/** On `onRevealed`: the people close to the authors are mailed that these are open. */
export async function enqueueRevealNotifications(
  tx: AppContext,
  { deliveryIds }: HookEvents['onRevealed'],
): Promise<void> {
  const ids = await listNotifiable(tx.db, deliveryIds)
  await tx.jobs.enqueueAll(
    revealNotificationsJob,
    ids.map((revelationId) => ({ revelationId })),
  )
}

/** On `onRestored`: the same for one that opened while nobody saw it. */
export async function enqueueRestoredNotifications(
  tx: AppContext,
  { revelationId, isNews }: HookEvents['onRestored'],
): Promise<void> {
  if (isNews) await tx.jobs.enqueue(revealNotificationsJob, { revelationId })
}

/** Queues the mails about a new revelation, to those whose relation lets them see it; one an hour by author and reader. */
export async function createSealedNotifications(
  ctx: AppContext,
  revelationId: string,
): Promise<void> {
  const revelation = await findNotifiable(ctx.db, revelationId)
  // A revelation that is open already has a mail of its own.
  if (!revelation || isRevealed(revelation, ctx.now())) return
  await enqueueInBatches(ctx, revelation, {
    template: 'new-revelation',
    preference: 'newRevelations',
    types: typesThatSee(revelation, ctx.now()),
    relatedBefore: revelation.createdAt,
    quietSince: new Date(ctx.now().getTime() - AN_HOUR_MS),
    includesRecipients: true,
  })
}

/** Tells of an open revelation, and queues the mails about it, to those who may read it and were close to its author by then. */
export async function createRevealNotifications(
  ctx: AppContext,
  revelationId: string,
): Promise<void> {
  const revelation = await findNotifiable(ctx.db, revelationId)
  if (!revelation) return
  if (!isRevealed(revelation, ctx.now())) {
    throw new Error('Not open yet by the clock of this machine')
  }
  await notifyClose(ctx, revelation)
  await enqueueInBatches(ctx, revelation, {
    template: 'revelation-revealed',
    preference: 'revelationRevealed',
    types: typesThatSee(revelation, ctx.now()),
    relatedBefore: revelation.revealAt,
    quietSince: null,
    includesRecipients: false,
  })
}

/** Queues the mails a batch per transaction. Run again, it goes on with those who have none yet. */
async function enqueueInBatches(
  ctx: AppContext,
  revelation: NotifiableRevelation,
  criteria: ReaderCriteria,
): Promise<void> {
  if (criteria.types.length === 0) return
  await inBatchesOfPeople(ctx, async (tx, page) => {
    await lockNotificationsOf(tx.db, revelation.authorId)
    const ids = await listReaders(tx.db, revelation, criteria, page)
    const mails = ids.map((recipientId) => ({
      subjectId: revelation.id,
      recipientId,
      senderId: revelation.authorId,
    }))
    await enqueueMails(tx, criteria.template, mails)
    return ids
  })
}

/** Queues the mail of the day of every author under whose letters others left something. */
export async function enqueueDueActivity(ctx: AppContext): Promise<void> {
  await inBatches(ctx, DIGESTS_PER_BATCH, enqueueActivityBatch)
}

async function enqueueActivityBatch(tx: AppContext): Promise<number> {
  const now = tx.now()
  const due = await listDueDigests(tx.db, now, DIGESTS_PER_BATCH)
  if (due.length === 0) return 0
  await lockReaders(tx, due)
  const claimed = await claimDueDigests(tx.db, due, now)
  const mails = claimed.map((userId) => ({ subjectId: userId, recipientId: userId }))
  await enqueueMails(tx, ACTIVITY_MAIL, mails)
  return claimed.length
}

/**
 * What others left from the last mail to the first attempt at this one, by letter, as far as its author wants mails about it
 * and may hear them. A second attempt has the same content.
 */
export async function listActivity(
  tx: AppContext,
  mail: QueuedMail,
  authorId: string,
): Promise<LetterActivity[]> {
  const from = (await findActivityStart(tx.db, authorId)) ?? mail.firstTriedAt
  const preferences = await getPreferences(tx, authorId)
  const wants = (name: 'newComments' | 'newReactions') =>
    preferences.emailNotifications && preferences[name]
  return sumActivity(tx.db, {
    authorId,
    from,
    until: mail.firstTriedAt,
    without: await listSelfAndHidden(tx, authorId),
    wantsComments: wants('newComments'),
    wantsReactions: wants('newReactions'),
  })
}

/** The next mail counts from the first attempt at this one on. */
export async function closeActivity(tx: AppContext, mail: QueuedMail): Promise<void> {
  if (mail.recipientId) await setActivityStart(tx.db, mail.recipientId, mail.firstTriedAt)
}
