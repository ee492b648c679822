import type { AppContext } from '#server/context.ts'
import { findEnvelope } from '#server/features/access/envelopes.service.ts'
import { grantOperator } from '#server/features/access/operator-grants.service.ts'
import type { Act } from '#server/features/audit/audit.service.ts'
import { listPages } from '#server/platform/database/db.ts'
import { type Checked, damageOf } from '#server/platform/sealing/checked.ts'
import type { ReadingRight } from '#server/platform/sealing/reading-right.ts'
import { isAsCommitted } from './letters.service.ts'
import { type CommittedRow, findCommitted, listCommitted } from './revelations.repository.ts'
import { openWhole, type WholeLetter } from './whole-letters.service.ts'

type Why = Pick<Act, 'operator' | 'reason'>

/**
 * Opens any letter, sealed or not, for an operator’s command and nothing else: `npm run check:imports` refuses it in
 * every route. Undefined when there is no such revelation.
 */
export async function openLetterAsOperator(
  ctx: AppContext,
  revelationId: string,
  why: Why,
): Promise<WholeLetter | undefined> {
  const envelope = await findEnvelope(ctx, revelationId)
  if (!envelope) return undefined
  const right = await grantOperator(ctx, envelope, why)
  const [letter] = await openWhole(ctx, right, [envelope])
  return letter
}

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
    if (!isAsCommitted(ctx, right, row)) return 'it is not what its commitment says'
    const isAudienceSealed = row.sealedAudience === null || row.sealedAudience === row.audience
    if (!isAudienceSealed) return 'its audience is not the one that was sealed'
    const isKindSealed = row.sealedKind === null || row.sealedKind === row.kind
    return isKindSealed ? undefined : 'its kind is not the one that was sealed'
  } catch (error) {
    return damageOf(error)
  }
}
