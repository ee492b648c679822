import { useInfiniteQuery } from '@tanstack/react-query'
import { FileAudio, Mic } from 'lucide-react'
import { type ReactNode, useCallback, useEffect, useMemo, useState } from 'react'
import type { SoundTotals } from '#contract/sounds.ts'
import { useSignedInUser } from '#web/features/auth/session.tsx'
import {
  type VoiceMessagePage,
  voiceMessagesIn,
} from '#web/features/voice-messages/voice-message-cache.ts'
import {
  filterVoiceMessages,
  isFiltered,
  NO_FILTER,
} from '#web/features/voice-messages/voice-message-filters.tsx'
import { voiceMessagesQuery } from '#web/features/voice-messages/voice-messages.queries.ts'
import { formatTotal } from '#web/lib/format.ts'
import Microphone from '#web/ui/art/microphone.svg?react'
import { Button } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { Skeleton } from '#web/ui/loading.tsx'
import { QueryFailure } from '#web/ui/notice.tsx'
import { Statistic } from '#web/ui/statistic.tsx'
import { Playlist } from './playlist.tsx'

interface VoiceMessagesViewProps {
  onRecord: () => void
  onImport: () => void
  /** The unsent recordings. */
  children: ReactNode
}

export function VoiceMessagesView({ onRecord, onImport, children }: VoiceMessagesViewProps) {
  const user = useSignedInUser()
  const [filter, setFilter] = useState(NO_FILTER)
  const [needsAll, setNeedsAll] = useState(false)
  const { list, voiceMessages, totals, loadMore } = useVoiceMessages(needsAll || isFiltered(filter))
  const loadAll = useCallback(() => setNeedsAll(true), [])
  const shown = useMemo(
    () => filterVoiceMessages(voiceMessages, filter, user.id),
    [voiceMessages, filter, user.id],
  )
  return (
    <>
      <Totals totals={totals} />
      <div className="mt-5 empty:hidden">{children}</div>
      <div className="contents">
        {list.isPending ? (
          <VoiceMessagesSkeleton />
        ) : !list.data ? (
          <QueryFailure query={list} className="mt-6" title="Erreur lors du chargement des sons" />
        ) : voiceMessages.length === 0 ? (
          <NoVoiceMessages onRecord={onRecord} onImport={onImport} />
        ) : (
          <Playlist
            viewerId={user.id}
            voiceMessages={voiceMessages}
            shown={shown}
            count={totals?.sounds ?? voiceMessages.length}
            filter={filter}
            onFilter={setFilter}
            more={{
              isLoading: list.hasNextPage && !list.isFetchNextPageError,
              hasFailed: list.isFetchNextPageError,
              retry: list.fetchNextPage,
            }}
            onMoreNeeded={loadMore}
            onAllNeeded={loadAll}
          />
        )}
      </div>
    </>
  )
}

/** The loaded voice messages; `needsAll` loads page after page to the end. */
function useVoiceMessages(needsAll: boolean) {
  const list = useInfiniteQuery(voiceMessagesQuery())
  // `isFetching` is not read: the whole page would render twice for each page of the list.
  const { data, hasNextPage, isFetchNextPageError, fetchNextPage } = list
  const known = useMemo(() => data && voiceMessagesIn(data.pages), [data])
  const pages = data?.pages.length ?? 0
  const loadMore = useCallback(() => {
    if (hasNextPage) void fetchPages(fetchNextPage, (now) => now > pages)
  }, [hasNextPage, pages, fetchNextPage])
  useEffect(() => {
    if (!needsAll || !hasNextPage || isFetchNextPageError) return
    let isOver = false
    void fetchPages(fetchNextPage, () => isOver)
    return () => {
      isOver = true
    }
  }, [needsAll, hasNextPage, isFetchNextPageError, fetchNextPage])
  return { list, voiceMessages: known?.voiceMessages ?? NONE, totals: known?.totals, loadMore }
}

const NONE: never[] = []

type FetchNextPage = ReturnType<typeof useInfiniteQuery<VoiceMessagePage>>['fetchNextPage']

async function fetchPages(
  fetchNextPage: FetchNextPage,
  isEnough: (pages: number) => boolean,
): Promise<void> {
  for (;;) {
    // Joins a running request.
    const { data, hasNextPage, isError } = await fetchNextPage({ cancelRefetch: false })
    if (isError || !hasNextPage || isEnough(data?.pages.length ?? 0)) return
  }
}

function Totals({ totals }: { totals: SoundTotals | undefined }) {
  return (
    <dl
      aria-label="Les messages en chiffres"
      className="-mt-9 relative grid grid-cols-4 divide-x divide-line overflow-hidden rounded-card border border-line bg-surface shadow-soft"
    >
      <Statistic
        place="tallBar"
        value={totals?.sounds}
        one="message partagé"
        many="messages partagés"
      />
      <Statistic
        place="tallBar"
        value={totals?.duration}
        format={formatTotal}
        one="durée totale"
        many="durée totale"
      />
      <Statistic place="tallBar" value={totals?.favorites} one="favori" many="favoris" />
      <Statistic place="tallBar" value={totals?.plays} one="écoute" many="écoutes" />
    </dl>
  )
}

const SKELETON_ROWS = ['1', '2', '3', '4', '5']

function VoiceMessagesSkeleton() {
  return (
    <div role="status" className="mt-6 grid gap-6 lg:grid-cols-[1fr_22rem]">
      <span className="sr-only">Chargement des messages</span>
      <div className="flex flex-col gap-2">
        {SKELETON_ROWS.map((row) => (
          <Skeleton key={row} className="h-26 rounded-card!" />
        ))}
      </div>
      <Skeleton className="hidden h-120 rounded-card! lg:block" />
    </div>
  )
}

interface RecordActionsProps {
  onRecord: () => void
  onImport: () => void
}

export function RecordActions({ onRecord, onImport }: RecordActionsProps) {
  return (
    <div className="grid grid-cols-2 gap-3 sm:flex">
      <Button
        large
        className="px-3! sm:px-6!"
        icon={<Mic aria-hidden="true" className="size-5" />}
        onClick={onRecord}
      >
        Enregistrer
      </Button>
      <Button
        large
        variant="secondary"
        className="px-3! sm:px-6!"
        icon={<FileAudio aria-hidden="true" className="size-5" />}
        onClick={onImport}
      >
        Importer
      </Button>
    </div>
  )
}

function NoVoiceMessages(props: RecordActionsProps) {
  return (
    <EmptyState
      art={Microphone}
      title="Aucune voix pour l’instant"
      action={<RecordActions {...props} />}
    >
      Un bonjour, une chanson, une histoire du soir&#8239;: le premier message peut être le vôtre.
    </EmptyState>
  )
}
