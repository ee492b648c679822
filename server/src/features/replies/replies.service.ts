import { type AppContext, type HookEvents, inTransaction } from '#server/context.ts'
import { AppError, notFound } from '#server/errors.ts'
import { ticketHolderOf } from '#server/features/access/media-gate.service.ts'
import type { Viewer } from '#server/features/access/viewers.service.ts'
import {
  type VoiceMessageMedia,
  voiceMessageMedia,
} from '#server/features/media/file-views.service.ts'
import { releaseMedia } from '#server/features/media/media.service.ts'
import { notifyAnswered } from '#server/features/notifications/news.service.ts'
import { enqueueMails } from '#server/platform/mail/mail-queue.ts'
import { publishDeliveryChanged } from '#server/platform/pubsub/pubsub.ts'
import { mergeRights } from '#server/platform/sealing/reading-right.ts'
import {
  type Addressee,
  deleteRepliesTo,
  deleteReply,
  listAnsweredIds,
  listReplyRows,
  lockPlace,
  type ReplyRow,
  setAnswer,
  setRead,
} from './replies.repository.ts'
import {
  blockSender,
  isRefused,
  knownSenderOf,
  listBlocksOf,
  type Refusals,
  type ReplyBlock,
  refusalsOf,
} from './reply-blocks.service.ts'
import { openReplies, type ReplyWords, sealAnswer } from './reply-contents.service.ts'
import {
  type Place,
  requireAuthor,
  requirePlace,
  requireReply,
  rightTo,
} from './reply-viewers.service.ts'

export const ANSWER_MAIL = 'reply-answered'

/** A reply as one viewer sees it. */
export interface ReplyView {
  reply: ReplyRow
  /** Undefined when it is damaged. */
  words: ReplyWords | undefined
  /** Undefined without one, and when it is damaged. */
  voice: VoiceMessageMedia | undefined
  isToAuthor: boolean
  can: { answer: boolean; block: boolean; report: boolean }
}

interface RepliesView {
  replies: ReplyView[]
  canReply: boolean
  blocks: readonly ReplyBlock[]
}

/** All replies to the author of the letter, one’s own to an addressee. */
export async function listReplies(
  ctx: AppContext,
  viewer: Viewer,
  revelationId: string,
): Promise<RepliesView> {
  const place = await requirePlace(ctx, viewer, revelationId)
  const { addressee } = place
  const { authorId } = place.known.envelope
  const blocks = await listBlocksOf(ctx, authorId)
  const rows = await listReplyRows(ctx.db, revelationId, addressee)
  const sender = addressee && senderOf(viewer, addressee)
  const senders = sender ? [sender] : rows.map(knownSenderOf)
  const refusals = await refusalsOf(ctx, { authorId, blocks }, senders)
  return {
    replies: await viewReplies(ctx, viewer, place, rows, refusals),
    canReply: sender !== undefined && !addressee?.isAuthorsOwn && !refusals.isRefused(sender),
    blocks: addressee ? [] : blocks,
  }
}

export function senderOf({ actor }: Viewer, { addressKey }: Addressee) {
  return { addressKey, writerId: actor?.userId ?? null }
}

/** Those of these replies that the viewer may read, opened. */
async function viewReplies(
  ctx: AppContext,
  viewer: Viewer,
  place: Place,
  rows: readonly ReplyRow[],
  { isBlocked, isRefused }: Refusals,
): Promise<ReplyView[]> {
  const { envelope, keyHolder } = place.known
  const readable = rows.flatMap((reply) => {
    const right = rightTo(ctx, place, reply)
    return right ? [{ reply, right }] : []
  })
  const right = mergeRights(readable.map((one) => one.right))
  const ids = readable.map(({ reply }) => reply.id)
  const mediaIds = readable.flatMap(({ reply }) => reply.mediaId ?? [])
  const holder = ticketHolderOf(viewer, keyHolder, envelope.id)
  const [words, voices] = await Promise.all([
    openReplies(ctx, right, ids),
    voiceMessageMedia(ctx, right, holder, mediaIds),
  ])
  const isToAuthor = place.addressee === undefined
  return readable.map(({ reply }) => ({
    reply,
    words: words.get(reply.id),
    voice: voices.get(reply.mediaId ?? ''),
    isToAuthor,
    can: {
      answer:
        isToAuthor &&
        reply.answeredAt === null &&
        envelope.hiddenAt === null &&
        !isRefused(knownSenderOf(reply)),
      block: isToAuthor && !isBlocked(knownSenderOf(reply)),
      report: isToAuthor,
    },
  }))
}

/** One reply as its viewer sees it now. */
export async function getReply(
  ctx: AppContext,
  viewer: Viewer,
  { revelationId, replyId }: { revelationId: string; replyId: string },
): Promise<ReplyView> {
  const place = await requirePlace(ctx, viewer, revelationId)
  const { reply } = await requireReply(ctx, place, replyId)
  const { authorId } = reply
  const blocks = await listBlocksOf(ctx, authorId)
  const refusals = await refusalsOf(ctx, { authorId, blocks }, [knownSenderOf(reply)])
  const [view] = await viewReplies(ctx, viewer, place, [reply], refusals)
  if (!view) throw notFound()
  return view
}

/** Deletes a reply with what the author wrote back, as its writer or as the author. */
export async function removeReply(
  ctx: AppContext,
  viewer: Viewer,
  revelationId: string,
  replyId: string,
): Promise<void> {
  const place = await requirePlace(ctx, viewer, revelationId)
  const { reply } = await requireReply(ctx, place, replyId)
  await inTransaction(ctx, async (tx) => {
    // An account that is deleted has locked the voice before the reply.
    const deleted = (await lockPlace(tx.db, reply)) && (await deleteReply(tx.db, reply.id))
    if (!deleted) throw notFound()
    if (deleted.mediaId) await releaseMedia(tx, deleted.mediaId)
    publishDeliveryChanged(tx, reply)
  })
}

/** Those of these letters that their addressee wrote to the author of. */
export async function listAnswered(
  ctx: AppContext,
  places: readonly Pick<Addressee, 'revelationId' | 'addressKey'>[],
): Promise<Set<string>> {
  return new Set(await listAnsweredIds(ctx.db, places))
}

/** On `onDeleting`: the replies to a letter go with it, and their voices. */
export async function deleteRepliesOf(
  tx: AppContext,
  { revelationId }: HookEvents['onDeleting'],
): Promise<void> {
  for (const mediaId of await deleteRepliesTo(tx.db, revelationId)) await releaseMedia(tx, mediaId)
}

/** Writes back to a reply, once, and mails its addressee that there is an answer. */
export async function answerReply(
  ctx: AppContext,
  viewer: Viewer,
  { revelationId, replyId }: { revelationId: string; replyId: string },
  content: string,
): Promise<void> {
  const known = await requireAuthor(ctx, viewer, revelationId)
  const place = { known, addressee: undefined }
  const { reply, right } = await requireReply(ctx, place, replyId)
  const { authorId } = reply
  if (known.envelope.hiddenAt !== null) throw new AppError('under_review')
  if (await isRefused(ctx, authorId, knownSenderOf(reply))) {
    throw new AppError('replies_blocked', {
      message:
        'Vous ne recevez plus les réponses de cette personne. Débloquez-la pour lui répondre.',
    })
  }
  await inTransaction(ctx, async (tx) => {
    const sealedAnswer = await sealAnswer(tx, right, replyId, content)
    if (!sealedAnswer) throw notFound()
    if (!(await setAnswer(tx.db, replyId, { sealedAnswer, answeredAt: tx.now() }))) {
      throw new AppError('already_answered')
    }
    await enqueueMails(tx, ANSWER_MAIL, [{ subjectId: replyId, senderId: authorId }])
    await notifyAnswered(tx, { revelationId, replyId, addressKey: reply.addressKey })
    publishDeliveryChanged(tx, reply)
  })
}

/** Remembers that the author saw the replies to their letter. */
export async function markRepliesRead(
  ctx: AppContext,
  viewer: Viewer,
  revelationId: string,
): Promise<void> {
  const { envelope } = await requireAuthor(ctx, viewer, revelationId)
  const { authorId } = envelope
  const isChanged = await setRead(ctx.db, revelationId, ctx.now())
  if (isChanged) publishDeliveryChanged(ctx, { revelationId, authorId })
}

/** Takes no more replies from whoever wrote this one, to any letter of its author. */
export async function blockReplies(
  ctx: AppContext,
  viewer: Viewer,
  { revelationId, replyId }: { revelationId: string; replyId: string },
): Promise<void> {
  const known = await requireAuthor(ctx, viewer, revelationId)
  const { reply } = await requireReply(ctx, { known, addressee: undefined }, replyId)
  await blockSender(ctx, reply.authorId, reply)
}
