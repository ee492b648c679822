import { useInfiniteQuery } from '@tanstack/react-query'
import type { Revelation, RevelationPage } from '#contract/revelations.ts'
import { OutcomeLine } from '#web/features/predictions/declared-outcome.tsx'
import { VoteRow } from '#web/features/predictions/vote-row.tsx'
import { RevelationList } from '#web/features/revelations/revelation-list.tsx'
import { revelationsQuery } from '#web/features/revelations/revelations.queries.ts'
import { counted } from '#web/lib/format.ts'
import { paths } from '#web/lib/paths.ts'
import { FeedCard } from '#web/pages/home/feed-card.tsx'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { Skeleton } from '#web/ui/loading.tsx'
import {
  type PredictionFilters,
  type PredictionTab,
  toPredictionsQuery,
} from './use-prediction-filters.ts'

interface PredictionListProps {
  filters: PredictionFilters
  isFiltered: boolean
  onClear: () => void
}

export function PredictionList({ filters, isFiltered, onClear }: PredictionListProps) {
  const feed = useInfiniteQuery(revelationsQuery(toPredictionsQuery(filters)))
  // The cards of the other tab are of another kind: the skeleton is better than those.
  const isOfOtherTab =
    feed.isPlaceholderData &&
    feed.data?.pages[0]?.revelations.some(
      ({ is_revealed }) => is_revealed !== (filters.tab === 'devoilees'),
    )
  return (
    <RevelationList
      list={feed}
      isOtherList={isOfOtherTab}
      countsSkeleton={<Skeleton className="my-5 h-6 w-40" />}
      failureTitle="Les prédictions n’ont pas pu être chargées"
      failureClassName="mt-6"
      renderCounts={(counts) => <FoundCount counts={counts} />}
      empty={<NoPredictions tab={filters.tab} isFiltered={isFiltered} onClear={onClear} />}
      renderCard={(revelation) => <FeedCard revelation={revelation} verdictOf={verdictOf} />}
    />
  )
}

function verdictOf(revelation: Revelation) {
  return revelation.prediction && <CardVerdict revelation={revelation} />
}

function FoundCount({ counts }: { counts: RevelationPage['counts'] | undefined }) {
  const { found = 0, is_capped = false } = counts ?? {}
  return (
    <p role="status" className="tabular-digits my-5 text-ink-soft empty:hidden">
      {found > 0 && `${is_capped ? 'Plus de ' : ''}${counted(found, 'prédiction', 'prédictions')}`}
    </p>
  )
}

const TEXTS: Record<PredictionTab, { title: string; words: string }> = {
  'a-venir': {
    title: 'Rien n’est encore scellé',
    words:
      'Écrivez ce qui arrivera, choisissez la date. La première prédiction peut être la vôtre.',
  },
  devoilees: {
    title: 'Aucune prédiction ne s’est encore ouverte',
    words: 'Celles qui attendent s’ouvriront ici, à leur heure.',
  },
}

interface NoPredictionsProps {
  tab: PredictionTab
  isFiltered: boolean
  onClear: () => void
}

function NoPredictions({ tab, isFiltered, onClear }: NoPredictionsProps) {
  const { title, words } = TEXTS[tab]
  return (
    <EmptyState
      drawing={<Telescope />}
      title={isFiltered ? 'Aucune prédiction trouvée' : title}
      action={
        isFiltered ? (
          <Button variant="secondary" onClick={onClear}>
            Effacer les filtres
          </Button>
        ) : (
          <ButtonLink to={paths.create}>Sceller une prédiction</ButtonLink>
        )
      }
    >
      {isFiltered ? 'Aucune ne répond à ces filtres pour l’instant.' : words}
    </EmptyState>
  )
}

function Telescope() {
  return (
    <svg aria-hidden="true" viewBox="0 0 240 150" className="w-60">
      <rect width="240" height="150" rx="14" fill="#1b2250" />
      <g fill="#fff" fillOpacity="0.3">
        <circle cx="30" cy="34" r="1.3" />
        <circle cx="66" cy="20" r="1.6" />
        <circle cx="104" cy="42" r="1" />
        <circle cx="148" cy="24" r="1.2" />
        <circle cx="222" cy="70" r="1.1" />
        <circle cx="24" cy="82" r="1" />
      </g>
      <path d="m196 22 3.2 8.8 8.8 3.2-8.8 3.2-3.2 8.8-3.2-8.8-8.8-3.2 8.8-3.2z" fill="#f6c987" />
      <path
        d="M0 124q58-30 124-14t116-8v34a14 14 0 0 1-14 14H14a14 14 0 0 1-14-14z"
        fill="#141a3f"
      />
      <path
        d="m118 90-17 34M118 90l3 36M118 90l20 31"
        stroke="#8b93cf"
        strokeWidth="4"
        strokeLinecap="round"
      />
      <g transform="rotate(-32 118 84)">
        <rect x="80" y="74" width="30" height="16" rx="4" fill="#6d77bd" />
        <rect x="106" y="71" width="52" height="22" rx="5" fill="#aeb7ea" />
        <rect x="154" y="68" width="8" height="28" rx="3" fill="#e9803a" />
      </g>
    </svg>
  )
}

/** The outcome on a card: by its author, and by its readers. */
function CardVerdict({ revelation }: { revelation: Revelation }) {
  const { prediction } = revelation
  if (!prediction) return null
  return (
    <div className="flex flex-col gap-2.5">
      {prediction.declared ? (
        <OutcomeLine declared={prediction.declared} revelation={revelation} />
      ) : (
        <p className="text-ink-soft text-sm">L’auteur n’a pas encore déclaré d’issue.</p>
      )}
      <VoteRow revelation={revelation} prediction={prediction} />
    </div>
  )
}
