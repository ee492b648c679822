import { type InfiniteData, useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { CalendarPlus } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { useSearchParams } from 'react-router'
import type { RevelationPage } from '#contract/revelations.ts'
import { REVEALS_KEY } from '#web/features/calendar/calendar.queries.ts'
import { CIRCLE_KEY } from '#web/features/circle/circle.queries.ts'
import { RevelationCounts } from '#web/features/revelations/revelation-grid.tsx'
import { RevelationList } from '#web/features/revelations/revelation-list.tsx'
import {
  type FeedFilters,
  revelationsQuery,
} from '#web/features/revelations/revelations.queries.ts'
import { type Status, StatusFilter, statusNamed } from '#web/features/revelations/status-filter.tsx'
import { paths } from '#web/lib/paths.ts'
import { FeedCard } from '#web/pages/home/feed-card.tsx'
import UnlitLanterns from '#web/ui/art/unlit-lanterns.svg?react'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { SearchBox } from '#web/ui/search-box.tsx'

/** The revelations for the family. */
export function DeliveriesTab() {
  const { filters, isFiltered, setFilters, clearFilters } = useDeliveryFilters()
  const feed = useInfiniteQuery(revelationsQuery(toDeliveriesQuery(filters)))
  useRefreshFigures(feed.data, feed.isPlaceholderData)
  const isEmpty = feed.data?.pages[0]?.revelations.length === 0
  return (
    <>
      <h2 className="sr-only">Livraisons</h2>
      {/* An empty circle has no search. */}
      {!(isEmpty && !isFiltered) && (
        <div className="mb-5 grid gap-3 sm:grid-cols-2 lg:grid-cols-[1fr_22rem]">
          <SearchBox
            label="Rechercher une livraison par son titre ou son auteur"
            placeholder="Un titre, un auteur"
            q={filters.q}
            onSearch={(q) => setFilters({ q })}
          />
          <StatusFilter status={filters.status} onChange={(status) => setFilters({ status })} />
        </div>
      )}
      <RevelationList
        list={feed}
        failureTitle="Les livraisons n’ont pas pu être chargées"
        renderCounts={(counts) => isFiltered && <RevelationCounts counts={counts} />}
        empty={isFiltered ? <NothingFound onClear={clearFilters} /> : <EmptyCircle />}
        renderCard={(revelation) => <FeedCard revelation={revelation} />}
      />
    </>
  )
}

function EmptyCircle() {
  return (
    <EmptyState
      isUnderTabs
      art={UnlitLanterns}
      title="Votre Cercle Privé est vide"
      action={
        <ButtonLink
          to={paths.deliver}
          icon={<CalendarPlus aria-hidden="true" className="size-5" />}
          // On a phone it is at the bottom of the screen already.
          className="max-sm:hidden"
        >
          Programmer une livraison
        </ButtonLink>
      }
    >
      Une lettre pour ses vingt ans, une vidéo pour Noël&#8239;: ce que vous scellez ici, seule
      votre famille le verra.
    </EmptyState>
  )
}

function NothingFound({ onClear }: { onClear: () => void }) {
  return (
    <EmptyState
      isUnderTabs
      art={UnlitLanterns}
      title="Aucune livraison trouvée"
      action={
        <Button variant="secondary" onClick={onClear}>
          Effacer la recherche et le filtre
        </Button>
      }
    >
      Rien dans votre cercle ne répond à ces mots et à ce filtre.
    </EmptyState>
  )
}

interface DeliveryFilters {
  q: string
  status: Status
}

/** The filters, which the address carries beside the tab. */
function useDeliveryFilters() {
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

/** The query of the API: revelations for the family. */
function toDeliveriesQuery({ q, status }: DeliveryFilters): FeedFilters {
  return { visibility: 'family', ...(q && { q }), ...(status !== 'all' && { status }) }
}

type Deliveries = InfiniteData<RevelationPage> | undefined

/** Fetches the figures of the circle again when a shown delivery opens or is withdrawn. */
function useRefreshFigures(deliveries: Deliveries, isOfOtherFilters: boolean): void {
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

/** Whether one opened or exactly one is gone: other filters replace several at once. */
function hasMoved(before: Map<string, boolean>, now: Map<string, boolean>): boolean {
  const gone = [...before.keys()].filter((id) => !now.has(id)).length
  const opened = [...before].some(([id, wasRevealed]) => !wasRevealed && now.get(id) === true)
  return opened || gone === 1
}
