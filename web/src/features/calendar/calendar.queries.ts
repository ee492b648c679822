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
import { callOnce } from '#web/lib/call-once.ts'
import { serverNow } from '#web/lib/clock.ts'
import { firstDayOf, lastDayOf } from './calendar-months.ts'

/** The key above every query of reveals. */
export const REVEALS_KEY = ['calendar', 'reveals'] as const

/** With its day in the person's time zone, computed once since zones are slow. */
export interface DatedReveal extends CircleReveal {
  day: string
}

/** All own events, by date. `imported`: the legacy events of a browser were imported. */
export const eventsQuery = queryOptions({
  queryKey: ['calendar', 'events'],
  queryFn: ({ signal }) => callApi(listCalendarEvents, {}, { signal }),
})

/** What opens or opened in a month, as the clocks of this person show it. */
export function revealsQuery(month: string, timeZone: string) {
  return queryOptions({
    queryKey: [...REVEALS_KEY, timeZone, month],
    queryFn: ({ signal }) => loadReveals(firstDayOf(month), lastDayOf(month), timeZone, signal),
    refetchInterval: ({ state }) => untilOpening(state.data?.nextOpening),
  })
}

/** Enough days for most circles to find the next entries in. */
const NEAR_DAYS = 92
export const UPCOMING_SHOWN = 6

/** What opens next, the soonest first, and how many are to come in all. */
export function upcomingQuery() {
  const timeZone = personTimeZone()
  const today = dayFromNow(0, timeZone)
  return queryOptions({
    queryKey: [...REVEALS_KEY, 'next', timeZone, today],
    queryFn: async ({ signal }) => {
      const near = await loadReveals(today, addDays(today, NEAR_DAYS - 1), timeZone, signal)
      const found = nextOf(near.reveals)
      if (found.length >= Math.min(UPCOMING_SHOWN, near.upcoming)) {
        return { next: found, count: near.upcoming, nextOpening: near.nextOpening }
      }
      const far = await loadReveals(
        addDays(today, NEAR_DAYS),
        addDays(today, NEAR_DAYS + REVEALS_MAX_DAYS - 1),
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

/** The address of the calendar feed or null, and when the last one ended. */
export const feedQuery = queryOptions({
  queryKey: ['calendar', 'feed'],
  queryFn: ({ signal }) => callApi(getCalendarFeed, {}, { signal }),
})

export function useCreateEvent() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (body: EventInput) => (await callOnce(createCalendarEvent, { body })).event,
    onSuccess: (event) => {
      client.setQueryData(eventsQuery.queryKey, (known) => {
        return known && { ...known, events: [...without(known.events, event.id), event] }
      })
      void client.invalidateQueries({ queryKey: eventsQuery.queryKey })
    },
  })
}

/** `onDone` runs before the page shows the change. */
export function useDeleteEvent(onDone: () => void) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (id: string) => {
      try {
        await callApi(deleteCalendarEvent, { params: { id } })
      } catch (error) {
        // Another device has deleted it meanwhile.
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

/** Creates the address, or replaces it: the former one ends at once. */
export function useCreateFeed(onDone: () => void = () => {}) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async () => (await callApi(createCalendarFeed)).url,
    onSuccess: (url) => {
      onDone()
      client.setQueryData(feedQuery.queryKey, { url, ended_at: null })
    },
  })
}

/** `onDone` runs before the page shows the change. */
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

async function loadReveals(from: string, to: string, timeZone: string, signal: AbortSignal) {
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

/** When to fetch again, so that the page shows the next reveal at its instant. */
function untilOpening(instant = Number.POSITIVE_INFINITY): number | false {
  const wait = instant - serverNow()
  return wait < DAY_MS && Math.max(SOONEST_MS, wait)
}

function without(events: readonly CalendarEvent[], id: string): CalendarEvent[] {
  return events.filter((event) => event.id !== id)
}
