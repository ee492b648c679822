import { useSession } from '#web/features/auth/session.tsx'
import { paths } from '#web/lib/paths.ts'
import Horizon from '#web/ui/art/horizon.svg?react'
import { ButtonLink } from '#web/ui/button.tsx'
import { PageHeading } from '#web/ui/page-heading.tsx'
import { Tabs } from '#web/ui/tabs.tsx'
import { PredictionFields } from './prediction-filters.tsx'
import { PredictionList } from './prediction-list.tsx'
import {
  PREDICTION_TABS,
  type PredictionTab,
  usePredictionFilters,
} from './use-prediction-filters.ts'

const LABELS: Record<PredictionTab, string> = { 'a-venir': 'À venir', devoilees: 'Dévoilées' }

/** Everybody’s public predictions: the sealed ones, and the revealed ones with their outcomes. */
export function PredictionsPage() {
  const { filters, setFilters, openTab, clearFilters, isFiltered } = usePredictionFilters()
  return (
    <>
      <PredictionsHero />
      <div className="container-page pt-4">
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

function PredictionsHero() {
  const { user } = useSession()
  return (
    <div className="theme-night bg-hero relative overflow-hidden text-ink">
      <Horizon className="pointer-events-none absolute inset-0 size-full" />
      <div className="container-page relative flex flex-wrap items-end justify-between gap-x-8 gap-y-5 pt-8 pb-12 sm:pt-11 sm:pb-16">
        <div className="max-w-xl">
          <PageHeading className="sm:text-5xl!">Prédictions Publiques</PageHeading>
          <p className="mt-3 text-ink-soft text-lg">
            Scellées avant, ouvertes le jour dit. Ensuite chacun peut dire ce qu’il en est advenu.
          </p>
        </div>
        <ButtonLink to={user ? paths.createOf('prediction') : paths.registerToWrite}>
          {user ? 'Sceller une prédiction' : 'Sceller ma première prédiction'}
        </ButtonLink>
      </div>
    </div>
  )
}
