import type { AppContext } from '#server/context.ts'
import { listPages } from '#server/platform/database/db.ts'
import { type Checked, damageOf } from '#server/platform/sealing/checked.ts'
import type { ReadingRight } from '#server/platform/sealing/reading-right.ts'
import { openDescription } from './voice-message-contents.service.ts'
import { listAllSealedDescriptions, type SealedDescription } from './voice-messages.repository.ts'

const PAGE = 200

/** Opens the description of every voice message. */
export async function* checkVoiceMessages(
  ctx: AppContext,
  right: ReadingRight,
): AsyncGenerator<Checked> {
  const pages = listPages<SealedDescription>(PAGE, (after, limit) =>
    listAllSealedDescriptions(ctx.db, after?.id, limit),
  )
  for await (const page of pages) {
    for (const sealed of page) yield checkDescription(ctx, right, sealed)
  }
}

function checkDescription(
  ctx: AppContext,
  right: ReadingRight,
  sealed: SealedDescription,
): Checked {
  const checked = { name: `sound ${sealed.id}`, sizeBytes: sealed.sealedDescription.length }
  try {
    openDescription(ctx, right, sealed)
    return checked
  } catch (error) {
    return { ...checked, problem: damageOf(error) }
  }
}
