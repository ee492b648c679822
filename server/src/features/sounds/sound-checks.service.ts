import type { AppContext } from '#server/context.ts'
import { pagesOf } from '#server/platform/database/pages.ts'
import { type Checked, damageOf } from '#server/platform/sealing/checked.ts'
import type { ReadingRight } from '#server/platform/sealing/reading-right.ts'
import { listSealedDescriptions } from './sound-checks.repository.ts'
import { openDescription } from './sound-letters.service.ts'
import type { SealedDescription } from './sounds.repository.ts'

const PAGE = 200

/** Opens what every sound says of itself; it is sealed once, and never changes. */
export async function* checkSounds(ctx: AppContext, right: ReadingRight): AsyncGenerator<Checked> {
  const pages = pagesOf<SealedDescription>(PAGE, (after, limit) =>
    listSealedDescriptions(ctx.db, after?.id, limit),
  )
  for await (const page of pages) {
    for (const sealed of page) yield checkSound(ctx, right, sealed)
  }
}

function checkSound(ctx: AppContext, right: ReadingRight, sealed: SealedDescription): Checked {
  const checked = { name: `sound ${sealed.id}`, sizeBytes: sealed.sealedDescription.length }
  try {
    openDescription(ctx, right, sealed)
    return checked
  } catch (error) {
    return { ...checked, problem: damageOf(error) }
  }
}
