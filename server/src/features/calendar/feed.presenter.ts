import ical from 'ical-generator'
import { addDays } from '#contract/zoned-time.ts'
import { pageOf } from '#server/features/access/access.rules.ts'
import type { Reveal } from '#server/features/circle/circle.service.ts'
import { oneLine } from '#server/platform/mail/mail-words.ts'
import { type EventRow, repetitionOf } from './calendar.rules.ts'

const REVEAL_MS = 30 * 60_000
const REFRESH_SECONDS = 3_600

interface Feed {
  publicUrl: string
  /** When the address was made: the stamp of reveals, which must not change with every reading. */
  writtenAt: Date
  events: readonly EventRow[]
  reveals: readonly Reveal[]
}

/** Own events as days, reveals as instants; of a letter or a voice, its title and its author only. */
export function writeCalendar({ publicUrl, writtenAt, events, reveals }: Feed): string {
  const host = new URL(publicUrl).hostname
  const calendar = ical({
    name: 'Révélations',
    prodId: { company: 'Révélations', product: 'Calendrier', language: 'FR' },
    ttl: REFRESH_SECONDS,
  })
  for (const event of events) {
    calendar.createEvent({
      id: `${event.id}@${host}`,
      stamp: event.createdAt,
      allDay: true,
      start: `${event.day}T00:00:00.000Z`,
      end: `${addDays(event.day, 1)}T00:00:00.000Z`,
      summary: oneLine(event.title),
      description: event.description || null,
      repeating: repetitionOf(event) ?? null,
    })
  }
  for (const reveal of reveals) {
    const isSound = reveal.kind === 'sound'
    calendar.createEvent({
      id: `${reveal.id}@${host}`,
      stamp: writtenAt,
      start: reveal.revealAt,
      end: new Date(reveal.revealAt.getTime() + REVEAL_MS),
      summary: `${isSound ? 'Message vocal' : 'Révélation'}\u00A0: ${oneLine(reveal.title)}`,
      description: `De @${reveal.authorPseudo}`,
      url: isSound ? `${publicUrl}/family-sound` : pageOf({ publicUrl }, reveal.id),
    })
  }
  return calendar.toString()
}
