import { randomUUID } from 'node:crypto'
import type { AppContext } from '#server/context.ts'
import { type Act, recordAct } from '#server/features/audit/audit.service.ts'
import { grantReading, grantReadingOfEverything } from '#server/platform/sealing/grant-reading.ts'
import type { ReadingRight } from '#server/platform/sealing/reading-right.ts'
import { type EnvelopeRow, filesOf } from './envelopes.rules.ts'

type Why = Pick<Act, 'operator' | 'reason'>

/**
 * The operator, who opens one letter whatever the gate says: the right exists once the line with name and reason is
 * committed (docs/decisions/0013-reports.md).
 */
export async function grantOperator(
  ctx: AppContext,
  envelope: EnvelopeRow,
  why: Why,
): Promise<ReadingRight> {
  await record(ctx, { ...why, action: 'open_letter', target: 'revelation', targetId: envelope.id })
  const fileIds = filesOf(envelope)
  return grantReading({ letters: [envelope], fileIds, originalIds: fileIds })
}

/**
 * The check of an installation, which opens everything in order to see that it opens, and shows nothing of it; who
 * checked, and when, is committed first.
 */
export async function grantInstallationCheck(ctx: AppContext, why: Why): Promise<ReadingRight> {
  const targetId = randomUUID()
  await record(ctx, { ...why, action: 'check_seals', target: 'installation', targetId })
  return grantReadingOfEverything()
}

async function record(ctx: AppContext, act: Act): Promise<void> {
  if (ctx.db.isTransaction) throw new Error('What is written down must be committed first')
  await recordAct(ctx, act)
}
