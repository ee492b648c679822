import { type InfiniteData, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import type { RevelationPage } from '#contract/revelations.ts'
import { REVEALS_KEY } from '#web/features/calendar/calendar.queries.ts'
import { CIRCLE_KEY } from '#web/features/circle/circle.queries.ts'

type Deliveries = InfiniteData<RevelationPage> | undefined

/** A delivery that opens before one’s eyes, or is withdrawn, moves the figures of the circle: they are asked again. */
export function useFiguresFollow(deliveries: Deliveries, isOfOtherFilters: boolean): void {
  const client = useQueryClient()
  const shown = useRef<Map<string, boolean>>(undefined)
  useEffect(() => {
    if (isOfOtherFilters || !deliveries) return
    const before = shown.current
    shown.current = statesOf(deliveries)
    if (before && hasMoved(before, shown.current)) {
      void client.invalidateQueries({ queryKey: CIRCLE_KEY })
      void client.invalidateQueries({ queryKey: REVEALS_KEY })
    }
  }, [client, deliveries, isOfOtherFilters])
}

function statesOf({ pages }: NonNullable<Deliveries>): Map<string, boolean> {
  const revelations = pages.flatMap((page) => page.revelations)
  return new Map(revelations.map(({ id, is_revealed }) => [id, is_revealed]))
}

/** Other filters show others altogether: one that opened, or the only one that went, is news. */
function hasMoved(before: Map<string, boolean>, now: Map<string, boolean>): boolean {
  const gone = [...before.keys()].filter((id) => !now.has(id)).length
  const opened = [...before].some(([id, wasRevealed]) => !wasRevealed && now.get(id) === true)
  return opened || gone === 1
}
