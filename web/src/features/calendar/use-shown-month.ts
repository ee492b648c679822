import { startTransition, useCallback, useState } from 'react'
import { addMonths, monthOf } from './calendar-months.ts'

const YEARS_AROUND = 100

/**
 * The month that is shown, and the ways to others. A month is drawn in slices between frames; whoever turns faster than
 * that still gets as far.
 */
export function useShownMonth(today: string) {
  const [month, setMonth] = useState(() => monthOf(today))
  // Birthdays began long ago, and letters may wait for a hundred years.
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
