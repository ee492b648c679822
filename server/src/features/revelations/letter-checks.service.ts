import { randomUUID } from 'node:crypto'
import type { AppContext } from '#server/context.ts'
import { type Act, recordAct } from '#server/features/audit/audit.service.ts'
import { type Checked, sayWhy } from '#server/features/media/media-checks.service.ts'
import { pagesOf } from '#server/platform/database/pages.ts'
import { grantReading, type ReadingRight } from '#server/platform/sealing/reading-right.ts'
import { type CommittedRow, findCommitted, listCommitted } from './letter-checks.repository.ts'
import { isAsCommitted } from './letters.service.ts'

const PAGE = 200

/**
 * The right to open everything in order to see that it opens, for an operator’s command and nothing else. Nothing that is
 * opened leaves the check; who checked, and when, is written down first.
 */
export async function beginChecks(
  ctx: AppContext,
  why: Pick<Act, 'operator' | 'reason'>,
): Promise<ReadingRight> {
  if (ctx.db.isTransaction) throw new Error('What is written down must be committed first')
  const targetId = randomUUID()
  await recordAct(ctx, { ...why, action: 'check_seals', target: 'installation', targetId })
  const right = grantReading(true)
  if (!right) throw new Error('A right that was granted is not there')
  return right
}

/** Opens every letter and computes its commitment anew. */
export async function* checkLetters(ctx: AppContext, right: ReadingRight): AsyncGenerator<Checked> {
  const pages = pagesOf<CommittedRow>(PAGE, (after, limit) =>
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
    return sayWhy(error)
  }
}
