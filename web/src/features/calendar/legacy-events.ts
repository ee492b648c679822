import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import {
  type CalendarEvent,
  createCalendarEvent,
  type EventInput,
  importCalendarEvents,
  readOldEvent,
} from '#contract/calendar.ts'
import { useSignedInUser } from '#web/features/auth/session.tsx'
import { callApi } from '#web/lib/api-client.ts'
import { callOnce } from '#web/lib/call-once.ts'
import { eventsQuery } from './calendar.queries.ts'
import { claimLegacyEvents, legacyKeys, OWNER_KEY, readList } from './legacy-events-owner.ts'

const AT_ONCE = 500

/** Imports the legacy events of this browser, and erases them once the server has them. */
export function useLegacyEvents() {
  const { id } = useSignedInUser()
  const client = useQueryClient()
  const { mutate, isIdle, isPending, error } = useMutation({
    // One after the other, so that the second finds nothing left.
    scope: { id: 'old events' },
    mutationFn: async () => {
      const old = findLegacyEvents(id)
      if (!old) return
      const inputs = old.events.flatMap((event) => readOldEvent(event) ?? [])
      const body = { events: inputs.slice(0, AT_ONCE) }
      const { events } = await callApi(importCalendarEvents, { body })
      for (const missing of missingFrom(events, inputs)) {
        await callOnce(createCalendarEvent, { body: missing })
      }
      eraseLegacyEvents(old)
    },
    onSuccess: () => client.invalidateQueries({ queryKey: eventsQuery.queryKey }),
  })
  useEffect(() => {
    claimLegacyEvents(id)
    if (isIdle && findLegacyEvents(id)) mutate()
  }, [id, isIdle, mutate])
  return { error, isPending, retry: () => mutate() }
}

/**
 * The events that an import has not added: those of a second browser, or beyond one request. They are created one by one, and
 * none twice after a failure.
 */
function missingFrom(known: readonly CalendarEvent[], inputs: readonly EventInput[]): EventInput[] {
  const there = new Set(known.map(nameOf))
  return inputs.filter((event) => {
    if (there.has(nameOf(event))) return false
    there.add(nameOf(event))
    return true
  })
}

function nameOf({ title, date }: Pick<EventInput, 'title' | 'date'>): string {
  return `${date} ${title}`
}

interface LegacyEvents {
  keys: string[]
  events: unknown[]
}

/** The legacy events of this account; undefined when there are none, or they are somebody else’s. */
export function findLegacyEvents(userId: string): LegacyEvents | undefined {
  if (localStorage.getItem(OWNER_KEY) !== userId) return undefined
  const keys = legacyKeys()
  const events = keys.flatMap((key) => readList(key) ?? []).filter(isEvent)
  return events.length > 0 ? { keys, events } : undefined
}

/** Erases imported events; other values and later events stay. */
function eraseLegacyEvents({ keys, events }: LegacyEvents): void {
  const imported = new Set(events.map((event) => JSON.stringify(event)))
  for (const key of keys) {
    const left = readList(key)?.filter((event) => !imported.has(JSON.stringify(event))) ?? []
    if (left.length > 0) localStorage.setItem(key, JSON.stringify(left))
    else localStorage.removeItem(key)
  }
  if (legacyKeys().length === 0) localStorage.removeItem(OWNER_KEY)
}

function isEvent(stored: unknown): boolean {
  return readOldEvent(stored) !== undefined
}
