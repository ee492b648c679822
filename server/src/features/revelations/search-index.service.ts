import { type AppContext, inBatches } from '#server/context.ts'
import { grantIndexer } from '#server/features/access/grants.service.ts'
import { createBlindIndex } from '#server/platform/sealing/blind-index.ts'
import { openContents } from './letters.service.ts'
import { lockToIndex, saveIndex } from './search-index.repository.ts'

const LETTERS_PER_BATCH = 200

/** Makes letters that were revealed since the last run searchable, and those whose audience changed; returns how many. */
export async function indexRevealedLetters(ctx: AppContext): Promise<number> {
  const index = searchIndex(ctx)
  return inBatches(ctx, LETTERS_PER_BATCH, async (tx) => {
    const now = tx.now()
    const letters = await lockToIndex(tx.db, now, LETTERS_PER_BATCH)
    if (letters.length === 0) return 0
    const contents = await openContents(tx, grantIndexer(letters, now), letters)
    // A letter that cannot be opened is done with too, or it would be tried for ever.
    const texts = letters.map(({ id, isPublic }) => ({
      id,
      isPublic,
      content: contents.get(id) ?? '',
    }))
    await saveIndex(tx.db, {
      open: texts.filter(({ isPublic }) => isPublic),
      keyed: texts
        .filter(({ isPublic }) => !isPublic)
        .map(({ id, content }) => ({ id, grams: index.gramsOf(content) })),
    })
    return letters.length
  })
}

/** The keyed index of letters that not everybody may read. */
export function searchIndex(ctx: AppContext) {
  return createBlindIndex(ctx.keyring.secretFor('search-index'))
}
