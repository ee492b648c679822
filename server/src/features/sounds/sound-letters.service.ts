import type { AppContext } from '#server/context.ts'
import type { VoiceRelation } from '#server/features/access/access.rules.ts'
import { grantDescription, grantListener } from '#server/features/access/grants.service.ts'
import {
  type VoiceMessageFacts,
  type VoiceMessageMedia,
  voiceMessageFacts,
  voiceMessageMedia,
} from '#server/features/media/file-views.service.ts'
import type { DataKey } from '#server/platform/sealing/keyring.ts'
import {
  mergeRights,
  type ReadingRight,
  requireVoiceRight,
} from '#server/platform/sealing/reading-right.ts'
import { SealBroken } from '#server/platform/sealing/seal-broken.ts'
import { openText, sealText } from '#server/platform/sealing/sealed-text.ts'
import {
  readSealedDescriptions,
  type SealedDescription,
  type SoundRow,
} from './sounds.repository.ts'

/** A sound and how somebody stands to it, who may know of it. */
export interface TiedSound {
  sound: SoundRow
  tie: VoiceRelation
}

/** What is told of a sound besides its envelope, as far as the gate says so. */
export interface SoundLetter {
  description: string | undefined
  /** Of its file; the addresses are in `file`. */
  facts: VoiceMessageFacts | undefined
  /** Absent while it is sealed, for its author too. */
  file: VoiceMessageMedia | undefined
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

/** What may be shown of these sounds at an instant, in as many statements however many they are. */
export async function openSounds(
  ctx: AppContext,
  holder: string,
  tied: readonly TiedSound[],
  now: Date,
): Promise<Map<string, SoundLetter>> {
  const heard = tied.flatMap(({ sound, tie }) => {
    const right = grantListener(tie, sound, now)
    return right ? [{ sound, right }] : []
  })
  const described = listDescribed(tied, now).map(({ sound }) => sound)
  const open = new Set(heard.map(({ sound }) => sound))
  const unheard = described.filter((sound) => !open.has(sound))
  const [descriptions, files, facts] = await Promise.all([
    openDescriptions(ctx, tied, now),
    heard.length > 0
      ? voiceMessageMedia(
          ctx,
          mergeRights(heard.map(({ right }) => right)),
          holder,
          heard.map(({ sound }) => sound.mediaId),
        )
      : new Map<string, VoiceMessageMedia>(),
    voiceMessageFacts(
      ctx,
      unheard.map(({ mediaId }) => mediaId),
    ),
  ])
  return new Map(
    described.map(({ id, mediaId }) => {
      const file = files.get(mediaId)
      return [id, { description: descriptions.get(id), facts: file ?? facts.get(mediaId), file }]
    }),
  )
}

/** Those whose description somebody may read, each with the right to it. */
function listDescribed(tied: readonly TiedSound[], now: Date) {
  return tied.flatMap(({ sound, tie }) => {
    const right = grantDescription(tie, sound, now)
    return right ? [{ sound, right }] : []
  })
}

/** What these sounds are about, as far as the gate allows; damaged ones are left out. */
export async function openDescriptions(
  ctx: AppContext,
  tied: readonly TiedSound[],
  now: Date,
): Promise<Map<string, string>> {
  const described = listDescribed(tied, now)
  const right = mergeRights(described.map((one) => one.right))
  const ids = described.map(({ sound }) => sound.id)
  const opened = new Map<string, string>()
  for (const sealed of await readSealedDescriptions(ctx.db, ids)) {
    try {
      opened.set(sealed.id, openDescription(ctx, right, sealed))
    } catch (error) {
      if (!(error instanceof SealBroken)) throw error
      ctx.log.error({ soundId: sealed.id, err: error }, 'a description can no longer be opened')
    }
  }
  return opened
}

/** Throws `SealBroken`, and when the right does not cover this very one. */
export function openDescription(
  ctx: AppContext,
  right: ReadingRight,
  sealed: SealedDescription,
): string {
  requireVoiceRight(right, sealed.id)
  return openText(keyOf(ctx, sealed), 'description', sealed.sealedDescription)
}

function keyOf(ctx: AppContext, { id, wrappedKey }: SealedDescription): DataKey {
  return ctx.keyring.openDataKey(subjectOf(id), wrappedKey)
}
