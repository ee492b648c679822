import { randomUUID } from 'node:crypto'
import type { CreateRevelationInput } from '#contract/sealing.ts'
import { type AppContext, inTransaction, runHooks } from '#server/context.ts'
import { AppError, fieldError, notFound } from '#server/errors.ts'
import { isAddressee, isRevealed } from '#server/features/access/access.rules.ts'
import type { EnvelopeRow } from '#server/features/access/envelopes.rules.ts'
import { filesOf } from '#server/features/access/envelopes.rules.ts'
import {
  findEnvelope,
  lockOwn,
  requireEnvelope,
  requireOwn,
} from '#server/features/access/envelopes.service.ts'
import { grantAuthor } from '#server/features/access/grants.service.ts'
import { resolveNewRevealDate } from '#server/features/access/reveal-dates.rules.ts'
import { nameVisitor, type Viewer, type Visit } from '#server/features/access/viewers.service.ts'
import { findActorBySession, getUser } from '#server/features/auth/auth.service.ts'
import type { Actor } from '#server/features/auth/auth.session.ts'
import { consumeRecipientQuota } from '#server/features/mails/mail-limits.service.ts'
import { requireTicket } from '#server/features/media/file-serving.service.ts'
import { lockNamed, releaseMedia } from '#server/features/media/media.service.ts'
import { type Notes, notesAfter, storeNotes } from '#server/features/notes/notes.service.ts'
import { appendSeals, sealingInstant } from '#server/features/proofs/seals.service.ts'
import { requireRoomForRevelation } from '#server/features/subscriptions/subscriptions.service.ts'
import { isForeignKeyViolation } from '#server/platform/database/sql-errors.ts'
import { publishRevelationChanged } from '#server/platform/pubsub/pubsub.ts'
import type { ReadingRight } from '#server/platform/sealing/reading-right.ts'
import { claimAlbum } from './album.service.ts'
import { newVisibilityOf, unnamedKindOf } from './kinds.rules.ts'
import type { SealedFile } from './letter-fields.service.ts'
import { fileWordsOf, type LetterTrim, sealLetter } from './letters.service.ts'
import { wantedRecipients } from './recipients.service.ts'
import {
  clearHidden,
  countSealedOf,
  deleteRevelationRow,
  deleteViewsBefore,
  insertRevelation,
  insertView,
  replaceFiles,
  setHidden,
} from './revelations.repository.ts'
import { claimSealVoice } from './seal-voices.service.ts'
import { stationeryAfter } from './stationery.service.ts'

/** A letter as it was just sealed, in the words its author sent. */
export interface SealedNow extends LetterTrim {
  envelope: EnvelopeRow
  content: string
  files: readonly Pick<SealedFile, 'caption'>[]
  notes: Notes
}

/** The envelope that a transaction is about to commit. */
export async function getSealed(tx: AppContext, id: string): Promise<EnvelopeRow> {
  const envelope = await findEnvelope(tx, id)
  if (!envelope) throw notFound()
  return envelope
}

/** Seals a new revelation: letter, file, delivery and commitment in one transaction. */
export async function createRevelation(
  ctx: AppContext,
  actor: Actor,
  input: CreateRevelationInput,
): Promise<SealedNow> {
  await ctx.disk.require()
  return inTransaction(ctx, async (tx) => {
    const now = tx.now()
    const date = resolveNewRevealDate(input, now)
    if ('refusal' in date) throw fieldError('reveal_date', date.refusal)
    await requireRoomForRevelation(tx, actor.userId, {
      opensAtOnce: isRevealed(date, now),
      countSealed: () => countSealedOf(tx.db, actor.userId, now),
    })
    const recipients = wantedRecipients(input)
    await consumeRecipientQuota(
      tx,
      actor,
      recipients.map(({ address }) => address),
    )
    const notes = notesAfter(actor, input)
    const stationery = await stationeryAfter(tx, actor.userId, input)
    const id = randomUUID()
    const { files, kind: fileType, teaser } = await claimAlbum(tx, actor, input)
    const voice = await claimSealVoice(tx, actor, input)
    const kind = input.kind ?? unnamedKindOf(recipients, (await getUser(tx, actor.userId)).emailKey)
    const visibility = newVisibilityOf(input)
    const facts = {
      id,
      authorId: actor.userId,
      title: input.title,
      content: input.content,
      revealAt: date.revealAt,
      files,
      visibility,
      kind,
    }
    const fileWords = fileWordsOf(fileType, input.file_words, null)
    const trim = { fileWords, voiceWords: voice.words, stationery }
    const { row, fields } = sealLetter(tx, facts, trim)
    const sealedAt = await sealingInstant(tx)
    const isPublic = visibility === 'public'
    const isInRecord = kind === 'prediction' && isPublic && date.revealAt > sealedAt
    await insertRevelation(tx.db, {
      ...row,
      id,
      authorId: actor.userId,
      title: input.title,
      kind,
      category: input.category ?? 'general',
      visibility,
      publicSince: isPublic ? sealedAt : null,
      recordState: isInRecord ? 'counted' : 'none',
      recipientsSeeEachOther: input.recipients_see_each_other ?? false,
      revealAt: date.revealAt,
      timeZone: date.timeZone,
      mediaId: files[0]?.mediaId ?? null,
      isAlbum: files.length > 1,
      fileType,
      teaserStart: teaser?.startSeconds ?? null,
      teaserEnd: teaser?.endSeconds ?? null,
      sealVoiceId: voice.mediaId,
      createdAt: sealedAt,
      updatedAt: sealedAt,
    })
    await replaceFiles(
      tx.db,
      id,
      files.map(({ mediaId }) => mediaId),
    )
    await storeNotes(tx, id, notes)
    const seal = { revelationId: id, authorId: actor.userId, version: 1, sealedAt, fields }
    await appendSeals(tx, [{ ...seal, kind: 'create', commitment: row.commitment }])
    await runHooks(tx, 'onSealed', {
      revelationId: id,
      authorId: actor.userId,
      revealAt: date.revealAt,
      recipients,
    })
    publishRevelationChanged(tx, facts, 'state')
    const { content } = input
    return { envelope: await getSealed(tx, id), content, files, notes, ...trim }
  })
}

/**
 * Withdraws a revelation: keys, letter and files go with this transaction; its seals remain, and it stays in the author’s
 * record if it counted there. The account is locked before the files, as everywhere.
 */
export async function deleteRevelation(ctx: AppContext, actor: Actor, id: string): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    const envelope = await lockOwn(tx, actor, id)
    await runHooks(tx, 'onDeleting', { revelationId: id })
    const sealedAt = await sealingInstant(tx, id)
    const isInRecord = await deleteRevelationRow(tx.db, id)
    const { authorId, version, commitment } = envelope
    await runHooks(tx, 'onDeleted', { revelationId: id, authorId, isInRecord })
    await lockNamed(tx, [], filesOf(envelope))
    for (const mediaId of filesOf(envelope)) await releaseMedia(tx, mediaId)
    const seal = { revelationId: id, authorId, version, commitment, sealedAt }
    await appendSeals(tx, [{ ...seal, kind: 'delete' }])
    publishRevelationChanged(tx, envelope, 'state')
  })
}

/** The author's own video and the right to it, by a session or, for a player, by a ticket of that session. */
export async function getOwnVideo(
  ctx: AppContext,
  caller: { actor: Actor | null; ticket: string | undefined },
  id: string,
): Promise<{ mediaId: string; right: ReadingRight }> {
  const mediaId = (await findEnvelope(ctx, id))?.mediaId
  // The ticket is checked first, whatever the id: a caller without one learns nothing.
  if (!caller.actor && !mediaId) throw new AppError('ticket_expired')
  const actor = caller.actor ?? (await holderOfTicket(ctx, caller.ticket, mediaId ?? ''))
  const envelope = actor && (await requireOwn(ctx, actor, id))
  const right = envelope && grantAuthor(actor, [envelope])
  if (!right || envelope.mediaId === null || envelope.fileType !== 'video') throw notFound()
  return { mediaId: envelope.mediaId, right }
}

async function holderOfTicket(ctx: AppContext, ticket: string | undefined, mediaId: string) {
  const holder = requireTicket(ctx, ticket, mediaId, 'original')
  const sessionId = /^session:(.+)$/.exec(holder)?.[1]
  return sessionId ? findActorBySession(ctx, sessionId) : undefined
}

/**
 * Counts a view: once a day per account, or per daily keyed hash of a visitor. Never the author's own, nor an addressee's on
 * what is not public: it would betray a visit that is not to be known.
 */
export async function recordView(
  ctx: AppContext,
  viewer: Viewer,
  id: string,
  visit: Visit,
): Promise<number> {
  const { envelope, relation } = await requireEnvelope(ctx, viewer, id)
  const isUncounted =
    relation.isAuthor || (isAddressee(relation) && envelope.visibility !== 'public')
  if (isUncounted) return envelope.viewsCount
  const day = ctx.now().toISOString().slice(0, 10)
  const name = viewer.actor ? `user:${viewer.actor.userId}` : nameVisitor(ctx, 'views', day, visit)
  const view = { revelationId: id, viewer: name, day }
  const count = await inTransaction(ctx, (tx) => insertView(tx.db, view)).catch((error) => {
    // Deleted meanwhile.
    throw isForeignKeyViolation(error) ? notFound() : error
  })
  return count ?? envelope.viewsCount
}

/** Deletes who saw what before today: only the counts remain. */
export async function deleteOldViews(ctx: AppContext): Promise<void> {
  await deleteViewsBefore(ctx.db, ctx.now().toISOString().slice(0, 10))
}

/** As long as mails about a reveal may still be on their way. */
const NEWS_FOR_MS = 3 * 24 * 3_600_000

/**
 * Takes a revelation out of everybody’s sight but its author’s, and suspends its deliveries; false when it is gone or
 * hidden already.
 */
export async function hideRevelation(tx: AppContext, id: string): Promise<boolean> {
  const hidden = await setHidden(tx.db, id, tx.now())
  if (!hidden) return false
  publishRevelationChanged(tx, hidden, 'state')
  return true
}

/** Shows it again as it was, and what was due to its recipient leaves; false when it is gone or not hidden. */
export async function restoreRevelation(tx: AppContext, id: string): Promise<boolean> {
  const restored = await clearHidden(tx.db, id)
  if (!restored) return false
  const { revealAt, hiddenSince } = restored
  const wasHiddenEarly = hiddenSince.getTime() < revealAt.getTime() + NEWS_FOR_MS
  // Nobody is notified twice, as long as their mail is remembered.
  const isNews = wasHiddenEarly && isRevealed(restored, tx.now())
  await runHooks(tx, 'onRestored', { revelationId: id, isNews })
  publishRevelationChanged(tx, restored, 'state')
  return true
}
