import type { AppContext } from '#server/context.ts'
import { listPages } from '#server/platform/database/db.ts'
import { type Checked, damageOf } from '#server/platform/sealing/checked.ts'
import type { ReadingRight } from '#server/platform/sealing/reading-right.ts'
import { type CommittedRow, findCommitted, listCommitted } from './letter-checks.repository.ts'
import { isAsCommitted } from './letters.service.ts'

const PAGE = 200

/** Opens every letter and computes its commitment anew. */
export async function* checkLetters(ctx: AppContext, right: ReadingRight): AsyncGenerator<Checked> {
  const pages = listPages<CommittedRow>(PAGE, (after, limit) =>
    listCommitted(ctx.db, after?.id, limit),
  )
  for await (const page of pages) {
    for (const row of page) {
      const problem = problemOf(ctx, right, row)
      const checked = { name: `letter ${row.id}`, sizeBytes: row.sealedContent.length }
      if (problem === undefined) yield checked
      else {
        // Sealed again or deleted meanwhile, it is no loss.
        const now = await findCommitted(ctx.db, row.id)
        const still = now && problemOf(ctx, right, now)
        if (still !== undefined) yield { ...checked, problem: still }
      }
    }
  }
}

function problemOf(ctx: AppContext, right: ReadingRight, row: CommittedRow): string | undefined {
  try {
    return isAsCommitted(ctx, right, row) ? undefined : 'it is not what its commitment says'
  } catch (error) {
    return damageOf(error)
  }
}
