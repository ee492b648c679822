import { createHmac, randomUUID } from 'node:crypto'
import type { CreateRevelationInput } from '#contract/sealing.ts'
import { type AppContext, inTransaction, runHooks } from '#server/context.ts'
import { AppError, fieldError, notFound } from '#server/errors.ts'
import type { EnvelopeRow } from '#server/features/access/envelopes.rules.ts'
import {
  findEnvelope,
  lockOwn,
  requireEnvelope,
  requireOwn,
} from '#server/features/access/envelopes.service.ts'
import { grantAuthor, grantReader } from '#server/features/access/grants.service.ts'
import { ticketHolderOf } from '#server/features/access/media-gate.service.ts'
import { resolveNewRevealDate } from '#server/features/access/reveal-dates.rules.ts'
import { getViewerRelation, type Viewer } from '#server/features/access/viewers.service.ts'
import { findActorBySession } from '#server/features/auth/auth.service.ts'
import type { Actor } from '#server/features/auth/auth.session.ts'
import { recordOpening } from '#server/features/deliveries/deliveries.service.ts'
import { consumeRecipientQuota } from '#server/features/mails/mail-limits.service.ts'
import { requireTicket } from '#server/features/media/file-serving.service.ts'
import { letterMedia } from '#server/features/media/file-views.service.ts'
import { claimMedia, releaseMedia, updateTeaser } from '#server/features/media/media.service.ts'
import { requireRoomForRevelation } from '#server/features/subscriptions/subscriptions.service.ts'
import { networkOf } from '#server/networks.ts'
import { isForeignKeyViolation } from '#server/platform/database/sql-errors.ts'
import { emailKeyOf } from '#server/platform/mail/email-address.ts'
import { publishRevelationChanged } from '#server/platform/pubsub/pubsub.ts'
import type { ReadingRight } from '#server/platform/sealing/reading-right.ts'
import { addressesOf, secondAddress } from './addresses.service.ts'
import { openLetters, sealLetter } from './letters.service.ts'
import { loadViewerContext, type RevelationView } from './revelation-views.service.ts'
import {
  appendSeal,
  countRevelationsOf,
  deleteRevelationRow,
  deleteViewsBefore,
  insertRevelation,
  insertView,
} from './revelations.repository.ts'
import { visibilityOf } from './revelations.rules.ts'

/** One revelation as this viewer may see it now; reading with the personal key is recorded as « ouvert ». */
export async function getRevelation(
  ctx: AppContext,
  viewer: Viewer,
  id: string,
): Promise<RevelationView> {
  const { envelope, relation, keyHolder } = await requireEnvelope(ctx, viewer, id)
  const holder = ticketHolderOf(viewer, keyHolder, envelope.id)
  const now = ctx.now()
  const right = grantReader(relation, envelope, now)
  const letter = right && (await openLetters(ctx, right, holder, [envelope])).get(envelope.id)
  if (right && !letter && (await isResealed(ctx, envelope))) return getRevelation(ctx, viewer, id)
  if (letter && keyHolder?.revelationId === envelope.id)
    await recordOpening(ctx, keyHolder.deliveryId)
  const around = await loadViewerContext(ctx, { actor: viewer.actor, holder }, [
    { envelope, relation },
  ])
  return { envelope, relation, now, letter, ...around(envelope) }
}

/** A letter as it was just sealed, in the words its author sent. */
export interface SealedNow {
  envelope: EnvelopeRow
  content: string
}

/** What its author sees of a letter that was just sealed: nothing of its text is opened again. */
export async function viewSealed(
  ctx: AppContext,
  actor: Actor,
  { envelope, content }: SealedNow,
): Promise<RevelationView> {
  const now = ctx.now()
  const relation = await getViewerRelation(ctx, actor, undefined, envelope)
  const holder = ticketHolderOf({ actor, deliveryKey: null }, undefined, undefined)
  const right = grantAuthor(actor, [envelope])
  const { mediaId } = envelope
  const [files, around] = await Promise.all([
    right && mediaId !== null ? letterMedia(ctx, right, holder, [mediaId]) : undefined,
    loadViewerContext(ctx, { actor, holder }, [{ envelope, relation }]),
  ])
  const letter = { content, file: (mediaId && files?.get(mediaId)) || null }
  return { envelope, relation, now, letter, ...around(envelope) }
}

/** The envelope that a transaction is about to commit. */
export async function getSealed(tx: AppContext, id: string): Promise<EnvelopeRow> {
  const envelope = await findEnvelope(tx, id)
  if (!envelope) throw notFound()
  return envelope
}

/** Whether it was deleted or edited meanwhile, so that the gate must decide anew; else its letter is damaged. */
export async function isResealed(
  ctx: AppContext,
  { id, commitment }: EnvelopeRow,
): Promise<boolean> {
  const latest = await findEnvelope(ctx, id)
  return !latest?.commitment.equals(commitment)
}

/** Seals a new revelation: letter, file, delivery and commitment in one transaction. */
export async function createRevelation(
  ctx: AppContext,
  actor: Actor,
  input: CreateRevelationInput,
): Promise<SealedNow> {
  await ctx.disk.require()
  return inTransaction(ctx, async (tx) => {
    await requireRoomForRevelation(tx, actor.userId, () => countRevelationsOf(tx.db, actor.userId))
    const second = secondAddress(input.target_email, input.second_email ?? null)
    const addresses = addressesOf(input.target_email, second.email)
    await consumeRecipientQuota(tx, actor, addresses)
    const now = tx.now()
    const date = resolveNewRevealDate(input, now)
    if ('refusal' in date) throw fieldError('reveal_date', date.refusal)
    const id = randomUUID()
    const media = input.file_url ? await claimMedia(tx, actor, input.file_url, id) : undefined
    const teaser = media?.kind === 'video' ? teaserOf(input) : null
    if (media) await updateTeaser(tx, media.mediaId, teaser)
    const facts = {
      id,
      authorId: actor.userId,
      title: input.title,
      content: input.content,
      revealAt: date.revealAt,
      fileSha256: media?.sha256,
    }
    const sealed = sealLetter(tx, facts)
    const visibility = visibilityOf(input) ?? 'public'
    await insertRevelation(tx.db, {
      ...sealed,
      id,
      authorId: actor.userId,
      title: input.title,
      category: input.category ?? 'general',
      visibility,
      wasPublic: visibility === 'public',
      targetEmail: input.target_email,
      targetEmailKey: emailKeyOf(input.target_email),
      secondEmail: second.email,
      secondEmailKey: second.key,
      revealAt: date.revealAt,
      timeZone: date.timeZone,
      mediaId: media?.mediaId ?? null,
      fileType: media?.kind ?? null,
      teaserStart: teaser?.startSeconds ?? null,
      teaserEnd: teaser?.endSeconds ?? null,
      createdAt: now,
      updatedAt: now,
    })
    await appendSeal(tx.db, {
      revelationId: id,
      version: 1,
      kind: 'create',
      commitment: sealed.commitment,
      sealedAt: now,
    })
    await runHooks(tx, 'onSealed', {
      revelationId: id,
      authorId: actor.userId,
      revealAt: date.revealAt,
      hasSecond: second.email !== null,
    })
    publishRevelationChanged(tx, facts, 'state')
    return { envelope: await getSealed(tx, id), content: input.content }
  })
}

/** The window of the teaser, null when there is none. */
export function teaserOf(input: {
  teaser_start?: number | null | undefined
  teaser_end?: number | null | undefined
}): { startSeconds: number; endSeconds: number } | null {
  if (input.teaser_start == null || input.teaser_end == null) return null
  return { startSeconds: input.teaser_start, endSeconds: input.teaser_end }
}

/**
 * Withdraws a revelation: keys, letter and file go with this transaction; its seals remain, and the author’s public
 * record if it ever was public. The account is locked before the file, as everywhere.
 */
export async function deleteRevelation(ctx: AppContext, actor: Actor, id: string): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    const envelope = await lockOwn(tx, actor, id)
    const wasPublic = await deleteRevelationRow(tx.db, id)
    const { authorId } = envelope
    await runHooks(tx, 'onDeleted', { revelationId: id, authorId, wasPublic })
    if (envelope.mediaId) await releaseMedia(tx, envelope.mediaId)
    await appendSeal(tx.db, {
      revelationId: id,
      version: envelope.version,
      kind: 'delete',
      commitment: envelope.commitment,
      sealedAt: tx.now(),
    })
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

/** Counts a view: once a day per account, or per daily keyed hash of a visitor; the author's own never. */
export async function recordView(
  ctx: AppContext,
  viewer: Viewer,
  id: string,
  from: { ip: string; userAgent: string | undefined },
): Promise<number> {
  const { envelope, relation } = await requireEnvelope(ctx, viewer, id)
  if (relation.isAuthor) return envelope.viewsCount
  const day = ctx.now().toISOString().slice(0, 10)
  const name = viewer.actor
    ? `user:${viewer.actor.userId}`
    : createHmac('sha256', ctx.keyring.secretFor(`views/${day}`))
        .update(`${networkOf(from.ip)}|${from.userAgent ?? ''}`)
        .digest('base64url')
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
