import { DEFAULT_TIME_ZONE } from '#contract/sealing.ts'
import type { AppContext } from '#server/context.ts'
import type { Actor } from '#server/features/auth/auth.session.ts'
import { getPreferences } from '#server/features/mails/mail-preferences.service.ts'
import type { RevelationView } from '#server/features/revelations/revelation-views.service.ts'
import { type AnniversaryRow, listOpenedWithin } from './received.repository.ts'
import { receivedStateOf, sameDayOfEarlierYears } from './received.rules.ts'
import { viewInOrder } from './received.service.ts'

const ANNIVERSARIES_MAX = 20

export interface AnniversaryView {
  seen: RevelationView
  years: number
  side: AnniversaryRow['side']
}

/**
 * What opened on this day of earlier years, in the zone of whoever asks: of what they sent, and of what they received and
 * opened. None where « Ce jour-là » is switched off.
 */
export async function listAnniversaries(
  ctx: AppContext,
  actor: Actor,
  timeZone = DEFAULT_TIME_ZONE,
): Promise<AnniversaryView[]> {
  if (!(await getPreferences(ctx, actor.userId)).onThisDay) return []
  const now = ctx.now()
  const spans = sameDayOfEarlierYears(now, timeZone)
  const rows = await listOpenedWithin(ctx.db, actor, spans, ANNIVERSARIES_MAX)
  const rowOf = new Map(rows.map((row) => [row.id, row]))
  const seen = await viewInOrder(ctx, actor, [...rowOf.keys()], now)
  return seen.flatMap((one) => {
    const row = rowOf.get(one.envelope.id)
    const span = row && spans.find(({ from, until }) => from <= row.at && row.at < until)
    if (!span || !isOfSide(one, row.side)) return []
    return { seen: one, years: span.years, side: row.side }
  })
}

/** The query selects nothing else; the gate decides all the same. */
function isOfSide(seen: RevelationView, side: AnniversaryRow['side']): boolean {
  return side === 'sent' ? seen.relation.isAuthor : receivedStateOf(seen) === 'opened'
}
