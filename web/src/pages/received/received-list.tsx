import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query'
import { useQueryClient } from '@tanstack/react-query'
import { MessageCircleReply } from 'lucide-react'
import { useId } from 'react'
import { RECEIVED_STATES, type ReceivedPage, type ReceivedRevelation } from '#contract/received.ts'
import { soonest } from '#web/features/received/awaiting.queries.ts'
import { LeaveButton } from '#web/features/received/leave-button.tsx'
import { LetterCard } from '#web/features/received/letter-card.tsx'
import { LetterGrid } from '#web/features/received/letter-grid.tsx'
import { RECEIVED_KEY } from '#web/features/revelations/revelation-cache.ts'
import { MoreButton } from '#web/features/revelations/revelation-grid.tsx'
import { NearbyItem, PAGES_BETWEEN_PAUSES } from '#web/features/revelations/revelation-list.tsx'
import { useIsPast } from '#web/lib/clock.ts'
import { usePollUntil } from '#web/lib/hooks.ts'
import { Skeleton } from '#web/ui/loading.tsx'
import { STATE_LABELS } from './received-fields.tsx'
import { NoneFound, NoneReceived } from './received-notes.tsx'
import type { ReceivedPageFilters } from './use-received-filters.ts'

interface ReceivedListProps {
  query: UseInfiniteQueryResult<InfiniteData<ReceivedPage>>
  pages: ReceivedPage[]
  filters: ReceivedPageFilters
  /** There is no letter at all, whatever is searched. */
  hasNone: boolean
  onClear: () => void
}

export function ReceivedList({ query, pages, filters, hasNone, onClear }: ReceivedListProps) {
  const letters = pages.flatMap(({ revelations }) => revelations)
  useTurn(letters)
  if (letters.length === 0) {
    return hasNone ? <NoneReceived /> : <NoneFound filters={filters} onClear={onClear} />
  }
  return (
    <div
      aria-busy={query.isPlaceholderData}
      className={query.isPlaceholderData ? 'opacity-60 transition-opacity delay-200' : undefined}
    >
      {RECEIVED_STATES.map((state) => (
        <StateSection
          key={state}
          title={STATE_LABELS[state]}
          letters={letters.filter(({ received }) => received.state === state)}
        />
      ))}
      {query.hasNextPage && (
        <MoreButton
          list={query}
          isPause={pages.length % PAGES_BETWEEN_PAUSES === 0}
          label="Afficher plus de lettres"
        />
      )}
    </div>
  )
}

/** At the instant of the next of these letters it turns to those that wait. */
function useTurn(letters: ReceivedRevelation[]): void {
  const client = useQueryClient()
  const next = soonest(letters.filter(({ received }) => received.state === 'upcoming'))
  const isDue = useIsPast(next?.reveal_date)
  usePollUntil(isDue, () => client.invalidateQueries({ queryKey: RECEIVED_KEY }))
}

interface StateSectionProps {
  title: string
  letters: ReceivedRevelation[]
}

function StateSection({ title, letters }: StateSectionProps) {
  const headingId = useId()
  if (letters.length === 0) return null
  return (
    <section aria-labelledby={headingId} className="mt-6">
      <h2 id={headingId} className="text-xl sm:text-2xl">
        {title}
      </h2>
      <LetterGrid>
        {letters.map((letter) => (
          <NearbyItem key={letter.id} id={`received:${letter.id}`}>
            <ReceivedLetter letter={letter} />
          </NearbyItem>
        ))}
      </LetterGrid>
    </section>
  )
}

function ReceivedLetter({ letter }: { letter: ReceivedRevelation }) {
  const { state, opened_at, is_answered, source } = letter.received
  return (
    <LetterCard
      revelation={letter}
      state={state}
      openedAt={opened_at}
      actions={source === 'link' && <LeaveButton revelation={letter} />}
      note={
        is_answered && (
          <p className="mt-1 flex items-center gap-1.5 text-leaf-ink">
            <MessageCircleReply aria-hidden="true" className="size-4 shrink-0" />
            Vous avez répondu
          </p>
        )
      }
    />
  )
}

/** What waits comes first: its night is what is seen while it loads. What follows it comes into sight only once its place is known. */
export function ReceivedSkeleton() {
  return (
    <div role="status" className="mt-6 min-h-dvh">
      <span className="sr-only">Chargement de vos lettres</span>
      <div aria-hidden="true">
        <Skeleton className="h-8 w-32" />
        <LetterGrid>
          {['un', 'deux', 'trois'].map((name) => (
            <li key={name}>
              <div className="theme-night flex h-48 gap-4 rounded-card border border-line bg-night-card p-5">
                <Skeleton className="size-18 shrink-0 rounded-full!" />
                <div className="flex flex-1 flex-col gap-3">
                  <Skeleton className="h-7 w-4/5" />
                  <Skeleton className="h-5 w-1/2" />
                  <Skeleton className="h-7 w-3/5" />
                  <Skeleton className="mt-auto h-5 w-2/5" />
                </div>
              </div>
            </li>
          ))}
        </LetterGrid>
      </div>
    </div>
  )
}
