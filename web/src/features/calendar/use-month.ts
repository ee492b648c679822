import { type UseQueryResult, useQueries, useQuery } from '@tanstack/react-query'
import { startTransition, useCallback, useMemo, useState } from 'react'
import { type DatedReveal, eventsQuery, revealsQuery } from './calendar.queries.ts'
import { addMonths, monthOf, weeksAround } from './calendar-months.ts'
import { entriesOfDays, indexEvents } from './day-entries.ts'

export type MonthContent = ReturnType<typeof useMonth>

/** The entries of the weeks around a month. The months beside it are loaded too: some of their days are shown. */
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
    isComplete: isComplete && events.isSuccess,
    isPending: isAnyPending || events.isPending,
  }
}

type Answer = UseQueryResult<{ reveals: DatedReveal[] }>

/** The state is that of the month itself, not of the months beside it. */
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

const YEARS_AROUND = 100

/** The shown month and its changes. A month renders in a transition, so that fast changes are not lost. */
export function useShownMonth(today: string) {
  const [month, setMonth] = useState(() => monthOf(today))
  // Birthdays are long past, and letters may wait a hundred years.
  const [years] = useState(() => yearsAround(Number(today.slice(0, 4))))
  const turnTo = useCallback((next: string) => startTransition(() => setMonth(next)), [])
  const turnBy = useCallback(
    (count: 1 | -1) =>
      startTransition(() =>
        setMonth((shown) => {
          const next = addMonths(shown, count)
          return years.includes(Number(next.slice(0, 4))) ? next : shown
        }),
      ),
    [years],
  )
  return { month, years, showMonth: setMonth, turnTo, turnBy }
}

function yearsAround(year: number): readonly number[] {
  return Array.from({ length: 2 * YEARS_AROUND + 1 }, (_, index) => year - YEARS_AROUND + index)
}
