import { type ReactNode, useCallback, useMemo, useState } from 'react'
import { useSignedInUser } from '#web/features/auth/session.tsx'
import { filterSounds, isFiltered, NO_FILTER } from '#web/features/sounds/sound-filter.ts'
import { useSounds } from '#web/features/sounds/use-sounds.ts'
import { errorSentence } from '#web/lib/api-client.ts'
import { LoadFailure } from '#web/ui/load-failure.tsx'
import { EmptySounds } from './empty-sounds.tsx'
import { Listening } from './listening.tsx'
import { SoundFigures } from './sound-figures.tsx'
import { SoundsSkeleton } from './sounds-skeleton.tsx'

interface SoundsViewProps {
  onRecord: () => void
  onImport: () => void
  /** What was recorded here and not sent yet. */
  children: ReactNode
}

export function SoundsView({ onRecord, onImport, children }: SoundsViewProps) {
  const user = useSignedInUser()
  const [filter, setFilter] = useState(NO_FILTER)
  const [isAllWanted, setAllWanted] = useState(false)
  const { list, sounds, totals, askMore } = useSounds(isAllWanted || isFiltered(filter))
  const wantAll = useCallback(() => setAllWanted(true), [])
  const shown = useMemo(() => filterSounds(sounds, filter, user.id), [sounds, filter, user.id])
  return (
    <>
      <SoundFigures totals={totals} />
      <div className="mt-5 empty:hidden">{children}</div>
      <div className="contents">
        {list.isPending ? (
          <SoundsSkeleton />
        ) : !list.data ? (
          <LoadFailure
            className="mt-6"
            title="Erreur lors du chargement des sons"
            isRetrying={list.isFetching}
            onRetry={list.refetch}
          >
            {errorSentence(list.error, 'Erreur API')}
          </LoadFailure>
        ) : sounds.length === 0 ? (
          <EmptySounds onRecord={onRecord} onImport={onImport} />
        ) : (
          <Listening
            viewerId={user.id}
            sounds={sounds}
            shown={shown}
            count={totals?.sounds ?? sounds.length}
            filter={filter}
            onFilter={setFilter}
            more={{
              isLoading: list.hasNextPage && !list.isFetchNextPageError,
              hasFailed: list.isFetchNextPageError,
              retry: list.fetchNextPage,
            }}
            onMoreWanted={askMore}
            onAllWanted={wantAll}
          />
        )}
      </div>
    </>
  )
}
