import { useEffect, useState, useSyncExternalStore } from 'react'
import { PlayerBar } from '#web/features/voice-messages/player-bar.tsx'
import { useMediaSession, usePlayerKeys } from '#web/features/voice-messages/player-keys.ts'
import { PlayerPanel } from '#web/features/voice-messages/player-panel.tsx'
import { useRowActions } from '#web/features/voice-messages/row-actions.tsx'
import { useAnnouncement } from '#web/features/voice-messages/use-announcement.ts'
import { useVoicePlayer } from '#web/features/voice-messages/use-voice-player.ts'
import type {
  LockedVoiceMessage,
  VoiceMessage,
} from '#web/features/voice-messages/voice-message.ts'
import {
  DeleteVoiceMessageDialog,
  LockedDialog,
} from '#web/features/voice-messages/voice-message-dialogs.tsx'
import {
  isFiltered,
  NO_FILTER,
  type VoiceMessageFilter,
  VoiceMessageFilters,
} from '#web/features/voice-messages/voice-message-filters.tsx'
import { VoiceMessageList } from '#web/features/voice-messages/voice-message-list.tsx'
import { Button } from '#web/ui/button.tsx'
import { Spinner } from '#web/ui/loading.tsx'
import { Notice } from '#web/ui/notice.tsx'

interface PlaylistProps {
  viewerId: string
  voiceMessages: readonly VoiceMessage[]
  shown: readonly VoiceMessage[]
  /** The number of voice messages, loaded or not. */
  count: number
  filter: VoiceMessageFilter
  onFilter: (filter: VoiceMessageFilter) => void
  more: { isLoading: boolean; hasFailed: boolean; retry: () => unknown }
  onMoreNeeded: () => void
  onAllNeeded: () => void
}

export function Playlist(props: PlaylistProps) {
  const { voiceMessages, shown, filter, onFilter, more, onAllNeeded } = props
  const player = useVoicePlayer({ voiceMessages, shown })
  const announcement = useAnnouncement(player, voiceMessages)
  const [locked, setLocked] = useState<LockedVoiceMessage>()
  const [deleted, setDeleted] = useState<VoiceMessage>()
  const actions = useRowActions(player, { explainLock: setLocked, confirmDelete: setDeleted })
  const onKeyDown = usePlayerKeys(player)
  const isWide = useWide()
  useMediaSession(player)
  // The next to play and the shuffled order may need any of the list.
  const needsAll = player.hasPlayed || player.isShuffled
  useEffect(() => {
    if (needsAll) onAllNeeded()
  }, [needsAll, onAllNeeded])
  return (
    <>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: shortcuts for the buttons inside */}
      <div
        onKeyDown={onKeyDown}
        className="contents lg:mt-6 lg:grid lg:grid-cols-[minmax(0,1fr)_22rem] lg:items-start lg:gap-6"
      >
        <audio {...player.audioProps} />
        <p role="status" className="sr-only">
          {announcement}
        </p>
        <section aria-label="Messages" className="mt-6 min-w-0 pb-4 lg:mt-0">
          <VoiceMessageFilters
            filter={filter}
            voiceMessages={voiceMessages}
            onChange={onFilter}
            onAuthorsNeeded={onAllNeeded}
          />
          {shown.length > 0 && (
            <VoiceMessageList
              voiceMessages={shown}
              count={isFiltered(filter) ? shown.length : Math.max(props.count, shown.length)}
              viewerId={props.viewerId}
              currentId={player.current?.id}
              isPlaying={player.isPlaying}
              actions={actions}
              onNearEnd={props.onMoreNeeded}
              onAllNeeded={onAllNeeded}
            />
          )}
          {shown.length === 0 && !more.isLoading && (
            <NothingFound kind={filter.kind} onClear={() => onFilter(NO_FILTER)} />
          )}
          <MoreVoiceMessages {...more} isSearching={isFiltered(filter)} />
        </section>
        {isWide ? (
          <section
            aria-label="Lecteur"
            className="sticky top-20 max-h-[calc(100dvh-6rem)] overflow-y-auto rounded-card border border-line bg-surface p-4 shadow-soft empty:hidden"
          >
            <PlayerPanel player={player} />
          </section>
        ) : (
          <PlayerBar player={player} />
        )}
      </div>
      <LockedDialog voiceMessage={locked} onClose={() => setLocked(undefined)} />
      <DeleteVoiceMessageDialog
        voiceMessage={deleted}
        onClose={() => setDeleted(undefined)}
        onDeleted={player.onDeleted}
      />
    </>
  )
}

const WIDE = '(min-width: 64rem)'

/** Whether the player has room beside its list. */
function useWide(): boolean {
  return useSyncExternalStore(subscribe, () => window.matchMedia(WIDE).matches)
}

function subscribe(onChange: () => void): () => void {
  const query = window.matchMedia(WIDE)
  query.addEventListener('change', onChange)
  return () => query.removeEventListener('change', onChange)
}

interface MoreVoiceMessagesProps {
  isLoading: boolean
  hasFailed: boolean
  retry: () => unknown
  /** A search or a filter is active. */
  isSearching: boolean
}

/** The state of the rest of a long list. */
function MoreVoiceMessages({ isLoading, hasFailed, retry, isSearching }: MoreVoiceMessagesProps) {
  if (hasFailed) {
    return (
      <Notice
        tone="error"
        className="mt-4"
        action={
          <Button variant="secondary" onClick={() => retry()}>
            Réessayer
          </Button>
        }
      >
        La suite n’a pas pu être chargée.
      </Notice>
    )
  }
  if (!isLoading || !isSearching) return null
  return (
    <p role="status" className="mt-4 flex items-center justify-center gap-3 text-ink-soft">
      <Spinner /> Recherche dans tous les messages
    </p>
  )
}

const HINTS: Record<string, string> = {
  favorites: 'Touchez le cœur d’un message pour le retrouver ici.',
  upcoming: 'Aucun message n’attend son heure pour l’instant.',
  mine: 'Personne ne vous a encore parlé en particulier.',
}

interface NothingFoundProps {
  kind: VoiceMessageFilter['kind']
  onClear: () => void
}

function NothingFound({ kind, onClear }: NothingFoundProps) {
  return (
    <div className="flex flex-col items-center gap-4 px-4 py-10 text-center">
      <h2 className="text-2xl">Aucun message trouvé</h2>
      <p className="text-ink-soft">{HINTS[kind] ?? 'Rien ne répond à ces mots.'}</p>
      <Button variant="secondary" onClick={onClear}>
        Voir tous les messages
      </Button>
    </div>
  )
}
