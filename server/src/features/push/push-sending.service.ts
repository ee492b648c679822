import { createHmac } from 'node:crypto'
import { z } from 'zod'
import { type AppContext, type HookEvents, inBatches, inTransaction } from '#server/context.ts'
import { isAddressee, isRevealed, recipientRelation } from '#server/features/access/access.rules.ts'
import { canViewMany } from '#server/features/access/viewers.service.ts'
import { getPreferences } from '#server/features/mails/mail-preferences.service.ts'
import { findRelation } from '#server/features/relationships/relationships.service.ts'
import { defineJob } from '#server/platform/jobs/jobs.ts'
import { parseSender } from '#server/platform/mail/mail.ts'
import { getVapidKeys, sendPush } from '#server/platform/push/web-push.ts'
import {
  deletePush,
  deletePushesBefore,
  deleteSubscription,
  findQueuedPush,
  hasAnySubscription,
  insertReminderPushes,
  insertRevealPushes,
  type QueuedPush,
  setPushSent,
} from './push.repository.ts'
import { revealMessage } from './push-messages.presenter.ts'
import { openTarget } from './push-subscriptions.service.ts'

/** Finds the browsers to notify of what opened: one job for as many revelations as opened together. */
export const revealPushesJob = defineJob(
  'tell-browsers-of-reveals',
  z.object({ revelationIds: z.array(z.uuid()) }),
)

/** Sends one message to one browser. Its row decides when to stop trying, not the queue. */
export const sendPushJob = defineJob('send-push', z.object({ pushId: z.uuid() }), {
  concurrency: 10,
  expireInSeconds: 60,
  retryLimit: 1_000,
  retryDelaySeconds: 5,
})

const A_MINUTE_MS = 60_000
const A_DAY_MS = 24 * 3_600_000
/** « Dévoilée » is news for a day: whoever was away has the mail. */
const NEWS_FOR_MS = A_DAY_MS
/** As long as rows of mails: until then a restored revelation sends no second push. */
const STORED_FOR_MS = 90 * A_DAY_MS
const BATCH_SIZE = 1_000

/** On `onRevealed`: browsers show that these are open. Run twice, it notifies nobody twice. */
export async function enqueueRevealPushes(
  tx: AppContext,
  { revelationIds }: Pick<HookEvents['onRevealed'], 'revelationIds'>,
): Promise<void> {
  if (revelationIds.length === 0 || !(await isAnybodySubscribed(tx))) return
  await tx.jobs.enqueue(revealPushesJob, { revelationIds: [...new Set(revelationIds)] })
}

/** On `onRestored`: the same for one that opened while nobody saw it. */
export async function enqueueRestoredPushes(
  tx: AppContext,
  { revelationId, isNews }: HookEvents['onRestored'],
): Promise<void> {
  if (isNews) await enqueueRevealPushes(tx, { revelationIds: [revelationId] })
}

/** The browsers of those who have a reminder; runs in the transaction that queues their mail. */
export async function enqueueReminderPushes(
  tx: AppContext,
  reminders: readonly { revelationId: string; userId: string }[],
): Promise<void> {
  if (reminders.length === 0 || !(await isAnybodySubscribed(tx))) return
  await enqueuePushes(tx, await insertReminderPushes(tx.db, reminders, tx.now()))
}

/** Queues a message for each browser to notify of these. */
export async function createRevealPushes(
  ctx: AppContext,
  revelationIds: readonly string[],
): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    await enqueuePushes(tx, await insertRevealPushes(tx.db, revelationIds, tx.now()))
  })
}

async function isAnybodySubscribed({ config, db }: AppContext): Promise<boolean> {
  return config.push.isOn && (await hasAnySubscription(db))
}

async function enqueuePushes(tx: AppContext, pushIds: readonly string[]): Promise<void> {
  await tx.jobs.enqueueAll(
    sendPushJob,
    pushIds.map((pushId) => ({ pushId })),
  )
}

/**
 * Sends one message to one browser unless it is outdated, and marks it as sent afterwards: after a kill in between it is
 * sent again and replaces the first one there. Throws when it should be tried again.
 */
export async function sendQueuedPush(ctx: AppContext, pushId: string): Promise<void> {
  const push = ctx.config.push.isOn && (await findQueuedPush(ctx.db, pushId, ctx.now()))
  if (!push) return
  const target = openTarget(ctx, push.sealed)
  const message = isNews(ctx, push) && target && (await composeMessage(ctx, push))
  if (!message) return deletePush(ctx.db, push.id)
  const outcome = await sendPush(
    target,
    {
      message: JSON.stringify(message),
      ttlSeconds: NEWS_FOR_MS / 1_000,
      topic: topicOf(ctx, push),
    },
    { keys: getVapidKeys(ctx.keyring), subject: subjectOf(ctx), stopping: ctx.stopping },
  )
  if (outcome.state === 'accepted') return setPushSent(ctx.db, push.id, ctx.now())
  if (outcome.state === 'gone') return deleteSubscription(ctx.db, { id: push.subscriptionId })
  const reason = `${new URL(target.endpoint).host}: ${outcome.reason}`
  if (outcome.state === 'later') throw new Error(`A push service took no message, ${reason}`)
  ctx.log.error({ pushId, reason }, 'a push service refused a message')
  await deletePush(ctx.db, push.id)
}

function isNews(ctx: AppContext, { createdAt }: QueuedPush): boolean {
  return ctx.now().getTime() - createdAt.getTime() < NEWS_FOR_MS
}

/** The message by the gate and the preferences as it leaves; undefined when it is outdated. Throws when it is too early. */
async function composeMessage(ctx: AppContext, push: QueuedPush) {
  const { userId } = push
  if (!isRevealed(push, ctx.now())) {
    // Queued by a machine whose clock is ahead; or moved since, and queued again on that day.
    if (push.revealAt.getTime() - ctx.now().getTime() > A_MINUTE_MS) return undefined
    throw new Error('Not open yet by the clock of this machine')
  }
  const findVisible = await canViewMany(ctx, [push], [push.revelationId])
  const envelope = findVisible(push, push.revelationId)
  // Under review its author sees it: their push is sent at the restoration.
  if (!envelope || envelope.hiddenAt !== null) return undefined
  const reading = {
    isAuthor: userId === envelope.authorId,
    isRecipient: isAddressee(recipientRelation(push, envelope)),
  }
  if (push.isReminder) return revealMessage(envelope, reading)
  if (!(await getPreferences(ctx, userId)).revelationRevealed) return undefined
  const isConcerned =
    reading.isAuthor || reading.isRecipient || (await isClose(ctx, userId, envelope.authorId))
  return isConcerned ? revealMessage(envelope, reading) : undefined
}

async function isClose(ctx: AppContext, userId: string, authorId: string): Promise<boolean> {
  const relation = await findRelation(ctx, userId, authorId)
  return relation === 'friend' || relation === 'family'
}

/** Names the message to a push service, which learns neither the revelation nor its other readers. */
function topicOf({ keyring }: AppContext, { subscriptionId, revelationId }: QueuedPush): string {
  return createHmac('sha256', keyring.secretFor('push-topics'))
    .update(`${subscriptionId}/${revelationId}`)
    .digest('base64url')
    .slice(0, 32)
}

/** The contact of this installation for push services. */
function subjectOf({ config }: AppContext): string {
  const { publicUrl } = config.http
  if (config.operator.email) return `mailto:${config.operator.email}`
  return publicUrl.startsWith('https:')
    ? publicUrl
    : `mailto:${parseSender(config.mail.from)?.address}`
}

export async function deleteOldPushes(ctx: AppContext): Promise<void> {
  const before = new Date(ctx.now().getTime() - STORED_FOR_MS)
  await inBatches(ctx, BATCH_SIZE, (tx) => deletePushesBefore(tx.db, before, BATCH_SIZE))
}
