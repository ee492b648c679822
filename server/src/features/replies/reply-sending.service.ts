import { randomUUID } from 'node:crypto'
import {
  REPLIES_PER_DAY,
  REPLY_VOICE_MAX_BYTES,
  REPLY_VOICE_MAX_SECONDS,
  REPLY_VOICE_TOO_HEAVY,
  REPLY_VOICE_TOO_LONG,
  type ReplyInput,
} from '#contract/replies.ts'
import { type AppContext, inTransaction } from '#server/context.ts'
import { AppError, fieldError, notFound } from '#server/errors.ts'
import type { Viewer } from '#server/features/access/viewers.service.ts'
import {
  claimVoice,
  type RecordingLimits,
  requireRecording,
} from '#server/features/media/media.service.ts'
import { notify } from '#server/features/notifications/news.service.ts'
import { isForeignKeyViolation } from '#server/platform/database/sql-errors.ts'
import { enqueueMails } from '#server/platform/mail/mail-queue.ts'
import { publishDeliveryChanged } from '#server/platform/pubsub/pubsub.ts'
import {
  type Addressee,
  findReply,
  insertReply,
  insertUse,
  listUses,
  lockAddressee,
  lockPlace,
  type ReplyRow,
} from './replies.repository.ts'
import { senderOf } from './replies.service.ts'
import { isRefused } from './reply-blocks.service.ts'
import { sealReply } from './reply-contents.service.ts'
import { type Place, requirePlace } from './reply-viewers.service.ts'

export const REPLY_MAIL = 'reply'

/**
 * Writes to the author of a letter that one received. A request that is sent again, under the id that its sender chose,
 * writes nothing; `replies_per_day` beyond five a day, however many at once.
 */
export async function addReply(
  ctx: AppContext,
  viewer: Viewer,
  revelationId: string,
  input: ReplyInput,
): Promise<string> {
  const place = await requirePlace(ctx, viewer, revelationId)
  const { addressee } = place
  if (!addressee || addressee.isAuthorsOwn) {
    throw new AppError('forbidden', { message: 'On ne répond pas à sa propre lettre' })
  }
  const id = input.id ?? randomUUID()
  await inTransaction(ctx, (tx) =>
    storeReply(tx, viewer, place, addressee, { ...input, id }),
  ).catch((error) => {
    // The letter, or the account, was deleted meanwhile.
    throw isForeignKeyViolation(error) ? notFound() : error
  })
  return id
}

async function storeReply(
  tx: AppContext,
  viewer: Viewer,
  { known }: Place,
  addressee: Addressee,
  input: ReplyInput & { id: string },
): Promise<void> {
  const { id } = input
  const { revelationId, deliveryId, address, addressKey } = addressee
  const { authorId } = known.envelope
  const sender = senderOf(viewer, addressee)
  if (!(await lockPlace(tx.db, { ...sender, revelationId }))) throw notFound()
  await lockAddressee(tx.db, addressee)
  const stored = await findReply(tx.db, { id })
  if (stored) return requireSame(stored, addressee)
  if (await isRefused(tx, authorId, sender)) throw new AppError('replies_blocked')
  await consumeDay(tx, addressee)
  const mediaId = input.file_url ? await claimReplyVoice(tx, viewer, known, input.file_url) : null
  const isNamed = viewer.actor?.verifiedEmailKey === addressKey
  const isNew = await insertReply(tx.db, {
    id,
    ...sender,
    revelationId,
    deliveryId,
    address,
    isNamed,
    mediaId,
    ...sealReply(tx, id, { content: input.content || null, emoji: input.emoji || null }),
    createdAt: tx.now(),
  })
  // Somebody else chose the same at this very moment.
  if (!isNew) throw invalidId()
  await enqueueMails(tx, REPLY_MAIL, [
    {
      subjectId: id,
      recipientId: authorId,
      ...(isNamed && viewer.actor && { senderId: viewer.actor.userId }),
    },
  ])
  await notify(tx, [{ userId: authorId, kind: 'reply', revelationId, replyId: id }])
  publishDeliveryChanged(tx, { revelationId, authorId })
}

/** The same id is the same reply, of the same addressee of the same letter. */
function requireSame(stored: ReplyRow, { deliveryId, addressKey }: Addressee): void {
  if (stored.deliveryId !== deliveryId || stored.addressKey !== addressKey) throw invalidId()
}

function invalidId(): AppError {
  return fieldError('id', 'Identifiant invalide')
}

const DAY_MS = 24 * 3_600_000

/** Counts in 24 hours, so that no midnight doubles them; the caller holds the lock of the addressee. */
async function consumeDay(tx: AppContext, addressee: Addressee): Promise<void> {
  const usedAt = tx.now()
  const since = new Date(usedAt.getTime() - DAY_MS)
  const uses = await listUses(tx.db, addressee, since)
  const oldest = uses.at(-REPLIES_PER_DAY)
  if (oldest) {
    const waitMs = oldest.getTime() + DAY_MS - usedAt.getTime()
    throw new AppError('replies_per_day', { retryAfterSeconds: Math.ceil(waitMs / 1000) })
  }
  await insertUse(tx.db, addressee, { usedAt, since })
}

async function claimReplyVoice(
  tx: AppContext,
  { actor }: Viewer,
  { keyHolder }: Place['known'],
  url: string,
): Promise<string> {
  const claimed = await claimVoice(tx, { actor, keyHolder }, url)
  requireRecording(claimed, 'file_url', VOICE_LIMITS)
  return claimed.mediaId
}

const VOICE_LIMITS: RecordingLimits = {
  maxSeconds: REPLY_VOICE_MAX_SECONDS,
  maxBytes: REPLY_VOICE_MAX_BYTES,
  tooLong: REPLY_VOICE_TOO_LONG,
  tooHeavy: REPLY_VOICE_TOO_HEAVY,
}
