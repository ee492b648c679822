import { Pause, Play, Shuffle, SkipBack, SkipForward, Volume2, VolumeX } from 'lucide-react'
import { classNames } from '#web/ui/class-names.ts'
import { IconButton } from '#web/ui/icon-button.tsx'
import { Spinner } from '#web/ui/spinner.tsx'
import type { SoundPlayer } from './use-sound-player.ts'

export function PlayButton({ player, small = false }: { player: SoundPlayer; small?: boolean }) {
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

/** The row of buttons under the waveform. */
export function PlayerControls({ player }: { player: SoundPlayer }) {
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

function SpeedButton({ player: { speed, turnSpeed } }: { player: SoundPlayer }) {
  const text = `${String(speed).replace('.', ',')}×`
  return (
    <button
      type="button"
      aria-label={`Vitesse de lecture\u00A0: ${text}`}
      title="Vitesse de lecture"
      onClick={turnSpeed}
      className="digits inline-flex size-11 items-center justify-center rounded-field font-bold text-ink-soft hover:bg-sunken hover:text-ink"
    >
      {text}
    </button>
  )
}

export function VolumeControl({ player }: { player: SoundPlayer }) {
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
