import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import type { CommentInput } from '#contract/comments.ts'
import { LIST_DEFAULT_LIMIT } from '#contract/revelations.ts'
import { idSchema } from '#contract/text.ts'
import { type AppContext, inTransaction } from '#server/context.ts'
import { cursorInstant, formatCursor, parseCursor } from '#server/cursors.ts'
import { AppError, fieldError, notFound } from '#server/errors.ts'
import { canDeleteComment, canViewComment } from '#server/features/access/access.rules.ts'
import { type EnvelopeRow, getEnvelope } from '#server/features/access/envelopes.service.ts'
import type { SignedInViewer, Viewer } from '#server/features/access/viewers.service.ts'
import { listHiddenUnder } from '#server/features/relationships/relationships.service.ts'
import { isForeignKeyViolation } from '#server/platform/database/sql-errors.ts'
import {
  publishNotificationsChanged,
  publishRevelationChanged,
} from '#server/platform/pubsub/pubsub.ts'
import {
  type CommentCursor,
  type CommentRow,
  countCommentsBy,
  deleteComment,
  findComment,
  findRepeatedComment,
  insertComment,
  listCommentRows,
  lockCommentsOf,
  type NewComment,
  setCommentHidden,
} from './comments.repository.ts'

/** A comment as one viewer sees it. */
export interface CommentView extends CommentRow {
  canDelete: boolean
}

export interface CommentPage {
  comments: CommentView[]
  /** How many this viewer sees in all. */
  total: number
  nextCursor: string | null
}

/** One page, the newest first, without the comments that a block hides from this viewer. */
export async function listComments(
  ctx: AppContext,
  viewer: Viewer,
  revelationId: string,
  page: { cursor?: string | undefined; limit?: number | undefined },
): Promise<CommentPage> {
  const after = page.cursor === undefined ? undefined : parseCommentCursor(page.cursor)
  const limit = page.limit ?? LIST_DEFAULT_LIMIT
  const envelope = await getEnvelope(ctx, viewer, revelationId)
  const hidden = await listHiddenAuthors(ctx, viewer, envelope)
  const [rows, hiddenCount] = await Promise.all([
    listCommentRows(ctx.db, { revelationId, hidden, limit: limit + 1 }, after),
    countCommentsBy(ctx.db, hidden, revelationId),
  ])
  const shown = rows.slice(0, limit)
  const last = rows.length > limit ? shown.at(-1) : undefined
  return {
    comments: shown.map((row) => ({
      ...row,
      canDelete: canDeleteComment(viewer.actor, row, envelope),
    })),
    total: Math.max(0, envelope.commentsCount - hiddenCount),
    nextCursor: last ? formatCursor([last.createdAt, last.id]) : null,
  }
}

/** Adds a comment to a revelation that the viewer may see. A request that is sent again adds nothing. */
export async function addComment(
  ctx: AppContext,
  viewer: SignedInViewer,
  input: CommentInput,
): Promise<CommentView> {
  const envelope = await getEnvelope(ctx, viewer, input.revelation_id)
  const comment = {
    id: input.id ?? randomUUID(),
    revelationId: envelope.id,
    authorId: viewer.actor.userId,
    content: input.content,
    createdAt: ctx.now(),
  }
  const insertion = input.id ? insertOnce(ctx, comment) : insertUnlessRepeated(ctx, comment)
  const { row, isNew, isNews } = await insertion.catch((error) => {
    // The revelation was deleted meanwhile.
    throw isForeignKeyViolation(error) ? notFound() : error
  })
  if (isNew) publishRevelationChanged(ctx, envelope, 'comments')
  if (isNews) publishNotificationsChanged(ctx, [envelope.authorId])
  return { ...row, canDelete: true }
}

type Insertion = { row: CommentRow; isNew: boolean; isNews: boolean }

/** The sender chose the id: the same id is the same comment. */
async function insertOnce(ctx: AppContext, comment: NewComment): Promise<Insertion> {
  const added = await insertComment(ctx.db, comment)
  if (added) return { ...added, isNew: true }
  const stored = await findComment(ctx.db, comment.id)
  // Deleted since its id was refused, alone or with its revelation.
  if (!stored) throw notFound()
  const isSame =
    stored.authorId === comment.authorId && stored.revelationId === comment.revelationId
  if (!isSame) throw fieldError('id', 'Identifiant invalide')
  return { row: stored, isNew: false, isNews: false }
}

const REPEATED_WITHIN_MS = 60_000

/** Without an id of the sender, the same content by the same author within a minute is the same comment. */
async function insertUnlessRepeated(ctx: AppContext, comment: NewComment): Promise<Insertion> {
  return inTransaction(ctx, async (tx) => {
    await lockCommentsOf(tx.db, comment)
    const since = new Date(comment.createdAt.getTime() - REPEATED_WITHIN_MS)
    const former = await findRepeatedComment(tx.db, comment, since)
    const added = former ? undefined : await insertComment(tx.db, comment)
    if (added) return { ...added, isNew: true }
    const row = former && (await findComment(tx.db, former.id))
    if (!row) throw notFound()
    return { row, isNew: false, isNews: false }
  })
}

/** Deletes one’s own comment, or any under one’s own revelation; `not_comment_author` for another that one sees. */
export async function removeComment(
  ctx: AppContext,
  viewer: SignedInViewer,
  id: string,
): Promise<void> {
  const comment = await findComment(ctx.db, id)
  if (!comment) throw notFound()
  const envelope = await getEnvelope(ctx, viewer, comment.revelationId)
  if (!canDeleteComment(viewer.actor, comment, envelope)) {
    const hidden = await listHiddenAuthors(ctx, viewer, envelope)
    throw canViewComment(comment, hidden) ? new AppError('not_comment_author') : notFound()
  }
  if (!(await deleteComment(ctx.db, comment))) throw notFound()
  publishRevelationChanged(ctx, envelope, 'comments')
}

/** The comment, if the viewer sees it; `not_found` otherwise. */
export async function getComment(ctx: AppContext, viewer: Viewer, id: string): Promise<CommentRow> {
  const comment = await findComment(ctx.db, id)
  if (!comment) throw notFound()
  const envelope = await getEnvelope(ctx, viewer, comment.revelationId)
  const hidden = await listHiddenAuthors(ctx, viewer, envelope)
  if (!canViewComment(comment, hidden)) throw notFound()
  return comment
}

/** Those whose comments a block hides from this viewer under this revelation. */
async function listHiddenAuthors(
  ctx: AppContext,
  viewer: Viewer,
  envelope: EnvelopeRow,
): Promise<string[]> {
  return listHiddenUnder(ctx, envelope.authorId, viewer.actor?.userId ?? null)
}

/** For operators: nobody sees the comment any more, nor is it counted; false when it is gone or hidden already. */
export async function hideComment(tx: AppContext, id: string): Promise<boolean> {
  return setHidden(tx, id, tx.now())
}

/** The reverse of `hideComment`; false when it is gone or not hidden. */
export async function restoreComment(tx: AppContext, id: string): Promise<boolean> {
  return setHidden(tx, id, null)
}

async function setHidden(tx: AppContext, id: string, hiddenAt: Date | null): Promise<boolean> {
  const comment = await findComment(tx.db, id)
  const revelation = comment && (await setCommentHidden(tx.db, comment, hiddenAt))
  if (!revelation) return false
  publishRevelationChanged(tx, revelation, 'comments')
  return true
}

const cursorSchema = z.tuple([cursorInstant, idSchema])

function parseCommentCursor(cursor: string): CommentCursor {
  const [createdAt, id] = parseCursor(cursor, cursorSchema)
  return { createdAt, id }
}
