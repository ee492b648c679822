import type { AppContext } from '#server/context.ts'
import {
  type SoundFacts,
  type SoundMedia,
  soundFacts,
  soundMedia,
} from '#server/features/media/media-sounds.service.ts'
import type { DataKey } from '#server/platform/sealing/keyring.ts'
import { grantReading, type ReadingRight } from '#server/platform/sealing/reading-right.ts'
import { SealBroken } from '#server/platform/sealing/seal-broken.ts'
import { openText, sealText } from '#server/platform/sealing/sealed-text.ts'
import {
  readSealedDescriptions,
  type SealedDescription,
  type SoundRow,
} from './sounds.repository.ts'
import { mayHear, mayReadAbout, type SoundTie } from './sounds.rules.ts'

/** A sound and how somebody stands to it, who may know of it. */
export interface TiedSound {
  sound: SoundRow
  tie: SoundTie
}

/** What is told of a sound besides its envelope, as far as the gate says so. */
export interface SoundLetter {
  description: string | undefined
  /** Of its file; the addresses are in `file`. */
  facts: SoundFacts | undefined
  /** Absent while it is sealed, for its author too. */
  file: SoundMedia | undefined
}

/** The gate of its bytes, addresses and shape: a right to this sound at this instant, or none. */
export function rightToHear(tie: SoundTie, sound: SoundRow, now: Date): ReadingRight | undefined {
  return grantReading(mayHear(tie, sound, now))
}

function subjectOf(soundId: string): string {
  return `sound:${soundId}`
}

/** Seals what a sound is about under a new data key. */
export function sealDescription(ctx: AppContext, soundId: string, description: string) {
  const { dataKey, wrapped } = ctx.keyring.createDataKey(subjectOf(soundId))
  return {
    wrappedKey: wrapped,
    sealedDescription: sealText(dataKey, 'description', description),
  }
}

/** What may be told of these sounds at an instant, in as many statements however many they are. */
export async function openSounds(
  ctx: AppContext,
  holder: string,
  tied: readonly TiedSound[],
  now: Date,
): Promise<Map<string, SoundLetter>> {
  const heard = tied.flatMap(({ sound, tie }) => {
    const right = rightToHear(tie, sound, now)
    return right ? [{ sound, right }] : []
  })
  const told = toldOf(tied, now)
  const open = new Set(heard.map(({ sound }) => sound))
  const unheard = told.filter((sound) => !open.has(sound))
  const right = heard[0]?.right
  const [descriptions, files, facts] = await Promise.all([
    openDescriptions(ctx, tied, now),
    right
      ? soundMedia(
          ctx,
          right,
          holder,
          heard.map(({ sound }) => sound.mediaId),
        )
      : new Map<string, SoundMedia>(),
    soundFacts(
      ctx,
      unheard.map(({ mediaId }) => mediaId),
    ),
  ])
  return new Map(
    told.map(({ id, mediaId }) => {
      const file = files.get(mediaId)
      return [id, { description: descriptions.get(id), facts: file ?? facts.get(mediaId), file }]
    }),
  )
}

/** Those of which somebody may be told what they are about. */
function toldOf(tied: readonly TiedSound[], now: Date): SoundRow[] {
  return tied.filter(({ sound, tie }) => mayReadAbout(tie, sound, now)).map(({ sound }) => sound)
}

/** What these sounds are about, as far as the gate says so; damaged ones are left out. */
export async function openDescriptions(
  ctx: AppContext,
  tied: readonly TiedSound[],
  now: Date,
): Promise<Map<string, string>> {
  const ids = toldOf(tied, now).map(({ id }) => id)
  const opened = new Map<string, string>()
  for (const sealed of await readSealedDescriptions(ctx.db, ids)) {
    try {
      opened.set(sealed.id, openText(keyOf(ctx, sealed), 'description', sealed.sealedDescription))
    } catch (error) {
      if (!(error instanceof SealBroken)) throw error
      ctx.log.error({ soundId: sealed.id, err: error }, 'a description can no longer be opened')
    }
  }
  return opened
}

/** Throws `SealBroken`. */
export function openDescription(
  ctx: AppContext,
  _right: ReadingRight,
  sealed: SealedDescription,
): string {
  return openText(keyOf(ctx, sealed), 'description', sealed.sealedDescription)
}

function keyOf(ctx: AppContext, { id, wrappedKey }: SealedDescription): DataKey {
  return ctx.keyring.openDataKey(subjectOf(id), wrappedKey)
}
