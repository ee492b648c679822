import type { AppContext } from '#server/context.ts'
import { type Act, recordAct } from '#server/features/audit/audit.service.ts'
import { findOriginals, type Original } from '#server/features/media/media-originals.service.ts'
import { grantReading, type ReadingRight } from '#server/platform/sealing/reading-right.ts'
import { openTexts } from './letters.service.ts'
import { type EnvelopeRow, findEnvelope } from './revelations.repository.ts'

/** A letter as an operator opened it, with the file as it was sent. */
export interface OperatorsLetter {
  envelope: EnvelopeRow
  /** Undefined when it can no longer be opened. */
  content: string | undefined
  file: Original | undefined
}

type Why = Pick<Act, 'operator' | 'reason'>

/**
 * Opens any letter, sealed or not, for an operator’s command and nothing else: `npm run check:imports` keeps it out of
 * every route. Undefined when there is no such revelation.
 */
export async function openLetterAsOperator(
  ctx: AppContext,
  revelationId: string,
  why: Why,
): Promise<OperatorsLetter | undefined> {
  const envelope = await findEnvelope(ctx.db, revelationId)
  if (!envelope) return undefined
  const right = await rightOfOperator(ctx, envelope.id, why)
  const texts = await openTexts(ctx, right, [envelope])
  const files = await findOriginals(ctx, right, envelope.mediaId ? [envelope.mediaId] : [])
  return {
    envelope,
    content: texts.get(envelope.id)?.content,
    file: envelope.mediaId ? files.get(envelope.mediaId) : undefined,
  }
}

/** The one right that is not asked of `mayRead`: it exists once the line that says who and why is committed. */
async function rightOfOperator(ctx: AppContext, targetId: string, why: Why): Promise<ReadingRight> {
  if (ctx.db.isTransaction) throw new Error('What is written down must be committed first')
  await recordAct(ctx, { ...why, action: 'open_letter', target: 'revelation', targetId })
  const right = grantReading(true)
  if (!right) throw new Error('A right that was granted is not there')
  return right
}
