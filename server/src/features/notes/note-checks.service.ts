import type { AppContext } from '#server/context.ts'
import { listPages } from '#server/platform/database/db.ts'
import { type Checked, damageOf } from '#server/platform/sealing/checked.ts'
import type { ReadingRight } from '#server/platform/sealing/reading-right.ts'
import { listAllSealedNotes, type SealedNote } from './notes.repository.ts'
import { openNote } from './notes.service.ts'

const PAGE = 200

/** Opens every note that an author added to the mails of a letter. */
export async function* checkNotes(ctx: AppContext, right: ReadingRight): AsyncGenerator<Checked> {
  const pages = listPages<SealedNote>(PAGE, (after, limit) =>
    listAllSealedNotes(ctx.db, after, limit),
  )
  for await (const page of pages) {
    for (const sealed of page) yield checkNote(ctx, right, sealed)
  }
}

function checkNote(ctx: AppContext, right: ReadingRight, sealed: SealedNote): Checked {
  const { revelationId, kind, sealedWords } = sealed
  const checked = { name: `${kind} note of ${revelationId}`, sizeBytes: sealedWords.length }
  try {
    openNote(ctx, right, sealed)
    return checked
  } catch (error) {
    return { ...checked, problem: damageOf(error) }
  }
}
