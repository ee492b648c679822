import { Pause, Play, Shuffle, SkipBack, SkipForward, Volume2, VolumeX } from 'lucide-react'
import { browserTimeZone, formatDay } from '#web/lib/dates.ts'
import { Avatar } from '#web/ui/avatar.tsx'
import { Button, IconButton } from '#web/ui/button.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { Spinner } from '#web/ui/loading.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { SeekSlider } from './seek-slider.tsx'
import type { VoicePlayer } from './use-voice-player.ts'
import { CATEGORY_LABELS } from './voice-message.ts'

/** The whole player: beside the list on a wide screen, in a dialog on a phone. */
export function PlayerPanel({ player }: { player: VoicePlayer }) {
  const { current } = player
  if (!current) return null
  const day = formatDay(current.reveal_date ?? current.created_at, browserTimeZone())
  return (
    <div className="flex flex-col gap-4">
      <div className="theme-night bg-voices relative flex flex-col items-center overflow-hidden rounded-card px-4 pt-6 pb-5 text-center text-ink">
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

function PlayFailure({ player }: { player: VoicePlayer }) {
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

export function PlayButton({ player, small = false }: { player: VoicePlayer; small?: boolean }) {
  const { isPlaying, state, current, toggle } = player
  const icon = small ? 'size-5 fill-current' : 'size-7 fill-current'
  const waits = isPlaying && state !== 'ready'
  return (
    <button
      type="button"
      aria-label={isPlaying ? 'Pause' : 'Lecture'}
      title={isPlaying ? 'Pause' : 'Lecture'}
      disabled={!current}
      onClick={toggle}
      className={classNames(
        'inline-flex shrink-0 items-center justify-center rounded-full bg-wax text-on-wax shadow-soft transition-[background-color,transform] hover:bg-wax-hover active:scale-95 disabled:opacity-55',
        small ? 'size-11' : 'size-16',
      )}
    >
      {waits ? (
        <Spinner />
      ) : isPlaying ? (
        <Pause aria-hidden="true" className={icon} />
      ) : (
        <Play aria-hidden="true" className={classNames(icon, 'ml-0.5')} />
      )}
    </button>
  )
}

function PlayerControls({ player }: { player: VoicePlayer }) {
  return (
    <div className="flex items-center justify-between">
      <IconButton
        label="Lecture aléatoire"
        aria-pressed={player.isShuffled}
        icon={<Shuffle aria-hidden="true" className="size-5" />}
        onClick={player.toggleShuffle}
        className="relative aria-pressed:bg-sunken aria-pressed:text-wax-ink"
      />
      <IconButton
        label="Message précédent"
        icon={<SkipBack aria-hidden="true" className="size-6 fill-current" />}
        onClick={player.previous}
      />
      <PlayButton player={player} />
      <IconButton
        label="Message suivant"
        icon={<SkipForward aria-hidden="true" className="size-6 fill-current" />}
        onClick={player.next}
      />
      <SpeedButton player={player} />
    </div>
  )
}

function SpeedButton({ player: { speed, nextSpeed } }: { player: VoicePlayer }) {
  const text = `${String(speed).replace('.', ',')}×`
  return (
    <button
      type="button"
      aria-label={`Vitesse de lecture\u202F: ${text}`}
      title="Vitesse de lecture"
      onClick={nextSpeed}
      className="tabular-digits inline-flex size-11 items-center justify-center rounded-field font-bold text-ink-soft hover:bg-sunken hover:text-ink"
    >
      {text}
    </button>
  )
}

function VolumeControl({ player }: { player: VoicePlayer }) {
  const { volume, isMuted, setVolume, toggleMuted } = player
  const Icon = isMuted ? VolumeX : Volume2
  const shown = isMuted ? 0 : volume
  return (
    <div className="flex items-center gap-1">
      <IconButton
        label={isMuted ? 'Rétablir le son' : 'Couper le son'}
        icon={<Icon aria-hidden="true" className="size-5" />}
        onClick={toggleMuted}
      />
      <input
        type="range"
        aria-label="Volume"
        aria-valuetext={`${Math.round(shown * 100)}\u00A0%`}
        min={0}
        max={1}
        step={0.1}
        value={shown}
        onChange={(event) => setVolume(event.target.valueAsNumber)}
        className="h-11 w-full min-w-0 accent-wax"
      />
    </div>
  )
}
