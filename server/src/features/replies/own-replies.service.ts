import type { AppContext } from '#server/context.ts'
import { canReadReply, recipientFor } from '#server/features/access/access.rules.ts'
import { grantOwnReplies } from '#server/features/access/grants.service.ts'
import { findKnownMany } from '#server/features/access/viewers.service.ts'
import type { Actor } from '#server/features/auth/auth.session.ts'
import {
  type DownloadableFile,
  findDownloadableFiles,
} from '#server/features/media/file-views.service.ts'
import { listPages } from '#server/platform/database/db.ts'
import { listRepliesBy, listRepliesTo, type ReplyRow } from './replies.repository.ts'
import { openReplies, type ReplyWords } from './reply-contents.service.ts'

const PAGE = 200

/** A reply with its words, its voice as it was sent. */
export interface WholeReply {
  reply: ReplyRow
  /** Undefined when it is damaged. */
  words: ReplyWords | undefined
  /** Undefined without one, and when its key is damaged. */
  voice: DownloadableFile | undefined
}

/** What the actor wrote to others, a page at a time; what was written back is the author’s, and goes with the right to read it. */
export async function* readOwnReplies(ctx: AppContext, actor: Actor): AsyncGenerator<WholeReply[]> {
  const pages = listPages<ReplyRow>(PAGE, (after, limit) =>
    listRepliesBy(ctx.db, actor.userId, after, limit),
  )
  for await (const page of pages) {
    const canRead = await findReadable(ctx, actor, page)
    const whole = await openWhole(ctx, actor, page)
    yield whole.map((one) => (canRead(one.reply) ? one : withoutAnswer(one)))
  }
}

/** Which of these replies the actor would see with their letters now. */
async function findReadable(
  ctx: AppContext,
  actor: Actor,
  replies: readonly ReplyRow[],
): Promise<(reply: ReplyRow) => boolean> {
  const ids = [...new Set(replies.map(({ revelationId }) => revelationId))]
  const findKnown = await findKnownMany(ctx, [actor], ids)
  return (reply) => {
    const known = findKnown(actor, reply.revelationId)
    if (!known) return false
    const { envelope, relation } = known
    const isWriter = reply.addressKey === recipientFor(relation, envelope)?.addressKey
    return canReadReply({ ...relation, isAuthor: false, isWriter }, reply, envelope, ctx.now())
  }
}

function withoutAnswer({ reply, words, voice }: WholeReply): WholeReply {
  return {
    reply: { ...reply, answeredAt: null },
    words: words && { ...words, answer: null },
    voice,
  }
}

/** What these letters of the actor’s own received, by letter, the oldest first; without what operators hide. */
export async function readReceivedReplies(
  ctx: AppContext,
  actor: Actor,
  revelationIds: readonly string[],
): Promise<Map<string, WholeReply[]>> {
  const rows = await listRepliesTo(ctx.db, revelationIds)
  const shown = rows.filter(({ hiddenAt }) => hiddenAt === null)
  const whole = await openWhole(ctx, actor, shown)
  return Map.groupBy(whole, ({ reply }) => reply.revelationId)
}

async function openWhole(
  ctx: AppContext,
  actor: Actor,
  replies: readonly ReplyRow[],
): Promise<WholeReply[]> {
  const right = grantOwnReplies(actor, replies)
  // The queries select nothing else; the grant decides all the same.
  if (!right) throw new Error('A reply between others is among one’s own')
  const [words, voices] = await Promise.all([
    openReplies(
      ctx,
      right,
      replies.map(({ id }) => id),
    ),
    findDownloadableFiles(
      ctx,
      right,
      replies.flatMap(({ mediaId }) => mediaId ?? []),
    ),
  ])
  return replies.map((reply) => ({
    reply,
    words: words.get(reply.id),
    voice: voices.get(reply.mediaId ?? ''),
  }))
}
