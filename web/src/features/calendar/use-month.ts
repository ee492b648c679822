import { type UseQueryResult, useQueries, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { type DatedReveal, eventsQuery, revealsQuery } from './calendar.queries.ts'
import { addMonths, weeksAround } from './calendar-months.ts'
import { entriesOfDays } from './day-entries.ts'
import { indexEvents } from './event-days.ts'

export type MonthContent = ReturnType<typeof useMonth>

/**
 * What the weeks around a month hold. The months beside it are asked for too: their first and last days are in sight,
 * and they are there when one moves on.
 */
export function useMonth(month: string, timeZone: string) {
  const events = useQuery(eventsQuery)
  const { all, isComplete, isAnyPending, ...reveals } = useQueries({
    queries: [month, addMonths(month, 1), addMonths(month, -1)].map((each) =>
      revealsQuery(each, timeZone),
    ),
    combine,
  })
  const indexed = useMemo(() => indexEvents(events.data?.events ?? []), [events.data])
  const days = useMemo(() => entriesOfDays(weeksAround(month), indexed, all), [month, indexed, all])
  return {
    days,
    events,
    reveals,
    /** All that these weeks hold is known. */
    isComplete: isComplete && events.isSuccess,
    isPending: isAnyPending || events.isPending,
  }
}

type Answer = UseQueryResult<{ reveals: DatedReveal[] }>

/** The state is that of the month itself; its neighbours only have to come in time. */
function combine(answers: Answer[]) {
  const [own] = answers
  return {
    all: answers.flatMap(({ data }) => data?.reveals ?? []),
    isComplete: answers.every(({ isSuccess }) => isSuccess),
    isAnyPending: answers.some(({ isPending }) => isPending),
    isPending: own?.isPending ?? true,
    isFetching: own?.isFetching ?? false,
    error: own?.data ? null : (own?.error ?? null),
    refetch: own?.refetch,
  }
}
