import { useEffect, useState } from 'react'
import type { Sound } from '#contract/sounds.ts'
import { DeleteSoundDialog } from '#web/features/sounds/delete-sound-dialog.tsx'
import { LockedDialog, type LockedSound } from '#web/features/sounds/locked-dialog.tsx'
import { PlayerBar } from '#web/features/sounds/player-bar.tsx'
import { PlayerPanel } from '#web/features/sounds/player-panel.tsx'
import { isFiltered, NO_FILTER, type SoundFilter } from '#web/features/sounds/sound-filter.ts'
import { SoundFilters } from '#web/features/sounds/sound-filters.tsx'
import { SoundList } from '#web/features/sounds/sound-list.tsx'
import { useAnnouncement } from '#web/features/sounds/use-announcement.ts'
import { useMediaSession } from '#web/features/sounds/use-media-session.ts'
import { usePlayerKeys } from '#web/features/sounds/use-player-keys.ts'
import { useRowActions } from '#web/features/sounds/use-row-actions.ts'
import { useSoundPlayer } from '#web/features/sounds/use-sound-player.ts'
import { MoreSounds } from './more-sounds.tsx'
import { NothingFound } from './nothing-found.tsx'
import { useWide } from './use-wide.ts'

interface ListeningProps {
  viewerId: string
  sounds: readonly Sound[]
  shown: readonly Sound[]
  /** How many there are, loaded or not. */
  count: number
  filter: SoundFilter
  onFilter: (filter: SoundFilter) => void
  more: { isLoading: boolean; hasFailed: boolean; retry: () => unknown }
  onMoreWanted: () => void
  onAllWanted: () => void
}

/** The playlist and its player. */
export function Listening(props: ListeningProps) {
  const { sounds, shown, filter, onFilter, more, onAllWanted } = props
  const player = useSoundPlayer({ sounds, shown })
  const announcement = useAnnouncement(player, sounds)
  const [locked, setLocked] = useState<LockedSound>()
  const [deleted, setDeleted] = useState<Sound>()
  const actions = useRowActions(player, { explainLock: setLocked, askDelete: setDeleted })
  const onKeyDown = usePlayerKeys(player)
  const isWide = useWide()
  useMediaSession(player)
  // What plays next and what is drawn by lot may be anywhere in the list.
  const needsAll = player.hasPlayed || player.isShuffled
  useEffect(() => {
    if (needsAll) onAllWanted()
  }, [needsAll, onAllWanted])
  return (
    <>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: shortcuts for what is inside, where each has its button */}
      <div
        onKeyDown={onKeyDown}
        className="contents lg:mt-6 lg:grid lg:grid-cols-[minmax(0,1fr)_22rem] lg:items-start lg:gap-6"
      >
        <audio {...player.audioProps} />
        <p role="status" className="sr-only">
          {announcement}
        </p>
        <section aria-label="Messages" className="mt-6 min-w-0 pb-4 lg:mt-0">
          <SoundFilters
            filter={filter}
            sounds={sounds}
            onChange={onFilter}
            onWanted={onAllWanted}
          />
          {shown.length > 0 && (
            <SoundList
              sounds={shown}
              count={isFiltered(filter) ? shown.length : Math.max(props.count, shown.length)}
              viewerId={props.viewerId}
              currentId={player.current?.id}
              isPlaying={player.isPlaying}
              actions={actions}
              onNearEnd={props.onMoreWanted}
              onAllWanted={onAllWanted}
            />
          )}
          {shown.length === 0 && !more.isLoading && (
            <NothingFound kind={filter.kind} onClear={() => onFilter(NO_FILTER)} />
          )}
          <MoreSounds {...more} isSought={isFiltered(filter)} />
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
      <LockedDialog sound={locked} onClose={() => setLocked(undefined)} />
      <DeleteSoundDialog
        sound={deleted}
        onClose={() => setDeleted(undefined)}
        onDeleted={player.onDeleted}
      />
    </>
  )
}
