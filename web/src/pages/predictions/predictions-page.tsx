import { paths } from '#web/app/paths.ts'
import { revelationsQuery } from '#web/features/revelations/revelations.queries.ts'
import type { PageFirstScreen } from '#web/lib/first-screen.ts'
import { Tabs } from '#web/ui/tabs.tsx'
import { PredictionFields } from './prediction-fields.tsx'
import { PredictionList } from './prediction-list.tsx'
import { PredictionsHero } from './predictions-hero.tsx'
import {
  PREDICTION_TABS,
  type PredictionTab,
  predictionFiltersIn,
  toPredictionsQuery,
  usePredictionFilters,
} from './use-prediction-filters.ts'

export const firstScreen: PageFirstScreen = {
  queries: ({ search }) => {
    const query = revelationsQuery(toPredictionsQuery(predictionFiltersIn(search)))
    return [{ queryKey: query.queryKey, ask: (client) => client.prefetchInfiniteQuery(query) }]
  },
  head: () => ({ canonical: paths.predictions }),
}

const LABELS: Record<PredictionTab, string> = { 'a-venir': 'À venir', devoilees: 'Dévoilées' }

/** The public revelations of everybody: what is still sealed, and what became of what has opened. */
export function PredictionsPage() {
  const { filters, setFilters, openTab, clearFilters, isFiltered } = usePredictionFilters()
  return (
    <>
      <PredictionsHero />
      <div className="content pt-4">
        <Tabs
          label="Prédictions publiques"
          value={filters.tab}
          onChange={openTab}
          tabs={PREDICTION_TABS.map((tab) => ({
            value: tab,
            label: LABELS[tab],
            content: (
              <>
                <h2 className="sr-only">{LABELS[tab]}</h2>
                <PredictionFields filters={filters} onChange={setFilters} />
                <PredictionList filters={filters} isFiltered={isFiltered} onClear={clearFilters} />
              </>
            ),
          }))}
        />
      </div>
    </>
  )
}
