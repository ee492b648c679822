import { useQuery } from '@tanstack/react-query'
import { CountBadge } from '#web/ui/badge.tsx'
import { waitingQuery } from './awaiting.queries.ts'
import { waitingInWords } from './waiting-words.ts'

/** How many letters wait for me to open them; nothing when none does. */
export function WaitingBadge() {
  const count = useQuery(waitingQuery).data?.counts.waiting ?? 0
  if (count === 0) return null
  return (
    <span className="inline-flex">
      <CountBadge count={count} />
      <span className="sr-only">, {waitingInWords(count).toLowerCase()}</span>
    </span>
  )
}
