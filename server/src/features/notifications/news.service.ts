import { type AppContext, type HookEvents, inBatches } from '#server/context.ts'
import { publishNotificationsChanged } from '#server/platform/pubsub/pubsub.ts'
import {
  deleteNotificationsBefore,
  findAddressedAccount,
  insertAnnouncements,
  insertNews,
  insertRevealNews,
  listRelatedTo,
  type News,
  setPushDueAgain,
} from './news.repository.ts'
import { type NotifiableRevelation, typesThatSee } from './notifiable.rules.ts'
import { inBatchesOfPeople } from './readers.service.ts'

const A_DAY_MS = 24 * 3_600_000
const STORED_FOR_MS = 180 * A_DAY_MS
const BATCH_SIZE = 500

interface Decided {
  kind: 'revelation' | 'comment' | 'reply' | 'profile'
  id: string
  authorId: string
  /** That it is, or is under. */
  revelationId: string | null
}

/** Tells accounts what happened to them, in the transaction in which it happens. What is unread about the same is one. */
export async function notify(tx: AppContext, news: readonly News[]): Promise<void> {
  if (news.length === 0) return
  publishNotificationsChanged(tx, await insertNews(tx.db, news, { way: 'grouped', at: tx.now() }))
}

/** On `onRequested`: somebody asks this person to be related. */
export async function notifyRequested(
  tx: AppContext,
  { requestId, receiverId }: HookEvents['onRequested'],
): Promise<void> {
  await notify(tx, [{ userId: receiverId, kind: 'request', requestId }])
}

/** On `onRelated`: the request of this person was accepted. */
export async function notifyRelated(
  tx: AppContext,
  { relationshipId, senderId }: HookEvents['onRelated'],
): Promise<void> {
  await notify(tx, [{ userId: senderId, kind: 'request_accepted', relationshipId }])
}

/** On `onRevealed`: its recipients and its author. Those close to the author have a job. */
export async function notifyRevealed(
  tx: AppContext,
  { revelationIds }: Pick<HookEvents['onRevealed'], 'revelationIds'>,
): Promise<void> {
  if (revelationIds.length === 0) return
  publishNotificationsChanged(tx, await insertRevealNews(tx.db, revelationIds, tx.now()))
}

/** On `onRestored`: the same for one that opened while nobody saw it. */
export async function notifyRestored(
  tx: AppContext,
  { revelationId, isNews }: HookEvents['onRestored'],
): Promise<void> {
  if (!isNews) return
  await notifyRevealed(tx, { revelationIds: [revelationId] })
  await setPushDueAgain(tx.db, revelationId)
}

/** Those close to the author of an open revelation who may read it; run again, it tells nobody twice. */
export async function notifyClose(
  ctx: AppContext,
  revelation: NotifiableRevelation,
): Promise<void> {
  const types = typesThatSee(revelation, ctx.now())
  if (types.length === 0) return
  const criteria = { types, relatedBefore: revelation.revealAt }
  await inBatchesOfPeople(ctx, async (tx, page) => {
    const ids = await listRelatedTo(tx.db, revelation, criteria, page)
    const news = ids.map((userId) => ({
      userId,
      kind: 'revealed' as const,
      revelationId: revelation.id,
    }))
    publishNotificationsChanged(tx, await insertNews(tx.db, news, { way: 'once', at: tx.now() }))
    return ids
  })
}

/** The recipients of these deliveries, whose author told them that a letter is to come. */
export async function notifyAnnounced(
  tx: AppContext,
  deliveryIds: readonly string[],
): Promise<void> {
  if (deliveryIds.length === 0) return
  publishNotificationsChanged(tx, await insertAnnouncements(tx.db, deliveryIds, tx.now()))
}

/** The account behind the address of a reply, whose letter’s author wrote back. */
export async function notifyAnswered(
  tx: AppContext,
  {
    revelationId,
    replyId,
    addressKey,
  }: { revelationId: string; replyId: string; addressKey: string },
): Promise<void> {
  const userId = await findAddressedAccount(tx.db, { revelationId, addressKey })
  if (userId) await notify(tx, [{ userId, kind: 'reply', revelationId, replyId }])
}

/** The author of what an operator hid or restored. */
export async function notifyDecided(
  tx: AppContext,
  { kind, id, authorId, revelationId }: Decided,
  { isRestored }: { isRestored: boolean },
): Promise<void> {
  await notify(tx, [
    {
      userId: authorId,
      kind: 'moderation',
      isRestored,
      ...(revelationId && { revelationId }),
      ...(kind === 'comment' && { commentId: id }),
      ...(kind === 'reply' && { replyId: id }),
    },
  ])
}

export async function deleteOldNotifications(ctx: AppContext): Promise<void> {
  const before = new Date(ctx.now().getTime() - STORED_FOR_MS)
  await inBatches(ctx, BATCH_SIZE, (tx) => deleteNotificationsBefore(tx.db, before, BATCH_SIZE))
}
