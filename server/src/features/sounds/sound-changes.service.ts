import { randomUUID } from 'node:crypto'
import type { z } from 'zod'
import { SOUND_MAX_BYTES, type soundInputSchema } from '#contract/sounds.ts'
import { type AppContext, inTransaction } from '#server/context.ts'
import { AppError, fieldError, notFound } from '#server/errors.ts'
import { canPlay, isOfCircle } from '#server/features/access/access.rules.ts'
import { resolveSoundDate } from '#server/features/access/reveal-dates.rules.ts'
import type { Actor } from '#server/features/auth/auth.session.ts'
import { voiceMessageFacts } from '#server/features/media/file-views.service.ts'
import { claimMedia, releaseMedia } from '#server/features/media/media.service.ts'
import { keepReaders } from '#server/features/notifications/readers.service.ts'
import { findRelation } from '#server/features/relationships/relationships.service.ts'
import { isForeignKeyViolation } from '#server/platform/database/sql-errors.ts'
import { publishSoundsChanged } from '#server/platform/events/events.ts'
import { audienceOf } from './sound-audience.service.ts'
import { sealDescription } from './sound-letters.service.ts'
import {
  addPlay,
  deleteFavorite,
  deleteSoundRow,
  insertFavorite,
  insertSound,
  lockSound,
} from './sounds.repository.ts'
import { requireKnownSound } from './sounds.service.ts'

type SoundInput = z.output<typeof soundInputSchema>

/** Seals a new sound with its file in one transaction: a refused one keeps the upload free, so that nothing is lost. */
export async function createSound(
  ctx: AppContext,
  actor: Actor,
  input: SoundInput,
): Promise<string> {
  await ctx.disk.require()
  return inTransaction(ctx, async (tx) => {
    const now = tx.now()
    const date = resolveSoundDate(input, now)
    if ('refusal' in date) throw fieldError('reveal_date', date.refusal)
    const recipientId = input.recipient_id ?? null
    const isShared = recipientId === null
    // Accounts before files, as everywhere.
    await keepReaders(tx, [actor.userId, ...(recipientId ? [recipientId] : [])])
    await requireAudience(tx, actor, input)
    const id = randomUUID()
    const file = await claimSound(tx, actor, input.file_url, id)
    const sound = { id, authorId: actor.userId, recipientId, isShared }
    await insertSound(tx.db, {
      ...sound,
      ...date,
      ...file,
      ...sealDescription(tx, id, input.description ?? ''),
      title: input.title,
      category: input.category ?? 'message',
      revealMessage: input.reveal_message || null,
      // Nobody is mailed of what is for all of the family.
      toldAt: isShared ? now : null,
      createdAt: now,
    })
    publishSoundsChanged(tx, await audienceOf(tx, sound))
    return id
  })
}

/** Private is for one person of the circle; named one, it is for that person alone, whatever else is said. */
async function requireAudience(tx: AppContext, actor: Actor, input: SoundInput): Promise<void> {
  const { recipient_id: recipientId, is_public: isPublic } = input
  if (!recipientId && isPublic !== false) return
  if (recipientId && isOfCircle(await findRelation(tx, actor.userId, recipientId))) return
  throw fieldError('recipient_id', 'Choisissez une personne de votre cercle')
}

async function claimSound(tx: AppContext, actor: Actor, fileUrl: string, soundId: string) {
  const { mediaId, kind } = await claimMedia(tx, actor, fileUrl, soundId)
  if (kind !== 'audio') throw new AppError('not_a_sound')
  const facts = (await voiceMessageFacts(tx, [mediaId])).get(mediaId)
  if (!facts) throw fieldError('file_url', 'Fichier invalide')
  if (facts.fileSize > SOUND_MAX_BYTES) throw new AppError('sound_too_large')
  return { mediaId, durationMs: Math.round(facts.duration * 1_000) }
}

/** Counts that the actor listens; how often it was listened to. `sound_locked` before its instant. */
export async function countPlay(ctx: AppContext, actor: Actor, id: string): Promise<number> {
  const { sound, tie } = await requireKnownSound(ctx, actor, id)
  if (!canPlay(tie, sound, ctx.now())) throw new AppError('sound_locked')
  const count = await addPlay(ctx.db, id)
  if (count === undefined) throw notFound()
  return count
}

/** Keeps it among the actor’s favourites or no longer, as wished, or turns it over; how it is then. */
export async function setFavorite(
  ctx: AppContext,
  actor: Actor,
  id: string,
  wish: boolean | undefined,
): Promise<boolean> {
  const { sound } = await requireKnownSound(ctx, actor, id)
  const favorite = { soundId: id, userId: actor.userId }
  const isFavorite = wish ?? !sound.isFavorite
  if (!isFavorite) await deleteFavorite(ctx.db, favorite)
  else {
    await insertFavorite(ctx.db, { ...favorite, createdAt: ctx.now() }).catch((error) => {
      // Deleted meanwhile.
      throw isForeignKeyViolation(error) ? notFound() : error
    })
  }
  return isFavorite
}

/** Its keys and its file go with this transaction; `not_sound_author` for what is seen but somebody else’s. */
export async function deleteSound(ctx: AppContext, actor: Actor, id: string): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    const { tie } = await requireKnownSound(tx, actor, id)
    if (!tie.isAuthor) throw new AppError('not_sound_author')
    const sound = await lockSound(tx.db, id)
    if (!sound) throw notFound()
    await deleteSoundRow(tx.db, id)
    await releaseMedia(tx, sound.mediaId)
    publishSoundsChanged(tx, await audienceOf(tx, sound))
  })
}
