import * as z from 'zod/mini'
import { defineEndpoint } from './endpoint.ts'
import { idSchema, successSchema, typedText } from './text.ts'

export const EVENT_TYPES = ['birthday', 'anniversary', 'holiday', 'other'] as const
export type EventType = (typeof EVENT_TYPES)[number]
/** They come back every year, from their day on. */
export const YEARLY_TYPES: readonly EventType[] = ['birthday', 'anniversary']

export const EVENT_TITLE_MAX_LENGTH = 120
export const EVENT_DESCRIPTION_MAX_LENGTH = 1_000
export const EVENTS_MAX = 2_000

function isDay(text: string): boolean {
  // PostgreSQL knows no year 0.
  if (!/^[1-9]\d{3}-\d{2}-\d{2}$/.test(text)) return false
  const instant = new Date(`${text}T00:00:00Z`)
  // 30 February would roll over to March.
  return !Number.isNaN(instant.getTime()) && instant.toISOString().startsWith(text)
}

/** A day of the calendar, wherever one is: no hour, no zone. */
export const daySchema = z.string('La date est requise').check(
  z.minLength(1, { error: 'La date est requise', abort: true }),
  z.refine(isDay, { error: 'Cette date n’est pas valide', abort: true }),
  // The day after the last one of four digits could not be written.
  z.refine((day) => day < '3000', 'L’année doit être comprise entre 1000 et 2999'),
)

export const eventInputSchema = z.object({
  title: typedText({
    required: 'Le titre est requis',
    max: {
      length: EVENT_TITLE_MAX_LENGTH,
      message: 'Le titre ne peut pas dépasser 120 caractères',
    },
  }),
  date: daySchema,
  type: z.enum(EVENT_TYPES, 'Choisissez un type d’événement'),
  description: z.optional(
    z.nullable(
      typedText({
        max: {
          length: EVENT_DESCRIPTION_MAX_LENGTH,
          message: 'La description ne peut pas dépasser 1\u00A0000 caractères',
        },
      }),
    ),
  ),
})
export type EventInput = z.input<typeof eventInputSchema>

/**
 * An event as an older page kept it, which wrote hours after days, types of its own and texts of any length; undefined
 * for what is no event.
 */
export function readOldEvent(kept: unknown): z.output<typeof eventInputSchema> | undefined {
  const { title, date, type, description } = Object(kept) as Record<string, unknown>
  return eventInputSchema.safeParse({
    title: cut(title, EVENT_TITLE_MAX_LENGTH),
    date: typeof date === 'string' ? date.slice(0, 10) : date,
    type: EVENT_TYPES.find((known) => known === type) ?? 'other',
    description: cut(description ?? '', EVENT_DESCRIPTION_MAX_LENGTH),
  }).data
}

function cut(text: unknown, length: number): unknown {
  if (typeof text !== 'string') return text
  // Not in the middle of a character.
  return text
    .normalize('NFC')
    .trim()
    .slice(0, length)
    .replace(/[\uD800-\uDBFF]$/, '')
}

export const calendarEventSchema = z.object({
  id: z.string(),
  title: z.string(),
  date: z.string(),
  type: z.enum(EVENT_TYPES),
  description: z.string(),
})
export type CalendarEvent = z.infer<typeof calendarEventSchema>

const tags = ['calendar'] as const
const events = z.object({ events: z.array(calendarEventSchema) })

export const listCalendarEvents = defineEndpoint({
  method: 'GET',
  url: '/api/calendar-events',
  scope: 'read',
  schema: {
    summary: 'My events, by date; a new calendar holds three samples',
    tags,
    response: { 200: z.extend(events, { imported: z.boolean() }) },
  },
})

export const createCalendarEvent = defineEndpoint({
  method: 'POST',
  url: '/api/calendar-events',
  scope: 'write',
  createsOnce: true,
  schema: {
    summary: 'Add an event',
    tags,
    body: eventInputSchema,
    response: { 201: z.extend(calendarEventSchema, { event: calendarEventSchema }) },
  },
})

export const deleteCalendarEvent = defineEndpoint({
  method: 'DELETE',
  url: '/api/calendar-events/:id',
  scope: 'write',
  schema: {
    summary: 'Delete an event of mine',
    tags,
    params: z.object({ id: idSchema }),
    response: { 200: successSchema },
  },
})

/** What an older page kept in the browser: taken in once, whatever is not an event is left out. */
export const importCalendarEvents = defineEndpoint({
  method: 'POST',
  url: '/api/calendar-events/import',
  scope: 'write',
  schema: {
    summary:
      'Take in the events an older page kept in the browser, once; asked again it changes nothing',
    tags,
    body: z.object({
      events: z
        .array(z.unknown(), 'Ces événements ne sont pas lisibles')
        .check(z.maxLength(500, 'Trop d’événements à la fois')),
    }),
    response: { 200: events },
  },
})

const feed = z.object({ url: z.nullable(z.string()) })

export const getCalendarFeed = defineEndpoint({
  method: 'GET',
  url: '/api/calendar-feed',
  schema: {
    summary: 'The address under which my calendar can be subscribed to, if there is one',
    tags,
    response: {
      200: z.extend(feed, {
        /** When another password, or signing out everywhere else, ended the last one; null once there is another. */
        ended_at: z.nullable(z.string()),
      }),
    },
  },
})

export const createCalendarFeed = defineEndpoint({
  method: 'POST',
  url: '/api/calendar-feed',
  schema: {
    summary: 'Make such an address; the former one is dead at once',
    tags,
    response: { 201: feed },
  },
})

export const revokeCalendarFeed = defineEndpoint({
  method: 'DELETE',
  url: '/api/calendar-feed',
  schema: { summary: 'Revoke the address', tags, response: { 200: successSchema } },
})

export const readCalendarFeed = defineEndpoint({
  method: 'GET',
  url: '/api/calendar-feed/:file',
  schema: {
    summary: 'My events and the reveals of my circle as iCalendar, by the secret address alone',
    tags,
    params: z.object({ file: z.string() }),
    response: { 200: z.any(), 304: z.any() },
  },
})
