import type { AppContext } from '#server/context.ts'
import { type Checked, sayWhy } from '#server/features/media/media-checks.service.ts'
import type { ReadingRight } from '#server/platform/sealing/reading-right.ts'
import { listSealedDescriptions } from './sound-checks.repository.ts'
import { openDescription } from './sound-letters.service.ts'
import type { SealedDescription } from './sounds.repository.ts'

const PAGE = 200

/** Opens what every sound says of itself; it is sealed once, and never changes. */
export async function* checkSounds(ctx: AppContext, right: ReadingRight): AsyncGenerator<Checked> {
  let after: string | undefined
  for (;;) {
    const page = await listSealedDescriptions(ctx.db, after, PAGE)
    for (const sealed of page) yield checkSound(ctx, right, sealed)
    after = page.at(-1)?.id
    if (page.length < PAGE) return
  }
}

function checkSound(ctx: AppContext, right: ReadingRight, sealed: SealedDescription): Checked {
  const checked = { name: `sound ${sealed.id}`, sizeBytes: sealed.sealedDescription.length }
  try {
    openDescription(ctx, right, sealed)
    return checked
  } catch (error) {
    return { ...checked, problem: sayWhy(error) }
  }
}
