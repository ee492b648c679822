import { useQuery } from '@tanstack/react-query'
import { counted } from '#web/lib/format.ts'
import { CountBadge } from '#web/ui/badge.tsx'
import { requestsQuery } from './relationships.queries.ts'

/** How many requests wait for an answer; nothing when none does. */
export function RequestsBadge() {
  const { data } = useQuery(requestsQuery)
  const count = data?.received.length ?? 0
  if (count === 0) return null
  return (
    <span className="inline-flex">
      <CountBadge count={count} />
      <span className="sr-only">, {counted(count, 'demande reçue', 'demandes reçues')}</span>
    </span>
  )
}
