import { useQuery } from '@tanstack/react-query'
import { waitingQuery } from './awaiting.queries.ts'
import { waitingInWords } from './waiting-words.ts'

/** How many letters wait for me to open them; nothing when none does. */
export function WaitingBadge() {
  const count = useQuery(waitingQuery).data?.counts.waiting ?? 0
  if (count === 0) return null
  return (
    <span className="tabular-digits inline-flex h-5.5 min-w-5.5 items-center justify-center rounded-full bg-wax px-1.5 font-bold text-on-wax text-xs">
      <span aria-hidden="true">{count > 99 ? '99+' : count}</span>
      <span className="sr-only">, {waitingInWords(count).toLowerCase()}</span>
    </span>
  )
}
