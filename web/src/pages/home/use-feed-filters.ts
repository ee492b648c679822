import { useSearchParams } from 'react-router'
import { KINDS, type Kind } from '#contract/kinds.ts'
import type { FeedFilters } from '#web/features/revelations/revelations.queries.ts'
import { type Status, statusNamed } from '#web/features/revelations/status-filter.tsx'

export const VISIBILITY_FILTERS = ['all', 'public', 'friends', 'private'] as const
export type VisibilityFilter = (typeof VISIBILITY_FILTERS)[number]

export interface HomeFilters {
  q: string
  visibility: VisibilityFilter
  status: Status
  kind: Kind | undefined
}

/** The filters, which the address carries so that they can be shared and come back to. */
export function useFeedFilters() {
  const [params, setParams] = useSearchParams()
  const filters = filtersIn(params)
  const setFilters = (change: Partial<HomeFilters>) => {
    const next = { ...filters, ...change }
    setParams(toParams(next), { replace: true, preventScrollReset: true })
  }
  return { filters, setFilters, clearFilters: () => setParams({}, { replace: true }) }
}

export function filtersIn(params: URLSearchParams): HomeFilters {
  return {
    q: params.get('q') ?? '',
    visibility: visibilityNamed(params.get('visibility')),
    status: statusNamed(params.get('status')),
    kind: KINDS.find((kind) => kind === params.get('kind')),
  }
}

/** The query of the API: defaults are left out. */
export function toQuery({ q, visibility, status, kind }: HomeFilters): FeedFilters {
  return {
    ...(q && { q }),
    ...(visibility !== 'all' && { visibility }),
    ...(status !== 'all' && { status }),
    ...(kind && { kind }),
  }
}

function toParams(filters: HomeFilters): Record<string, string> {
  return { ...toQuery(filters) }
}

function visibilityNamed(name: string | null): VisibilityFilter {
  return VISIBILITY_FILTERS.find((visibility) => visibility === name) ?? 'all'
}
