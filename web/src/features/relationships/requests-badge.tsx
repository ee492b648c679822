import { useQuery } from '@tanstack/react-query'
import { counted } from '#web/lib/format.ts'
import { requestsQuery } from './relationships.queries.ts'

/** How many requests wait for an answer; nothing when none does. */
export function RequestsBadge() {
  const { data } = useQuery(requestsQuery)
  const count = data?.received.length ?? 0
  if (count === 0) return null
  return (
    <span className="tabular-digits inline-flex h-5.5 min-w-5.5 items-center justify-center rounded-full bg-wax px-1.5 font-bold text-on-wax text-xs">
      <span aria-hidden="true">{count > 99 ? '99+' : count}</span>
      <span className="sr-only">, {counted(count, 'demande reçue', 'demandes reçues')}</span>
    </span>
  )
}
