import { useSession } from '#web/features/auth/session.tsx'
import { paths } from '#web/lib/paths.ts'
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

/** Everybody’s public revelations: the sealed ones, and the revealed ones with their outcomes. */
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
      <Horizon />
      <div className="container-page relative flex flex-wrap items-end justify-between gap-x-8 gap-y-5 pt-8 pb-12 sm:pt-11 sm:pb-16">
        <div className="max-w-xl">
          <PageHeading className="sm:text-5xl!">Prédictions Publiques</PageHeading>
          <p className="mt-3 text-ink-soft text-lg">
            Scellées avant, ouvertes le jour dit. Ensuite chacun peut dire ce qu’il en est advenu.
          </p>
        </div>
        <ButtonLink to={user ? paths.create : paths.register}>
          {user ? 'Sceller une prédiction' : 'Sceller ma première prédiction'}
        </ButtonLink>
      </div>
    </div>
  )
}

/** Hills before dawn, under a few stars. */
function Horizon() {
  return (
    <svg
      aria-hidden="true"
      viewBox="0 0 1200 300"
      preserveAspectRatio="xMidYMax slice"
      className="pointer-events-none absolute inset-0 size-full"
    >
      <defs>
        <radialGradient id="first-light" cx="0.78" cy="1" r="0.55">
          <stop offset="0" stopColor="#e9803a" stopOpacity="0.55" />
          <stop offset="0.45" stopColor="#b3263a" stopOpacity="0.22" />
          <stop offset="1" stopColor="#b3263a" stopOpacity="0" />
        </radialGradient>
      </defs>
      <g fill="#fff" fillOpacity="0.26">
        <circle cx="520" cy="46" r="1.4" />
        <circle cx="612" cy="96" r="1" />
        <circle cx="704" cy="34" r="1.6" />
        <circle cx="806" cy="78" r="1.1" />
        <circle cx="932" cy="40" r="1.4" />
        <circle cx="1064" cy="92" r="1" />
        <circle cx="1150" cy="30" r="1.6" />
        <circle cx="90" cy="30" r="1.2" />
        <circle cx="260" cy="22" r="1.4" />
      </g>
      <rect width="1200" height="300" fill="url(#first-light)" />
      <path d="M0 276q180-34 380-12t420-16 400 12v40H0z" fill="#0b1029" fillOpacity="0.75" />
      <path d="M0 292q260-22 560-6t640-10v24H0z" fill="#070b1f" fillOpacity="0.85" />
    </svg>
  )
}
