import { useSearchParams } from 'react-router'
import { RECEIVED_STATES, type ReceivedState } from '#contract/received.ts'

export interface ReceivedPageFilters {
  q: string
  state: 'all' | ReceivedState
}

/** The filters, which the address carries so that one comes back to them. */
export function useReceivedFilters() {
  const [params, setParams] = useSearchParams()
  const wanted = params.get('state')
  const filters: ReceivedPageFilters = {
    q: params.get('q') ?? '',
    state: RECEIVED_STATES.find((state) => state === wanted) ?? 'all',
  }
  const setFilters = (change: Partial<ReceivedPageFilters>) => {
    const { q, state } = { ...filters, ...change }
    setParams(
      { ...(q && { q }), ...(state !== 'all' && { state }) },
      { replace: true, preventScrollReset: true },
    )
  }
  return { filters, setFilters, clearFilters: () => setParams({}, { replace: true }) }
}
