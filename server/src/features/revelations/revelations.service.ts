import { createHmac, randomUUID } from 'node:crypto'
import type { CreateRevelationInput } from '#contract/sealing.ts'
import { type AppContext, inTransaction } from '#server/context.ts'
import { AppError, fieldError, notFound } from '#server/errors.ts'
import { emailKeyOf, networkOf } from '#server/features/auth/auth.rules.ts'
import { findActorBySession } from '#server/features/auth/auth.service.ts'
import type { Actor } from '#server/features/auth/auth.session.ts'
import {
  isRevokedKey,
  planDeliveries,
  recordOpening,
} from '#server/features/deliveries/deliveries.service.ts'
import { requireAddresseeRoom } from '#server/features/mails/addressees.service.ts'
import { claimMedia, releaseMedia, requestTeaser } from '#server/features/media/media.service.ts'
import { requireTicket } from '#server/features/media/media-tickets.service.ts'
import { tellTiesOfSealing } from '#server/features/notifications/telling.service.ts'
import { recordWithdrawal } from '#server/features/profiles/people.service.ts'
import { requireRoomForRevelation } from '#server/features/subscriptions/subscriptions.service.ts'
import { isForeignKeyViolation } from '#server/platform/database/sql-errors.ts'
import { publishRevelationChanged } from '#server/platform/events/events.ts'
import { addressesOf, secondAddress } from './addresses.service.ts'
import { openLetters, rightToRead, sealLetter } from './letters.service.ts'
import { resolveNewRevealDate } from './reveal-dates.rules.ts'
import {
  appendSeal,
  countRevelationsOf,
  deleteRevelationRow,
  deleteViewsBefore,
  type EnvelopeRow,
  findEnvelope,
  insertRevelation,
  insertView,
  lockEnvelope,
} from './revelations.repository.ts'
import { mayKnowOf, mayRead, type Tie, visibilityOf } from './revelations.rules.ts'
import { type SeenRevelation, surroundings } from './sightings.service.ts'
import { holderOf, keyHolderOf, tieTo, type Viewer } from './viewers.service.ts'

/** The envelope and how the viewer stands to it, if they may know of it; `not_found` otherwise. */
export async function requireKnown(
  ctx: AppContext,
  viewer: Viewer,
  id: string,
): Promise<{ envelope: EnvelopeRow; tie: Tie }> {
  const envelope = await findEnvelope(ctx.db, id)
  if (!envelope) throw notFound()
  const tie = await tieTo(ctx, viewer.actor, await keyHolderOf(ctx, viewer), envelope)
  if (mayKnowOf(tie, envelope, ctx.now())) return { envelope, tie }
  throw (await isHeldBack(ctx, viewer, tie, envelope)) ? new AppError('link_revoked') : notFound()
}

/** Whether their key opened it until it was revoked: whoever was let in once is told. */
async function isHeldBack(
  ctx: AppContext,
  { deliveryKey }: Viewer,
  tie: Tie,
  envelope: EnvelopeRow,
): Promise<boolean> {
  if (deliveryKey === null || !mayRead({ ...tie, isAddressee: true }, envelope, ctx.now()))
    return false
  return isRevokedKey(ctx, deliveryKey, envelope.id)
}

/**
 * The envelope if the viewer may know of it; otherwise `not_found`, so that a hidden revelation cannot be told
 * from a missing one.
 */
export async function getEnvelope(
  ctx: AppContext,
  viewer: Viewer,
  id: string,
): Promise<EnvelopeRow> {
  return (await requireKnown(ctx, viewer, id)).envelope
}

/** One revelation as this viewer may see it now; reading with the personal key is noted as « ouvert ». */
export async function getRevelation(
  ctx: AppContext,
  viewer: Viewer,
  id: string,
): Promise<SeenRevelation> {
  const { envelope, tie } = await requireKnown(ctx, viewer, id)
  const keyHolder = await keyHolderOf(ctx, viewer)
  const holder = holderOf(viewer, keyHolder, envelope.id)
  const now = ctx.now()
  const right = rightToRead(tie, envelope, now)
  const letter = right && (await openLetters(ctx, right, holder, [envelope])).get(envelope.id)
  if (right && !letter && (await isResealed(ctx, envelope))) return getRevelation(ctx, viewer, id)
  if (letter && keyHolder?.revelationId === envelope.id)
    await recordOpening(ctx, keyHolder.deliveryId)
  const around = await surroundings(ctx, { actor: viewer.actor, holder }, [{ envelope, tie }])
  return { envelope, tie, now, letter, ...around(envelope) }
}

/** Whether it was deleted or edited meanwhile, so that the gate must be asked again; else its letter is damaged. */
export async function isResealed(
  ctx: AppContext,
  { id, commitment }: EnvelopeRow,
): Promise<boolean> {
  const latest = await findEnvelope(ctx.db, id)
  return !latest?.commitment.equals(commitment)
}

/** Seals a new revelation: letter, file, delivery and commitment in one transaction. */
export async function createRevelation(
  ctx: AppContext,
  actor: Actor,
  input: CreateRevelationInput,
): Promise<string> {
  await ctx.disk.require()
  return inTransaction(ctx, async (tx) => {
    await requireRoomForRevelation(tx, actor.userId, () => countRevelationsOf(tx.db, actor.userId))
    const second = secondAddress(input.target_email, input.second_email ?? null)
    const addresses = addressesOf(input.target_email, second.email)
    await requireAddresseeRoom(tx, actor, addresses)
    const now = tx.now()
    const date = resolveNewRevealDate(input, now)
    if ('refusal' in date) throw fieldError('reveal_date', date.refusal)
    const id = randomUUID()
    const media = input.file_url ? await claimMedia(tx, actor, input.file_url, id) : undefined
    const teaser = media?.kind === 'video' ? teaserOf(input) : null
    if (media) await requestTeaser(tx, media.mediaId, teaser)
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
    await planDeliveries(tx, {
      revelationId: id,
      authorId: actor.userId,
      dueAt: date.revealAt,
      hasSecond: second.email !== null,
    })
    await tellTiesOfSealing(tx, id)
    publishRevelationChanged(tx, facts, 'state')
    return id
  })
}

/** The window asked for, null when there is none. */
export function teaserOf(input: {
  teaser_start?: number | null | undefined
  teaser_end?: number | null | undefined
}): { startSeconds: number; endSeconds: number } | null {
  if (input.teaser_start == null || input.teaser_end == null) return null
  return { startSeconds: input.teaser_start, endSeconds: input.teaser_end }
}

/** The actor's own revelation with its row locked; `not_author` when it is seen but somebody else's. */
export async function lockOwn(tx: AppContext, actor: Actor, id: string): Promise<EnvelopeRow> {
  await requireAuthor(tx, actor, id)
  return lockThere(tx, id)
}

/** What the actor may know of, with its row locked. */
export async function lockKnown(tx: AppContext, actor: Actor, id: string): Promise<EnvelopeRow> {
  await getEnvelope(tx, { actor, deliveryKey: null }, id)
  return lockThere(tx, id)
}

async function lockThere(tx: AppContext, id: string): Promise<EnvelopeRow> {
  const locked = await lockEnvelope(tx.db, id)
  if (!locked) throw notFound()
  return locked
}

async function requireAuthor(ctx: AppContext, actor: Actor, id: string): Promise<EnvelopeRow> {
  const envelope = await getEnvelope(ctx, { actor, deliveryKey: null }, id)
  if (envelope.authorId !== actor.userId) throw new AppError('not_author')
  return envelope
}

/**
 * Withdraws a revelation: keys, letter and file go with this transaction; its seals remain, and the author’s public
 * record if it ever was public. The account is locked before the file, as everywhere.
 */
export async function deleteRevelation(ctx: AppContext, actor: Actor, id: string): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    const envelope = await lockOwn(tx, actor, id)
    const wasPublic = await deleteRevelationRow(tx.db, id)
    await recordWithdrawal(tx, { authorId: envelope.authorId, wasPublic })
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

/** The author's own video, asked for with a session or, by a player, with a ticket made for that session. */
export async function getOwnVideo(
  ctx: AppContext,
  asked: { actor: Actor | null; ticket: string | undefined },
  id: string,
): Promise<string> {
  const mediaId = (await findEnvelope(ctx.db, id))?.mediaId
  // A ticket is asked for first, whatever the id: nothing is told to who holds none.
  if (!asked.actor && !mediaId) throw new AppError('ticket_expired')
  const actor = asked.actor ?? (await holderOfTicket(ctx, asked.ticket, mediaId ?? ''))
  const envelope = actor && (await requireAuthor(ctx, actor, id))
  if (!envelope?.mediaId || envelope.fileType !== 'video') throw notFound()
  return envelope.mediaId
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
  const { tie } = await requireKnown(ctx, viewer, id)
  const day = ctx.now().toISOString().slice(0, 10)
  if (!tie.isAuthor) {
    const name = viewer.actor
      ? `user:${viewer.actor.userId}`
      : createHmac('sha256', ctx.keyring.secretFor(`views/${day}`))
          .update(`${networkOf(from.ip)}|${from.userAgent ?? ''}`)
          .digest('base64url')
    const view = { revelationId: id, viewer: name, day }
    await inTransaction(ctx, (tx) => insertView(tx.db, view)).catch((error) => {
      // Deleted while it was being looked at.
      throw isForeignKeyViolation(error) ? notFound() : error
    })
  }
  return (await getEnvelope(ctx, viewer, id)).viewsCount
}

/** Forgets who saw what before today: only the counts remain. */
export async function forgetOldViews(ctx: AppContext): Promise<void> {
  await deleteViewsBefore(ctx.db, ctx.now().toISOString().slice(0, 10))
}
