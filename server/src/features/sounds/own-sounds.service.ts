import type { AppContext } from '#server/context.ts'
import { AS_VOICE_AUTHOR } from '#server/features/access/access.rules.ts'
import { grantListener } from '#server/features/access/grants.service.ts'
import type { Actor } from '#server/features/auth/auth.session.ts'
import {
  findOriginals,
  type Original,
  type VoiceMessageFacts,
  voiceMessageFacts,
} from '#server/features/media/file-views.service.ts'
import { pagesOf } from '#server/platform/database/pages.ts'
import { mergeRights } from '#server/platform/sealing/reading-right.ts'
import { openDescriptions } from './sound-letters.service.ts'
import { listSoundsBy } from './sound-lists.repository.ts'
import type { SoundRow } from './sounds.repository.ts'

const PAGE = 50

/** One’s own sound, with what its author may have of it now. */
export interface OwnSound {
  sound: SoundRow
  isSealed: boolean
  /** Undefined when it is damaged. */
  description: string | undefined
  facts: VoiceMessageFacts | undefined
  /** Undefined while it is sealed, and when its key is damaged. */
  file: Original | undefined
}

/** All that the actor shared, the oldest first, a page at a time. */
export async function* readOwnSounds(ctx: AppContext, actor: Actor): AsyncGenerator<OwnSound[]> {
  const pages = pagesOf<SoundRow>(PAGE, (after, limit) =>
    listSoundsBy(ctx.db, actor.userId, after, limit),
  )
  for await (const sounds of pages) yield openOwn(ctx, sounds)
}

/** A sealed one is listed; nobody is given its bytes, its author neither. */
async function openOwn(ctx: AppContext, sounds: readonly SoundRow[]): Promise<OwnSound[]> {
  const now = ctx.now()
  const heard = sounds.flatMap((sound) => {
    const right = grantListener(AS_VOICE_AUTHOR, sound, now)
    return right ? [{ sound, right }] : []
  })
  const [descriptions, facts, files] = await Promise.all([
    openDescriptions(
      ctx,
      sounds.map((sound) => ({ sound, tie: AS_VOICE_AUTHOR })),
      now,
    ),
    voiceMessageFacts(
      ctx,
      sounds.map(({ mediaId }) => mediaId),
    ),
    heard.length > 0
      ? findOriginals(
          ctx,
          mergeRights(heard.map(({ right }) => right)),
          heard.map(({ sound }) => sound.mediaId),
        )
      : new Map<string, Original>(),
  ])
  return sounds.map((sound) => ({
    sound,
    isSealed: !heard.some((one) => one.sound === sound),
    description: descriptions.get(sound.id),
    facts: facts.get(sound.mediaId),
    file: files.get(sound.mediaId),
  }))
}
