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
import { eventsQuery } from './calendar.queries.ts'
import { findOldEvents, forgetOldEvents } from './old-events.ts'
import { claimOldEvents } from './old-events-owner.ts'

const AT_ONCE = 500

/** Gives the server what an older page kept in this browser, which forgets it only once the server has it. */
export function useOldEvents() {
  const { id } = useSignedInUser()
  const client = useQueryClient()
  const { mutate, isIdle, isPending, error } = useMutation({
    // One after the other: the second finds nothing left.
    scope: { id: 'old events' },
    mutationFn: async () => {
      const old = findOldEvents(id)
      if (!old) return
      const given = old.events.flatMap((event) => readOldEvent(event) ?? [])
      const body = { events: given.slice(0, AT_ONCE) }
      const { events } = await callApi(importCalendarEvents, { body })
      for (const missing of missingFrom(events, given)) {
        await callApi(createCalendarEvent, { body: missing })
      }
      forgetOldEvents(old)
    },
    onSuccess: () => client.invalidateQueries({ queryKey: eventsQuery.queryKey }),
  })
  useEffect(() => {
    claimOldEvents(id)
    if (isIdle && findOldEvents(id)) mutate()
  }, [id, isIdle, mutate])
  return { error, isPending, retry: () => mutate() }
}

/**
 * An account takes in the events of one browser. Those of a second one, and what was too much for one request, are added
 * one by one; what was added before a failure is not added again.
 */
function missingFrom(known: readonly CalendarEvent[], given: readonly EventInput[]): EventInput[] {
  const there = new Set(known.map(nameOf))
  return given.filter((event) => {
    if (there.has(nameOf(event))) return false
    there.add(nameOf(event))
    return true
  })
}

function nameOf({ title, date }: Pick<EventInput, 'title' | 'date'>): string {
  return `${date} ${title}`
}
