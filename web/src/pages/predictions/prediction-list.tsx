import { useInfiniteQuery } from '@tanstack/react-query'
import type { Revelation, RevelationPage } from '#contract/revelations.ts'
import { OutcomeLine } from '#web/features/predictions/declared-outcome.tsx'
import { VoteRow } from '#web/features/predictions/vote-row.tsx'
import { RevelationList } from '#web/features/revelations/revelation-list.tsx'
import { revelationsQuery } from '#web/features/revelations/revelations.queries.ts'
import { counted } from '#web/lib/format.ts'
import { paths } from '#web/lib/paths.ts'
import { FeedCard } from '#web/pages/home/feed-card.tsx'
import Telescope from '#web/ui/art/telescope.svg?react'
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
      art={Telescope}
      title={isFiltered ? 'Aucune prédiction trouvée' : title}
      action={
        isFiltered ? (
          <Button variant="secondary" onClick={onClear}>
            Effacer les filtres
          </Button>
        ) : (
          <ButtonLink to={paths.createOf('prediction')}>Sceller une prédiction</ButtonLink>
        )
      }
    >
      {isFiltered ? 'Aucune ne répond à ces filtres pour l’instant.' : words}
    </EmptyState>
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
