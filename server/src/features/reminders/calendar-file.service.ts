import ical, { ICalAlarmType } from 'ical-generator'
import type { AppContext } from '#server/context.ts'
import { pageOf } from '#server/features/access/access.rules.ts'
import { getEnvelope } from '#server/features/access/envelopes.service.ts'
import type { Viewer } from '#server/features/access/viewers.service.ts'
import { oneLine } from '#server/platform/mail/mail-content.ts'

const DURATION_MS = 30 * 60_000
const A_DAY_SECONDS = 24 * 3600

/**
 * The reveal as an event for any calendar (RFC 5545); `not_found` without the envelope. After an edit it replaces the
 * former event where it is imported again: same UID, higher SEQUENCE.
 */
export async function renderCalendarFile(
  ctx: AppContext,
  viewer: Viewer,
  id: string,
): Promise<string> {
  const { title, authorPseudo, revealAt, version } = await getEnvelope(ctx, viewer, id)
  const { publicUrl } = ctx.config.http
  const summary = `Révélation\u202F: ${oneLine(title)}`
  const calendar = ical({
    prodId: { company: 'Révélations', product: 'Calendrier', language: 'FR' },
  })
  calendar.createEvent({
    id: `${id}@${new URL(publicUrl).hostname}`,
    sequence: version,
    stamp: ctx.now(),
    start: revealAt,
    end: new Date(revealAt.getTime() + DURATION_MS),
    summary,
    description: `De @${authorPseudo}`,
    url: pageOf({ publicUrl }, id),
    alarms: [{ type: ICalAlarmType.display, trigger: A_DAY_SECONDS, description: summary }],
  })
  return calendar.toString()
}
