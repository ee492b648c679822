import {
  type CalendarEvent,
  type EventType,
  readOldEvent,
  YEARLY_TYPES,
} from '#contract/calendar.ts'
import { addDays } from '#contract/zoned-time.ts'

export interface NewEvent {
  title: string
  day: string
  type: EventType
  description: string
}

export interface EventRow extends NewEvent {
  id: string
  createdAt: Date
}

/** Invented events that show what the calendar of a family is for. */
export function sampleEvents(today: string): NewEvent[] {
  return [
    {
      title: 'Anniversaire de Mamie (exemple)',
      day: addDays(today, 12),
      type: 'birthday',
      description: 'Un exemple, à supprimer\u202F: les anniversaires reviennent chaque année.',
    },
    {
      title: 'Anniversaire de mariage (exemple)',
      day: addDays(today, 33),
      type: 'anniversary',
      description: 'Un exemple, à supprimer\u202F: les dates à fêter reviennent chaque année.',
    },
    {
      title: 'Vacances en famille (exemple)',
      day: addDays(today, 60),
      type: 'holiday',
      description: 'Un exemple, à supprimer\u202F: un départ, un jour férié, une fête.',
    },
  ]
}

/** The valid events of an older page’s list that are not stored yet, each once. */
export function findNewEvents(
  entries: readonly unknown[],
  stored: readonly NewEvent[],
): NewEvent[] {
  const known = new Set(stored.map(keyOf))
  return entries.flatMap((one) => {
    const old = readOldEvent(one)
    if (!old) return []
    const { title, date: day, type, description } = old
    const event = { title, day, type, description: description ?? '' }
    if (known.has(keyOf(event))) return []
    known.add(keyOf(event))
    return [event]
  })
}

function keyOf({ title, day, type, description }: NewEvent): string {
  return JSON.stringify([title, day, type, description])
}

export function presentEvent({ id, title, day, type, description }: EventRow): CalendarEvent {
  return { id, title, date: day, type, description }
}

/** The yearly repetition of an event (RFC 5545): 29 February repeats on the last day of February. */
export function repetitionOf({ day, type }: Pick<NewEvent, 'day' | 'type'>): string | undefined {
  if (!YEARLY_TYPES.includes(type)) return undefined
  const isLeapDay = day.endsWith('-02-29')
  return `RRULE:FREQ=YEARLY${isLeapDay ? ';BYMONTH=2;BYMONTHDAY=-1' : ''}`
}
