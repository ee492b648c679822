import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { SOUND_MAX_BYTES, SOUNDS_DEFAULT_LIMIT, type soundInputSchema } from '#contract/sounds.ts'
import { idSchema } from '#contract/text.ts'
import { type AppContext, inTransaction } from '#server/context.ts'
import { cursorInstant, formatCursor, parseCursor } from '#server/cursors.ts'
import { AppError, fieldError, notFound } from '#server/errors.ts'
import { canPlay, canViewVoice, isOfCircle } from '#server/features/access/access.rules.ts'
import { grantListener } from '#server/features/access/grants.service.ts'
import { resolveSoundDate } from '#server/features/access/reveal-dates.rules.ts'
import type { Actor } from '#server/features/auth/auth.session.ts'
import {
  type FileProcessing,
  findWaveform,
  processingOf,
  voiceMessageFacts,
} from '#server/features/media/file-views.service.ts'
import { claimMedia, releaseMedia } from '#server/features/media/media.service.ts'
import { lockReaders } from '#server/features/notifications/readers.service.ts'
import type { Circle } from '#server/features/relationships/relationships.rules.ts'
import { circleOf, findRelation } from '#server/features/relationships/relationships.service.ts'
import { isForeignKeyViolation } from '#server/platform/database/sql-errors.ts'
import { publishVoiceMessagesChanged } from '#server/platform/pubsub/pubsub.ts'
import {
  openVoiceMessages,
  sealDescription,
  type VoiceMessageContents,
} from './voice-message-contents.service.ts'
import {
  countVisibleUpcoming,
  listVisibleReveals,
  listVisibleVoiceMessages,
  sumVisibleVoiceMessages,
  tallyVisibleVoiceMessages,
  type VoiceMessageCursor,
  type VoiceMessageReveal,
  type VoiceMessageSums,
  type VoiceMessageTally,
} from './voice-message-lists.repository.ts'
import {
  audienceOf,
  type RelatedVoiceMessage,
  relationInCircle,
  requireVoiceMessage,
} from './voice-message-viewers.service.ts'
import {
  deleteFavorite,
  deleteVoiceMessageRow,
  insertFavorite,
  insertVoiceMessage,
  lockVoiceMessage,
  updatePlaysCount,
} from './voice-messages.repository.ts'

/** A voice message as one viewer sees it at an instant. */
export interface VoiceMessageView extends RelatedVoiceMessage {
  now: Date
  canAccess: boolean
  contents: VoiceMessageContents | undefined
  /** To its author only. */
  processing: FileProcessing | undefined
}

export interface VoiceMessagePage {
  views: VoiceMessageView[]
  nextCursor: string | null
  sums: VoiceMessageSums
}

/** The voice messages that the actor may see, the newest first. */
export async function listVoiceMessages(
  ctx: AppContext,
  actor: Actor,
  query: { cursor?: string | undefined; limit?: number | undefined },
): Promise<VoiceMessagePage> {
  const after = query.cursor === undefined ? undefined : parseListCursor(query.cursor)
  const limit = query.limit ?? SOUNDS_DEFAULT_LIMIT
  const circle = await circleOf(ctx, actor.userId)
  const [rows, sums] = await Promise.all([
    listVisibleVoiceMessages(ctx.db, circle, { after, limit: limit + 1 }),
    sumVisibleVoiceMessages(ctx.db, circle, ctx.now()),
  ])
  const page = rows.slice(0, limit)
  const last = rows.length > limit ? page.at(-1) : undefined
  const related = page.map((voiceMessage) => ({
    voiceMessage,
    relation: relationInCircle(circle, voiceMessage),
  }))
  return {
    views: await viewAll(ctx, actor, related),
    nextCursor: last ? formatCursor([last.createdAt, last.id]) : null,
    sums,
  }
}

function parseListCursor(cursor: string): VoiceMessageCursor {
  const [createdAt, id] = parseCursor(cursor, z.tuple([cursorInstant, idSchema]))
  return { createdAt, id }
}

/** One voice message as the actor may see it now; `not_found` when they may not. */
export async function getVoiceMessage(
  ctx: AppContext,
  actor: Actor,
  id: string,
): Promise<VoiceMessageView> {
  const [view] = await viewAll(ctx, actor, [await requireVoiceMessage(ctx, actor, id)])
  if (!view) throw notFound()
  return view
}

/** The queries read nothing else; the gate decides all the same. */
async function viewAll(
  ctx: AppContext,
  actor: Actor,
  related: readonly RelatedVoiceMessage[],
): Promise<VoiceMessageView[]> {
  // One instant for all fields: none says open while another is still sealed.
  const now = ctx.now()
  const visible = related.filter(({ voiceMessage, relation }) =>
    canViewVoice(relation, voiceMessage),
  )
  const own = visible.filter(({ relation }) => relation.isAuthor)
  const [contents, processings] = await Promise.all([
    openVoiceMessages(ctx, `session:${actor.sessionId}`, visible, now),
    processingOf(
      ctx,
      own.map(({ voiceMessage: { id, mediaId } }) => ({ id, mediaIds: [mediaId] })),
    ),
  ])
  return visible.map(({ voiceMessage, relation }) => ({
    voiceMessage,
    relation,
    now,
    canAccess: canPlay(relation, voiceMessage, now),
    contents: contents.get(voiceMessage.id),
    processing: relation.isAuthor ? processings.get(voiceMessage.id) : undefined,
  }))
}

/** The waveform of a voice message that the actor may play; `sound_locked` before its instant. */
export async function getWaveform(ctx: AppContext, actor: Actor, id: string) {
  const { voiceMessage, relation } = await requireVoiceMessage(ctx, actor, id)
  const right = grantListener(relation, voiceMessage, ctx.now())
  if (!right) throw new AppError('sound_locked')
  const waveform = await findWaveform(ctx, right, voiceMessage.mediaId)
  if (!waveform) throw notFound()
  return waveform
}

type VoiceMessageInput = z.output<typeof soundInputSchema>

/** Seals a new voice message with its file in one transaction; when it is rejected, the upload stays free. */
export async function createVoiceMessage(
  ctx: AppContext,
  actor: Actor,
  input: VoiceMessageInput,
): Promise<string> {
  await ctx.disk.require()
  return inTransaction(ctx, async (tx) => {
    const now = tx.now()
    const date = resolveSoundDate(input, now)
    if ('refusal' in date) throw fieldError('reveal_date', date.refusal)
    const recipientId = input.recipient_id ?? null
    const isShared = recipientId === null
    // Accounts are locked before files, as everywhere.
    await lockReaders(tx, [actor.userId, ...(recipientId ? [recipientId] : [])])
    await requireAudience(tx, actor, input)
    const id = randomUUID()
    const file = await claimRecording(tx, actor, input.file_url)
    const voiceMessage = { id, authorId: actor.userId, recipientId, isShared }
    await insertVoiceMessage(tx.db, {
      ...voiceMessage,
      ...date,
      ...file,
      ...sealDescription(tx, id, input.description ?? ''),
      title: input.title,
      category: input.category ?? 'message',
      revealMessage: input.reveal_message || null,
      // A shared one is mailed to nobody.
      toldAt: isShared ? now : null,
      createdAt: now,
    })
    publishVoiceMessagesChanged(tx, await audienceOf(tx, voiceMessage))
    return id
  })
}

/** A private one is for one person of the circle; with a recipient it is private, whatever `is_public` says. */
async function requireAudience(
  tx: AppContext,
  actor: Actor,
  { recipient_id: recipientId, is_public: isPublic }: VoiceMessageInput,
): Promise<void> {
  if (!recipientId && isPublic !== false) return
  if (recipientId && isOfCircle(await findRelation(tx, actor.userId, recipientId))) return
  throw fieldError('recipient_id', 'Choisissez une personne de votre cercle')
}

async function claimRecording(tx: AppContext, actor: Actor, fileUrl: string) {
  const { mediaId, kind } = await claimMedia(tx, actor, fileUrl)
  if (kind !== 'audio') throw new AppError('not_a_sound')
  const facts = (await voiceMessageFacts(tx, [mediaId])).get(mediaId)
  if (!facts) throw fieldError('file_url', 'Fichier invalide')
  if (facts.fileSize > SOUND_MAX_BYTES) throw new AppError('sound_too_large')
  return { mediaId, durationMs: Math.round(facts.duration * 1_000) }
}

/** Counts a play by the actor and answers the new count; `sound_locked` before its instant. */
export async function countPlay(ctx: AppContext, actor: Actor, id: string): Promise<number> {
  const { voiceMessage, relation } = await requireVoiceMessage(ctx, actor, id)
  if (!canPlay(relation, voiceMessage, ctx.now())) throw new AppError('sound_locked')
  const count = await updatePlaysCount(ctx.db, id)
  if (count === undefined) throw notFound()
  return count
}

/** Sets whether it is a favourite of the actor, or without `wanted` toggles it; answers how it is then. */
export async function updateFavorite(
  ctx: AppContext,
  actor: Actor,
  id: string,
  wanted: boolean | undefined,
): Promise<boolean> {
  const { voiceMessage } = await requireVoiceMessage(ctx, actor, id)
  const favorite = { soundId: id, userId: actor.userId }
  const isFavorite = wanted ?? !voiceMessage.isFavorite
  if (!isFavorite) await deleteFavorite(ctx.db, favorite)
  else {
    await insertFavorite(ctx.db, { ...favorite, createdAt: ctx.now() }).catch((error) => {
      // Deleted meanwhile.
      throw isForeignKeyViolation(error) ? notFound() : error
    })
  }
  return isFavorite
}

/** Deletes it with its keys and its file; `not_sound_author` for a visible one of somebody else. */
export async function deleteVoiceMessage(ctx: AppContext, actor: Actor, id: string): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    const { relation } = await requireVoiceMessage(tx, actor, id)
    if (!relation.isAuthor) throw new AppError('not_sound_author')
    const voiceMessage = await lockVoiceMessage(tx.db, id)
    if (!voiceMessage) throw notFound()
    await deleteVoiceMessageRow(tx.db, id)
    await releaseMedia(tx, voiceMessage.mediaId)
    publishVoiceMessagesChanged(tx, await audienceOf(tx, voiceMessage))
  })
}

/** The scheduled ones that the person may see and that open, or opened, within a span: of many, the nearest to now. */
export async function listVoiceMessageReveals(
  ctx: AppContext,
  { userId }: Pick<Actor, 'userId'>,
  span: { from: Date; to: Date; limit: number },
): Promise<VoiceMessageReveal[]> {
  return listVisibleReveals(ctx.db, await circleOf(ctx, userId), { ...span, now: ctx.now() })
}

/** How many this circle’s person may see, by author and by the months that begin at these instants. */
export async function tallyVoiceMessages(
  ctx: AppContext,
  circle: Circle,
  months: readonly Date[],
): Promise<VoiceMessageTally[]> {
  return tallyVisibleVoiceMessages(ctx.db, circle, months)
}

/** How many sealed ones the actor may see. */
export async function countUpcomingVoiceMessages(
  ctx: AppContext,
  actor: Pick<Actor, 'userId'>,
): Promise<number> {
  return countVisibleUpcoming(ctx.db, await circleOf(ctx, actor.userId), ctx.now())
}
