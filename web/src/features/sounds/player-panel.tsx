import { browserTimeZone } from '#web/lib/browser-time-zone.ts'
import { formatDay } from '#web/lib/french-dates.ts'
import { Avatar } from '#web/ui/avatar.tsx'
import { Button } from '#web/ui/button.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { PlayerControls, VolumeControl } from './player-controls.tsx'
import { SeekSlider } from './seek-slider.tsx'
import { CATEGORY_LABELS } from './sound-words.ts'
import type { SoundPlayer } from './use-sound-player.ts'

/** The whole player: beside the list on a wide screen, in a sheet on a phone. */
export function PlayerPanel({ player }: { player: SoundPlayer }) {
  const { current } = player
  if (!current) return null
  const day = formatDay(current.reveal_date ?? current.created_at, browserTimeZone())
  return (
    <div className="flex flex-col gap-4">
      <div className="sky-night voice-sky relative flex flex-col items-center overflow-hidden rounded-card px-4 pt-6 pb-5 text-center text-ink">
        <Avatar
          name={current.author_pseudo}
          src={current.author_avatar}
          className="size-18! text-3xl shadow-soft ring-4 ring-white/15"
        />
        <p className="mt-3 line-clamp-2 w-full break-words font-serif text-2xl leading-tight">
          {current.title}
        </p>
        <p className="mt-1.5 w-full truncate font-semibold">@{current.author_pseudo}</p>
        <p className="text-sm">
          {CATEGORY_LABELS[current.category]} · {day}
        </p>
      </div>
      {current.description && (
        <p className="max-h-24 overflow-y-auto whitespace-pre-line break-words text-ink-soft">
          {current.description}
        </p>
      )}
      {player.state === 'failed' ? <PlayFailure player={player} /> : <SeekSlider player={player} />}
      <PlayerControls player={player} />
      <VolumeControl player={player} />
    </div>
  )
}

function PlayFailure({ player }: { player: SoundPlayer }) {
  return (
    <Notice
      tone="error"
      title="Ce message n’a pas pu être lu"
      action={
        <Button variant="secondary" onClick={player.retry}>
          Réessayer
        </Button>
      }
    >
      Vérifiez votre connexion.
    </Notice>
  )
}
