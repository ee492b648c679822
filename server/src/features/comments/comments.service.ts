import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import type { CommentInput } from '#contract/comments.ts'
import { LIST_DEFAULT_LIMIT } from '#contract/revelations.ts'
import { idSchema } from '#contract/text.ts'
import { type AppContext, inTransaction } from '#server/context.ts'
import { cursorInstant, formatCursor, parseCursor } from '#server/cursors.ts'
import { AppError, fieldError, notFound } from '#server/errors.ts'
import { getEnvelope } from '#server/features/access/envelopes.service.ts'
import type { Viewer } from '#server/features/access/viewers.service.ts'
import type { Actor } from '#server/features/auth/auth.session.ts'
import { listHiddenUnder } from '#server/features/relationships/relationships.service.ts'
import { isForeignKeyViolation } from '#server/platform/database/sql-errors.ts'
import { publishRevelationChanged } from '#server/platform/pubsub/pubsub.ts'
import {
  type CommentCursor,
  type CommentRow,
  countCommentsBy,
  deleteComment,
  findComment,
  findSameWords,
  insertComment,
  listComments as listCommentRows,
  lockWordsOf,
  setCommentHidden,
} from './comments.repository.ts'

/** Within it, the same words of the same person are the same comment: a request that was sent again. */
const SAME_WORDS_MS = 60_000

/** Somebody who may comment: only with an account. */
export interface Commenter extends Viewer {
  actor: Actor
}

/** A comment as one viewer sees it. */
export interface SeenComment {
  comment: CommentRow
  canDelete: boolean
}

/** One page, the newest first, as far as this viewer sees who wrote; `not_found` without the envelope. */
export async function listComments(
  ctx: AppContext,
  viewer: Viewer,
  revelationId: string,
  page: { cursor?: string | undefined; limit?: number | undefined },
): Promise<{ seen: SeenComment[]; total: number; nextCursor: string | null }> {
  const after = page.cursor === undefined ? undefined : afterOf(page.cursor)
  const limit = page.limit ?? LIST_DEFAULT_LIMIT
  const envelope = await getEnvelope(ctx, viewer, revelationId)
  const userId = viewer.actor?.userId ?? null
  const hidden = await listHiddenUnder(ctx, envelope.authorId, userId)
  const [rows, hiddenCount] = await Promise.all([
    listCommentRows(ctx.db, { revelationId, hidden }, { after, limit: limit + 1 }),
    countCommentsBy(ctx.db, hidden, revelationId),
  ])
  const shown = rows.slice(0, limit)
  const last = rows.length > limit ? shown.at(-1) : undefined
  return {
    seen: shown.map((comment) => ({
      comment,
      canDelete: userId === comment.authorId || userId === envelope.authorId,
    })),
    total: Math.max(0, envelope.commentsCount - hiddenCount),
    nextCursor: last ? formatCursor([last.createdAt, last.id]) : null,
  }
}

/** Writes a comment; sent again, it is the same one. */
export async function addComment(
  ctx: AppContext,
  commenter: Commenter,
  input: CommentInput,
): Promise<SeenComment> {
  const envelope = await getEnvelope(ctx, commenter, input.revelation_id)
  const comment = {
    id: input.id ?? randomUUID(),
    revelationId: envelope.id,
    authorId: commenter.actor.userId,
    content: input.content,
    createdAt: ctx.now(),
  }
  const write = input.id ? writeOnce(ctx, comment) : writeUnlessSaid(ctx, comment)
  const { row, isNew } = await write.catch((error) => {
    // Deleted while it was being commented on.
    throw isForeignKeyViolation(error) ? notFound() : error
  })
  if (isNew) publishRevelationChanged(ctx, envelope, 'comments')
  return { comment: row, canDelete: true }
}

type NewComment = Parameters<typeof insertComment>[1]
type Written = { row: CommentRow; isNew: boolean }

async function writeOnce(ctx: AppContext, comment: NewComment): Promise<Written> {
  const added = await insertComment(ctx.db, comment)
  if (added) return { row: added, isNew: true }
  const stored = await findComment(ctx.db, comment.id)
  const isSame =
    stored?.authorId === comment.authorId && stored.revelationId === comment.revelationId
  if (!isSame) throw fieldError('id', 'Identifiant invalide')
  return { row: stored, isNew: false }
}

async function writeUnlessSaid(ctx: AppContext, comment: NewComment): Promise<Written> {
  return inTransaction(ctx, async (tx) => {
    await lockWordsOf(tx.db, comment)
    const since = new Date(comment.createdAt.getTime() - SAME_WORDS_MS)
    const said = await findSameWords(tx.db, comment, since)
    const row = said ? await findComment(tx.db, said.id) : await insertComment(tx.db, comment)
    if (!row) throw notFound()
    return { row, isNew: !said }
  })
}

/**
 * Removes one’s own comment, or any under one’s own revelation. Somebody else’s is `not_comment_author` where it is
 * seen, and `not_found` where it is not.
 */
export async function removeComment(
  ctx: AppContext,
  commenter: Commenter,
  id: string,
): Promise<void> {
  const comment = await findComment(ctx.db, id)
  if (!comment) throw notFound()
  const envelope = await getEnvelope(ctx, commenter, comment.revelationId)
  const { userId } = commenter.actor
  if (userId !== comment.authorId && userId !== envelope.authorId) {
    throw (await isSeen(ctx, userId, envelope, comment))
      ? new AppError('not_comment_author')
      : notFound()
  }
  if (!(await deleteComment(ctx.db, comment))) throw notFound()
  publishRevelationChanged(ctx, envelope, 'comments')
}

async function isSeen(
  ctx: AppContext,
  userId: string | null,
  envelope: { authorId: string },
  comment: CommentRow,
): Promise<boolean> {
  if (comment.hiddenAt) return false
  const hidden = await listHiddenUnder(ctx, envelope.authorId, userId)
  return !hidden.includes(comment.authorId)
}

/** A comment where this viewer sees it; `not_found` elsewhere. */
export async function getComment(ctx: AppContext, viewer: Viewer, id: string): Promise<CommentRow> {
  const comment = await findComment(ctx.db, id)
  if (!comment) throw notFound()
  const envelope = await getEnvelope(ctx, viewer, comment.revelationId)
  const userId = viewer.actor?.userId ?? null
  if (!(await isSeen(ctx, userId, envelope, comment))) throw notFound()
  return comment
}

/** Takes a comment out of everybody’s sight and counts; false when it is gone or hidden already. */
export async function hideComment(tx: AppContext, id: string): Promise<boolean> {
  return changeHidden(tx, id, tx.now())
}

/** Shows and counts it again; false when it is gone or not hidden. */
export async function restoreComment(tx: AppContext, id: string): Promise<boolean> {
  return changeHidden(tx, id, null)
}

async function changeHidden(tx: AppContext, id: string, hiddenAt: Date | null): Promise<boolean> {
  const comment = await findComment(tx.db, id)
  const revelation = comment && (await setCommentHidden(tx.db, comment, hiddenAt))
  if (!revelation) return false
  publishRevelationChanged(tx, revelation, 'comments')
  return true
}

const cursorSchema = z.tuple([cursorInstant, idSchema])

function afterOf(cursor: string): CommentCursor {
  const [createdAt, id] = parseCursor(cursor, cursorSchema)
  return { createdAt, id }
}
