import { Tabs } from '#web/ui/tabs.tsx'
import { PredictionFields } from './prediction-fields.tsx'
import { PredictionList } from './prediction-list.tsx'
import { PredictionsHero } from './predictions-hero.tsx'
import {
  PREDICTION_TABS,
  type PredictionTab,
  usePredictionFilters,
} from './use-prediction-filters.ts'

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
