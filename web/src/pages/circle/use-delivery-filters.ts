import { useSearchParams } from 'react-router'
import type { FeedFilters } from '#web/features/revelations/revelations.queries.ts'
import { type Status, statusNamed } from '#web/pages/feed/status-filter.tsx'

interface DeliveryFilters {
  q: string
  status: Status
}

/** What is looked for among the deliveries, kept in the address beside the tab. */
export function useDeliveryFilters() {
  const [params, setParams] = useSearchParams()
  const filters: DeliveryFilters = {
    q: params.get('q') ?? '',
    status: statusNamed(params.get('status')),
  }
  const setFilters = (change: Partial<DeliveryFilters>) => {
    const { q, status } = { ...filters, ...change }
    const next = new URLSearchParams(params)
    next.delete('q')
    next.delete('status')
    if (q) next.set('q', q)
    if (status !== 'all') next.set('status', status)
    setParams(next, { replace: true, preventScrollReset: true })
  }
  return {
    filters,
    isFiltered: filters.q !== '' || filters.status !== 'all',
    setFilters,
    clearFilters: () => setFilters({ q: '', status: 'all' }),
  }
}

/** What the server is asked: what is for the family, its own and mine. */
export function toDeliveriesQuery({ q, status }: DeliveryFilters): FeedFilters {
  return { visibility: 'family', ...(q && { q }), ...(status !== 'all' && { status }) }
}
