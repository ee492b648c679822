import { createHmac } from 'node:crypto'
import { z } from 'zod'
import type { PushMessage } from '#contract/push.ts'
import { type AppContext, inBatches, inTransaction } from '#server/context.ts'
import { isRevealed } from '#server/features/access/access.rules.ts'
import { canViewMany } from '#server/features/access/viewers.service.ts'
import type { Actor } from '#server/features/auth/auth.session.ts'
import { countUnread, findItem, type Item } from '#server/features/notifications/items.service.ts'
import { getSwitches } from '#server/features/notifications/switches.service.ts'
import { findRelation } from '#server/features/relationships/relationships.service.ts'
import { defineJob } from '#server/platform/jobs/jobs.ts'
import { parseSender } from '#server/platform/mail/mail.ts'
import { getVapidKeys, sendPush } from '#server/platform/push/web-push.ts'
import {
  claimDueNotifications,
  deletePush,
  deletePushesBefore,
  deleteSubscription,
  findQueuedPush,
  hasAnySubscription,
  hasDueNotification,
  insertReminderPushes,
  insertTrialPush,
  type QueuedPush,
  setPushSent,
} from './push.repository.ts'
import { newsMessage, pushMessage, reminderMessage, TRIAL } from './push-messages.presenter.ts'
import { openTarget } from './push-subscriptions.service.ts'

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

/** Queues a message for each browser that is to show what happened to its account. */
export async function enqueueDuePushes(ctx: AppContext): Promise<void> {
  if (!ctx.config.push.isOn) return
  // Every second, and mostly for nothing.
  if (!(await hasDueNotification(ctx.db))) return
  await inBatches(ctx, BATCH_SIZE, async (tx) => {
    const { count, pushIds } = await claimDueNotifications(tx.db, tx.now(), BATCH_SIZE)
    await enqueuePushes(tx, pushIds)
    return count
  })
}

/** Queues a trial for the browser of this session; false where it has not subscribed. */
export async function enqueueTrialPush(ctx: AppContext, { sessionId }: Actor): Promise<boolean> {
  if (!ctx.config.push.isOn) return false
  return inTransaction(ctx, async (tx) => {
    const pushId = await insertTrialPush(tx.db, sessionId, tx.now())
    if (pushId) await enqueuePushes(tx, [pushId])
    return pushId !== undefined
  })
}

/** The browsers of those who have a reminder; runs in the transaction that queues their mail. */
export async function enqueueReminderPushes(
  tx: AppContext,
  reminders: readonly { revelationId: string; userId: string }[],
): Promise<void> {
  if (reminders.length === 0 || !(await isAnybodySubscribed(tx))) return
  await enqueuePushes(tx, await insertReminderPushes(tx.db, reminders, tx.now()))
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

/** The message by the gate and the switches as it leaves; undefined when it is outdated. Throws when it is too early. */
async function composeMessage(ctx: AppContext, push: QueuedPush): Promise<PushMessage | undefined> {
  const { publicUrl } = ctx.config.http
  const found = await findNews(ctx, push)
  if (!found) return undefined
  const badge = await countUnread(ctx, push)
  return pushMessage({ ...found, publicUrl, badge })
}

async function findNews(ctx: AppContext, push: QueuedPush) {
  if (push.revelationId !== null) return findReminder(ctx, push, push.revelationId)
  if (push.notificationId === null) return { ...TRIAL, path: '/notifications', tag: 'essai' }
  const { notificationKind: kind, userId } = push
  if (kind !== null && !(await getSwitches(ctx, userId)).push[kind]) return undefined
  const isOfOpening = kind === 'letter_waiting' || kind === 'revealed'
  if (isOfOpening && !isOpen(ctx, push)) return undefined
  const item = await findItem(ctx, push, push.notificationId)
  // Seen on a page meanwhile.
  const isSeen = item?.row.isListed && item.row.readAt !== null
  if (!item || isSeen || !(await isConcerned(ctx, userId, item))) return undefined
  return newsMessage(item)
}

/** What a friend made public stays on the page of whoever is none any more, and is no reason to ring. */
async function isConcerned(ctx: AppContext, userId: string, item: Item): Promise<boolean> {
  if (item.row.kind !== 'revealed' || item.isOwn || !item.envelope) return true
  const relation = await findRelation(ctx, userId, item.envelope.authorId)
  return relation === 'friend' || relation === 'family'
}

async function findReminder(ctx: AppContext, push: QueuedPush, revelationId: string) {
  if (!isOpen(ctx, push)) return undefined
  const findVisible = await canViewMany(ctx, [push], [revelationId])
  const envelope = findVisible(push, revelationId)
  // Under review its author sees it, who has no news of it.
  return envelope && envelope.hiddenAt === null ? reminderMessage(revelationId) : undefined
}

/** Throws where it opens in a moment by the clock of this machine. */
function isOpen(ctx: AppContext, { revealAt }: QueuedPush): boolean {
  if (revealAt === null) return false
  if (isRevealed({ revealAt }, ctx.now())) return true
  // Queued by a machine whose clock is ahead; or moved since, and queued again on that day.
  if (revealAt.getTime() - ctx.now().getTime() > A_MINUTE_MS) return false
  throw new Error('Not open yet by the clock of this machine')
}

/** Names the message to a push service, which learns neither what it is about nor who else is told. */
function topicOf({ keyring }: AppContext, push: QueuedPush): string {
  return createHmac('sha256', keyring.secretFor('push-topics'))
    .update(`${push.subscriptionId}/${push.revelationId ?? push.notificationId ?? ''}`)
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
