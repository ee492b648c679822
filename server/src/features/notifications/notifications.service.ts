import { z } from 'zod'
import { RELATIONSHIP_TYPES } from '#contract/relationships.ts'
import { type AppContext, type HookEvents, inBatches, inTransaction } from '#server/context.ts'
import { canViewEnvelope, isRevealed } from '#server/features/access/access.rules.ts'
import { getPreferences } from '#server/features/mails/mail-preferences.service.ts'
import { listHiddenUnder } from '#server/features/relationships/relationships.service.ts'
import { defineJob } from '#server/platform/jobs/jobs.ts'
import { enqueueMails, type QueuedMail } from '#server/platform/mail/mail-queue.ts'
import {
  type Activity,
  claimDueDigests,
  findActivityStart,
  findNotifiable,
  listDueDigests,
  listNotifiable,
  listReaders,
  lockNotificationsOf,
  type NotifiableRevelation,
  type ReaderCriteria,
  setActivityStart,
  sumComments,
  sumReactions,
} from './notifications.repository.ts'
import { lockReaders } from './readers.service.ts'

export type { Activity }

const revelationPayload = z.object({ revelationId: z.uuid() })

/** One job per revelation, however many readers it has: it queues their mails a batch at a time. */
export const sealedNotificationsJob = defineJob('tell-ties-of-sealing', revelationPayload)
export const revealNotificationsJob = defineJob('tell-ties-of-reveal', revelationPayload)

const READERS_PER_BATCH = 500
const DIGESTS_PER_BATCH = 100
const AN_HOUR_MS = 3_600_000
const BEFORE_ALL_IDS = '00000000-0000-0000-0000-000000000000'

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

/** Queues the mails about an open revelation, to those who may read it and were close to its author by then. */
export async function createRevealNotifications(
  ctx: AppContext,
  revelationId: string,
): Promise<void> {
  const revelation = await findNotifiable(ctx.db, revelationId)
  if (!revelation) return
  if (!isRevealed(revelation, ctx.now())) {
    throw new Error('Not open yet by the clock of this machine')
  }
  await enqueueInBatches(ctx, revelation, {
    template: 'revelation-revealed',
    preference: 'revelationRevealed',
    types: typesThatSee(revelation, ctx.now()),
    relatedBefore: revelation.revealAt,
    quietSince: null,
    includesRecipients: false,
  })
}

/** The types of relationship that let somebody see it: the gate’s own answer. */
function typesThatSee(revelation: NotifiableRevelation, now: Date) {
  const envelope = { ...revelation, isRecipientNotified: false, isSecondNotified: false }
  const reader = { isAuthor: false, isRecipient: false, isSecondRecipient: false }
  return RELATIONSHIP_TYPES.filter((relationship) =>
    canViewEnvelope({ ...reader, relationship }, envelope, now),
  )
}

/** Queues the mails a batch per transaction. Run again, it goes on with those who have none yet. */
async function enqueueInBatches(
  ctx: AppContext,
  revelation: NotifiableRevelation,
  criteria: ReaderCriteria,
): Promise<void> {
  if (criteria.types.length === 0) return
  let after = BEFORE_ALL_IDS
  let wasFull = true
  while (wasFull) {
    const page = { after, limit: READERS_PER_BATCH }
    const readerIds = await inTransaction(ctx, async (tx) => {
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
    after = readerIds.at(-1) ?? after
    wasFull = readerIds.length === READERS_PER_BATCH
    ctx.stopping.throwIfAborted()
  }
}

/** Queues one mail for every revelation under which others left something a while ago. */
export async function enqueueDueActivity(ctx: AppContext): Promise<void> {
  await inBatches(ctx, DIGESTS_PER_BATCH, enqueueActivityBatch)
}

async function enqueueActivityBatch(tx: AppContext): Promise<number> {
  const now = tx.now()
  const due = await listDueDigests(tx.db, now, DIGESTS_PER_BATCH)
  if (due.length === 0) return 0
  const authors = new Map(due.map(({ revelationId, authorId }) => [revelationId, authorId]))
  await lockReaders(tx, [...authors.values()])
  const claimed = await claimDueDigests(tx.db, [...authors.keys()], now)
  const mails = claimed.map((subjectId) => {
    const recipientId = authors.get(subjectId)
    return recipientId ? { subjectId, recipientId } : { subjectId }
  })
  await enqueueMails(tx, 'activity', mails)
  return claimed.length
}

const NO_ACTIVITY: Activity = { count: 0, people: 0, pseudos: [] }

/**
 * What others left from the last mail to the first attempt at this one, as far as its author wants mails about it. A
 * second attempt has the same content.
 */
export async function sumActivity(
  tx: AppContext,
  mail: QueuedMail,
  authorId: string,
): Promise<{ comments: Activity; reactions: Activity }> {
  const revelationId = mail.subjectId
  const from = (await findActivityStart(tx.db, revelationId)) ?? mail.firstTriedAt
  const preferences = await getPreferences(tx, authorId)
  const hidden = await listHiddenUnder(tx, authorId, authorId)
  const span = { revelationId, from, until: mail.firstTriedAt, without: [authorId, ...hidden] }
  const wants = (name: 'newComments' | 'newReactions') =>
    preferences.emailNotifications && preferences[name]
  return {
    comments: wants('newComments') ? await sumComments(tx.db, span) : NO_ACTIVITY,
    reactions: wants('newReactions') ? await sumReactions(tx.db, span) : NO_ACTIVITY,
  }
}

/** The next mail counts from the first attempt at this one on. */
export async function closeActivity(tx: AppContext, mail: QueuedMail): Promise<void> {
  await setActivityStart(tx.db, mail.subjectId, mail.firstTriedAt)
}
