import type { AppContext } from '#server/context.ts'
import { type Checked, damageOf } from '#server/platform/sealing/checked.ts'
import type { ReadingRight } from '#server/platform/sealing/reading-right.ts'
import { listAllSealedNotes } from './notes.repository.ts'
import { openNote } from './notes.service.ts'

const PAGE = 200

/** Opens every note that an author added to the mails of a letter. */
export async function* checkNotes(ctx: AppContext, right: ReadingRight): AsyncGenerator<Checked> {
  let after: Awaited<ReturnType<typeof listAllSealedNotes>>[number] | undefined
  do {
    const page = await listAllSealedNotes(ctx.db, after, PAGE)
    for (const note of page) {
      const { revelationId, kind, sealedWords } = note
      const checked = { name: `${kind} note of ${revelationId}`, sizeBytes: sealedWords.length }
      try {
        openNote(ctx, right, note)
        yield checked
      } catch (error) {
        yield { ...checked, problem: damageOf(error) }
      }
    }
    after = page.at(-1)
  } while (after)
}
