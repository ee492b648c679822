import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import {
  type CalendarEvent,
  createCalendarEvent,
  createCalendarFeed,
  deleteCalendarEvent,
  type EventInput,
  getCalendarFeed,
  listCalendarEvents,
  revokeCalendarFeed,
} from '#contract/calendar.ts'
import { type CircleReveal, listCircleReveals, REVEALS_MAX_DAYS } from '#contract/circle.ts'
import { addDays, dayAt } from '#contract/zoned-time.ts'
import { dayFromNow, personTimeZone } from '#web/features/revelations/reveal-moment.ts'
import { ApiError, callApi } from '#web/lib/api-client.ts'
import { serverNow } from '#web/lib/server-clock.ts'
import { firstDayOf, lastDayOf } from './calendar-months.ts'

/** Of all that says what opens, and when. */
export const REVEALS_KEY = ['calendar', 'reveals'] as const

/** With its day on this person’s clocks: reading a zone is dear, and is done once as a reveal arrives. */
export interface DatedReveal extends CircleReveal {
  day: string
}

/** Mine, all of them, by date. `imported`: those that an older page kept in a browser were taken in. */
export const eventsQuery = queryOptions({
  queryKey: ['calendar', 'events'],
  queryFn: ({ signal }) => callApi(listCalendarEvents, {}, { signal }),
})

/** What opens or opened in a month, as the clocks of this person show it. */
export function revealsQuery(month: string, timeZone: string) {
  return queryOptions({
    queryKey: [...REVEALS_KEY, timeZone, month],
    queryFn: ({ signal }) => askReveals(firstDayOf(month), lastDayOf(month), timeZone, signal),
    refetchInterval: ({ state }) => untilOpening(state.data?.nextOpening),
  })
}

/** Enough for most circles to find their next things in. */
const FIRST_LOOK_DAYS = 92
export const UPCOMING_SHOWN = 6

/** What opens next, the soonest first, and how many are to come in all. */
export function upcomingQuery() {
  const timeZone = personTimeZone()
  const today = dayFromNow(0, timeZone)
  return queryOptions({
    queryKey: [...REVEALS_KEY, 'next', timeZone, today],
    queryFn: async ({ signal }) => {
      const near = await askReveals(today, addDays(today, FIRST_LOOK_DAYS - 1), timeZone, signal)
      const found = nextOf(near.reveals)
      if (found.length >= Math.min(UPCOMING_SHOWN, near.upcoming)) {
        return { next: found, count: near.upcoming, nextOpening: near.nextOpening }
      }
      const far = await askReveals(
        addDays(today, FIRST_LOOK_DAYS),
        addDays(today, FIRST_LOOK_DAYS + REVEALS_MAX_DAYS - 1),
        timeZone,
        signal,
      )
      const next = nextOf([...near.reveals, ...far.reveals])
      return { next, count: near.upcoming, nextOpening: near.nextOpening }
    },
    refetchInterval: ({ state }) => untilOpening(state.data?.nextOpening),
  })
}

/** How many dates of the circle are still to come. */
export function upcomingCountQuery() {
  return queryOptions({ ...upcomingQuery(), select: ({ count }) => count })
}

/** The address under which the calendar can be subscribed to, or null, and since when if the last one was ended. */
export const feedQuery = queryOptions({
  queryKey: ['calendar', 'feed'],
  queryFn: ({ signal }) => callApi(getCalendarFeed, {}, { signal }),
})

export function useCreateEvent() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (body: EventInput) => (await callApi(createCalendarEvent, { body })).event,
    onSuccess: (event) => {
      client.setQueryData(eventsQuery.queryKey, (known) => {
        return known && { ...known, events: [...without(known.events, event.id), event] }
      })
      void client.invalidateQueries({ queryKey: eventsQuery.queryKey })
    },
  })
}

/** `onDone` comes before the page shows it. */
export function useDeleteEvent(onDone: () => void) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (id: string) => {
      try {
        await callApi(deleteCalendarEvent, { params: { id } })
      } catch (error) {
        // Deleted meanwhile, from another device: it is gone, which is what was asked for.
        if (!(error instanceof ApiError && error.code === 'not_found')) throw error
      }
    },
    onSuccess: (_, id) => {
      onDone()
      client.setQueryData(eventsQuery.queryKey, (known) => {
        return known && { ...known, events: without(known.events, id) }
      })
      void client.invalidateQueries({ queryKey: eventsQuery.queryKey })
    },
  })
}

/** Makes the address, or another in its place: the former one is dead at once. */
export function useMakeFeed(onDone: () => void = () => {}) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async () => (await callApi(createCalendarFeed)).url,
    onSuccess: (url) => {
      onDone()
      client.setQueryData(feedQuery.queryKey, { url, ended_at: null })
    },
  })
}

/** `onDone` comes before the page shows it. */
export function useRevokeFeed(onDone: () => void) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => callApi(revokeCalendarFeed),
    onSuccess: () => {
      onDone()
      client.setQueryData(feedQuery.queryKey, { url: null, ended_at: null })
    },
  })
}

async function askReveals(from: string, to: string, timeZone: string, signal: AbortSignal) {
  const querystring = { from, to, time_zone: timeZone }
  const { reveals, upcoming } = await callApi(listCircleReveals, { querystring }, { signal })
  const dated = reveals.map((reveal): DatedReveal => {
    return { ...reveal, day: dayAt(new Date(reveal.reveal_date), timeZone) }
  })
  return { reveals: dated, upcoming, nextOpening: nextOpeningOf(reveals) }
}

function nextOf(reveals: readonly DatedReveal[]): DatedReveal[] {
  return reveals
    .filter(({ is_revealed }) => !is_revealed)
    .toSorted((a, b) => Date.parse(a.reveal_date) - Date.parse(b.reveal_date))
    .slice(0, UPCOMING_SHOWN)
}

const SOONEST_MS = 1000
const DAY_MS = 86_400_000

function nextOpeningOf(reveals: readonly CircleReveal[]): number {
  const sealed = reveals.filter(({ is_revealed }) => !is_revealed)
  return Math.min(...sealed.map(({ reveal_date }) => Date.parse(reveal_date)))
}

/** When to ask again, so that the page turns with the first seal that opens before its eyes; the server decides. */
function untilOpening(instant = Number.POSITIVE_INFINITY): number | false {
  const wait = instant - serverNow()
  return wait < DAY_MS && Math.max(SOONEST_MS, wait)
}

function without(events: readonly CalendarEvent[], id: string): CalendarEvent[] {
  return events.filter((event) => event.id !== id)
}
