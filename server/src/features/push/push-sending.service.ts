import { createHmac } from 'node:crypto'
import { type AppContext, type HookEvents, inBatches, inTransaction } from '#server/context.ts'
import { isRevealed, recipientRelation } from '#server/features/access/access.rules.ts'
import { canViewMany } from '#server/features/access/viewers.service.ts'
import { getPreferences } from '#server/features/mails/mail-preferences.service.ts'
import { findRelation } from '#server/features/relationships/relationships.service.ts'
import { parseSender } from '#server/platform/mail/mail.ts'
import { getVapidKeys, sendPush } from '#server/platform/push/web-push.ts'
import { sendPushJob, tellBrowsers } from './push.jobs.ts'
import { revealMessage } from './push-messages.presenter.ts'
import { deleteSubscription } from './push-subscriptions.repository.ts'
import { openTarget } from './push-subscriptions.service.ts'
import {
  deleteOldPushes,
  deletePush,
  findQueuedPush,
  hasAnySubscription,
  insertReminders,
  insertReveals,
  type QueuedPush,
  setPushSent,
} from './pushes.repository.ts'

const A_MINUTE_MS = 60_000
const A_DAY_MS = 24 * 3_600_000
/** « Dévoilée » is news for a day: whoever was away has the mail. */
const NEWS_FOR_MS = A_DAY_MS
/** As long as mails are remembered: until then nobody is told again of what was shown again. */
const KEPT_FOR_MS = 90 * A_DAY_MS
const BATCH_SIZE = 1_000

/** On `onRevealed`: the browsers of those these are for show that they are open. Run twice, it notifies nobody twice. */
export async function enqueueRevealPushes(
  tx: AppContext,
  { revelationIds }: Pick<HookEvents['onRevealed'], 'revelationIds'>,
): Promise<void> {
  if (revelationIds.length === 0 || !(await isAnybodySubscribed(tx))) return
  await tx.jobs.enqueue(tellBrowsers, { revelationIds: [...new Set(revelationIds)] })
}

/** On `onRestored`: the same for one that opened while nobody saw it. */
export async function enqueueRestoredPushes(
  tx: AppContext,
  { revelationId, isNews }: HookEvents['onRestored'],
): Promise<void> {
  if (isNews) await enqueueRevealPushes(tx, { revelationIds: [revelationId] })
}

/** The browsers of those who asked for it; to be called in the transaction that queues their mail. */
export async function enqueueReminderPushes(
  tx: AppContext,
  reminders: readonly { revelationId: string; userId: string }[],
): Promise<void> {
  if (reminders.length === 0 || !(await isAnybodySubscribed(tx))) return
  await enqueuePushes(tx, await insertReminders(tx.db, reminders, tx.now()))
}

/** Queues a message for each browser of those these are for. */
export async function queueRevealPushes(
  ctx: AppContext,
  revelationIds: readonly string[],
): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    await enqueuePushes(tx, await insertReveals(tx.db, revelationIds, tx.now()))
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
 * Sends one message to one browser, unless there is nothing to say any more, and marks it after: killed in between, it
 * comes again, and takes the place of the first. Throws when it should be tried again.
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
  const said = `${new URL(target.endpoint).host}: ${outcome.reason}`
  if (outcome.state === 'later') throw new Error(`A push service took no message, ${said}`)
  ctx.log.error({ pushId, reason: said }, 'a push service refused a message')
  await deletePush(ctx.db, push.id)
}

function isNews(ctx: AppContext, { createdAt }: QueuedPush): boolean {
  return ctx.now().getTime() - createdAt.getTime() < NEWS_FOR_MS
}

/** Everything is asked afresh as it leaves. Undefined when there is nothing to say; throws when there will be. */
async function composeMessage(ctx: AppContext, push: QueuedPush) {
  const { userId } = push
  if (!isRevealed(push, ctx.now())) {
    // Queued by a machine whose clock is ahead; or moved since, and queued again on that day.
    if (push.revealAt.getTime() - ctx.now().getTime() > A_MINUTE_MS) return undefined
    throw new Error('Not open yet by the clock of this machine')
  }
  const findVisible = await canViewMany(ctx, [push], [push.revelationId])
  const seen = findVisible(push, push.revelationId)
  // Under review, its author sees it and is told once it is shown again.
  if (!seen || seen.hiddenAt !== null) return undefined
  const { isRecipient, isSecondRecipient } = recipientRelation(push, seen)
  const reading = {
    isAuthor: userId === seen.authorId,
    isRecipient: isRecipient || isSecondRecipient,
  }
  if (push.isReminder) return revealMessage(seen, reading)
  if (!(await getPreferences(ctx, userId)).revelationRevealed) return undefined
  const isConcerned =
    reading.isAuthor || reading.isRecipient || (await isClose(ctx, userId, seen.authorId))
  return isConcerned ? revealMessage(seen, reading) : undefined
}

async function isClose(ctx: AppContext, userId: string, authorId: string): Promise<boolean> {
  const tie = await findRelation(ctx, userId, authorId)
  return tie === 'friend' || tie === 'family'
}

/** How a push service tells messages apart: it learns neither which revelation it is nor who else hears of it. */
function topicOf({ keyring }: AppContext, { subscriptionId, revelationId }: QueuedPush): string {
  return createHmac('sha256', keyring.secretFor('push-topics'))
    .update(`${subscriptionId}/${revelationId}`)
    .digest('base64url')
    .slice(0, 32)
}

/** Whom a push service may write to when this installation troubles it. */
function subjectOf({ config }: AppContext): string {
  const { publicUrl } = config.http
  if (config.operator.email) return `mailto:${config.operator.email}`
  return publicUrl.startsWith('https:')
    ? publicUrl
    : `mailto:${parseSender(config.mail.from)?.address}`
}

export async function forgetOldPushes(ctx: AppContext): Promise<void> {
  const before = new Date(ctx.now().getTime() - KEPT_FOR_MS)
  await inBatches(ctx, BATCH_SIZE, (tx) => deleteOldPushes(tx.db, before, BATCH_SIZE))
}
