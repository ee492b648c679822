import { z } from 'zod'
import { SOUNDS_DEFAULT_LIMIT } from '#contract/sounds.ts'
import { idSchema } from '#contract/text.ts'
import type { AppContext } from '#server/context.ts'
import { cursorInstant, readCursor, writeCursor } from '#server/cursors.ts'
import { AppError, notFound } from '#server/errors.ts'
import { canPlay, canViewVoice } from '#server/features/access/access.rules.ts'
import { grantListener } from '#server/features/access/grants.service.ts'
import type { MediaGate } from '#server/features/access/media-gate.service.ts'
import { findActorBySession } from '#server/features/auth/auth.service.ts'
import type { Actor } from '#server/features/auth/auth.session.ts'
import {
  type FileProcessing,
  findWaveform,
  processingOf,
} from '#server/features/media/file-views.service.ts'
import type { Circle } from '#server/features/relationships/relationships.rules.ts'
import { circleOf } from '#server/features/relationships/relationships.service.ts'
import { tieInCircle, tieToSound } from './sound-circles.service.ts'
import { openSounds, type SoundLetter, type TiedSound } from './sound-letters.service.ts'
import {
  countKnownUpcoming,
  listKnownReveals,
  listKnownSounds,
  type SoundPlace,
  type SoundReveal,
  type SoundSums,
  type SoundTally,
  sumKnownSounds,
  tallyKnownSounds,
} from './sound-lists.repository.ts'
import { findSound, listSoundsWith } from './sounds.repository.ts'

/** A sound as somebody sees it at an instant. */
export interface SeenSound extends TiedSound {
  now: Date
  canAccess: boolean
  letter: SoundLetter | undefined
  /** To its author only. */
  processing: FileProcessing | undefined
}

export interface SoundPage {
  seen: SeenSound[]
  nextCursor: string | null
  sums: SoundSums
}

/** The sounds the actor may know of, the newest first. */
export async function listSounds(
  ctx: AppContext,
  actor: Actor,
  query: { cursor?: string | undefined; limit?: number | undefined },
): Promise<SoundPage> {
  const after = query.cursor === undefined ? undefined : readSoundCursor(query.cursor)
  const limit = query.limit ?? SOUNDS_DEFAULT_LIMIT
  const circle = await circleOf(ctx, actor.userId)
  const [rows, sums] = await Promise.all([
    listKnownSounds(ctx.db, circle, { after, limit: limit + 1 }),
    sumKnownSounds(ctx.db, circle, ctx.now()),
  ])
  const page = rows.slice(0, limit)
  const last = rows.length > limit ? page.at(-1) : undefined
  const tied = page.map((sound) => ({ sound, tie: tieInCircle(circle, sound) }))
  return {
    seen: await seeSounds(ctx, actor, tied),
    nextCursor: last ? writeCursor([last.createdAt, last.id]) : null,
    sums,
  }
}

function readSoundCursor(cursor: string): SoundPlace {
  const [createdAt, id] = readCursor(cursor, z.tuple([cursorInstant, idSchema]))
  return { createdAt, id }
}

/** One sound as the actor may see it now; `not_found` for what they may not know of. */
export async function getSound(ctx: AppContext, actor: Actor, id: string): Promise<SeenSound> {
  const [seen] = await seeSounds(ctx, actor, [await requireKnownSound(ctx, actor, id)])
  if (!seen) throw notFound()
  return seen
}

/** The queries ask for nothing else; the gate has the last word all the same. */
async function seeSounds(
  ctx: AppContext,
  actor: Actor,
  tied: readonly TiedSound[],
): Promise<SeenSound[]> {
  // One instant for all that is said: nothing is open here and without its address there.
  const now = ctx.now()
  const known = tied.filter(({ sound, tie }) => canViewVoice(tie, sound))
  const own = known.filter(({ tie }) => tie.isAuthor).map(({ sound }) => sound.mediaId)
  const [letters, processings] = await Promise.all([
    openSounds(ctx, `session:${actor.sessionId}`, known, now),
    processingOf(ctx, own),
  ])
  return known.map(({ sound, tie }) => ({
    sound,
    tie,
    now,
    canAccess: canPlay(tie, sound, now),
    letter: letters.get(sound.id),
    processing: tie.isAuthor ? processings.get(sound.mediaId) : undefined,
  }))
}

/** The sound if the actor may know of it; otherwise `not_found`, so that a hidden one cannot be told from a missing one. */
export async function requireKnownSound(
  ctx: AppContext,
  actor: Actor,
  id: string,
): Promise<TiedSound> {
  const sound = await findSound(ctx.db, id, actor.userId)
  if (!sound) throw notFound()
  const tie = await tieToSound(ctx, actor.userId, sound)
  if (!canViewVoice(tie, sound)) throw notFound()
  return { sound, tie }
}

/** The shape of a sound the actor may listen to; `sound_locked` before its instant. */
export async function getWaveform(ctx: AppContext, actor: Actor, id: string) {
  const { sound, tie } = await requireKnownSound(ctx, actor, id)
  const right = grantListener(tie, sound, ctx.now())
  if (!right) throw new AppError('sound_locked')
  const waveform = await findWaveform(ctx, right, sound.mediaId)
  if (!waveform) throw notFound()
  return waveform
}

/** Whether the holder of a ticket may have a part of a sound’s file now. Nothing of it goes with the envelope. */
export const soundMediaGate: MediaGate = async (ctx, { mediaId, holder }) => {
  const [sound] = await listSoundsWith(ctx.db, [mediaId])
  if (!sound) return undefined
  const sessionId = /^session:(.+)$/.exec(holder)?.[1]
  const actor = sessionId ? await findActorBySession(ctx, sessionId) : undefined
  if (!actor) return { isAllowed: false }
  const right = grantListener(await tieToSound(ctx, actor.userId, sound), sound, ctx.now())
  return { isAllowed: right !== undefined, right }
}

/** The scheduled sounds the person may know of that open, or opened, within a span; the nearest to now where they are many. */
export async function listRevealsOfSounds(
  ctx: AppContext,
  { userId }: Pick<Actor, 'userId'>,
  span: { from: Date; to: Date; limit: number },
): Promise<SoundReveal[]> {
  return listKnownReveals(ctx.db, await circleOf(ctx, userId), { ...span, now: ctx.now() })
}

/** How many sounds this circle’s person may know of, by author and by the months that begin at these instants. */
export async function tallyCircleSounds(
  ctx: AppContext,
  circle: Circle,
  months: readonly Date[],
): Promise<SoundTally[]> {
  return tallyKnownSounds(ctx.db, circle, months)
}

/** How many sounds the actor may know of are still sealed. */
export async function countUpcomingSounds(
  ctx: AppContext,
  actor: Pick<Actor, 'userId'>,
): Promise<number> {
  return countKnownUpcoming(ctx.db, await circleOf(ctx, actor.userId), ctx.now())
}
