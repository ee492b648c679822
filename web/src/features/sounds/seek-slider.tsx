import { type KeyboardEvent, type PointerEvent, useState } from 'react'
import { formatDuration, formatLength } from '#web/lib/durations.ts'
import { usePlace } from './use-place.ts'
import type { SoundPlayer } from './use-sound-player.ts'
import { Waveform } from './waveform.tsx'

const STEP_SECONDS = 5
const PAGE_SECONDS = 30

/** Goes anywhere in the sound that plays. What it says moves only when the person moves it: never as it ticks. */
export function SeekSlider({ player }: { player: SoundPlayer }) {
  const { current, media, length, seek } = player
  const [heldAt, hold] = useState<number>()
  const [spoken, speak] = useState(0)
  const place = () => media.current?.currentTime ?? 0
  const go = (seconds: number) => {
    const target = Math.min(Math.max(0, seconds), length)
    seek(target)
    speak(target)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const target = placeAfterKey(event.key, place(), length)
    if (target === undefined) return
    event.preventDefault()
    go(target)
  }
  const placeUnder = ({ currentTarget, clientX }: PointerEvent<HTMLElement>) => {
    const { left, width } = currentTarget.getBoundingClientRect()
    return Math.min(1, Math.max(0, (clientX - left) / Math.max(1, width))) * length
  }
  if (!current) return null
  return (
    <div>
      <div
        role="slider"
        tabIndex={0}
        aria-label="Position dans le message"
        aria-valuemin={0}
        aria-valuemax={Math.round(length)}
        aria-valuenow={Math.round(spoken)}
        aria-valuetext={`${formatLength(spoken)} sur ${formatLength(length)}`}
        onFocus={() => speak(place())}
        onKeyDown={onKeyDown}
        onPointerDown={(event) => {
          if (event.button !== 0) return
          event.currentTarget.setPointerCapture(event.pointerId)
          hold(placeUnder(event))
        }}
        onPointerMove={(event) => {
          if (heldAt !== undefined) hold(placeUnder(event))
        }}
        onPointerUp={(event) => {
          if (heldAt === undefined) return
          go(placeUnder(event))
          hold(undefined)
        }}
        onPointerCancel={() => hold(undefined)}
        className="h-14 cursor-pointer touch-pan-y select-none rounded-md"
      >
        <Waveform sound={current} media={media} length={length} heldAt={heldAt} />
      </div>
      <p className="digits mt-1 flex justify-between text-ink-soft text-sm">
        <Elapsed player={player} heldAt={heldAt} />
        <span>{formatDuration(length)}</span>
      </p>
    </div>
  )
}

/** Undefined for a key that does not move it. */
function placeAfterKey(key: string, place: number, length: number): number | undefined {
  const moves: Record<string, number> = {
    ArrowLeft: place - STEP_SECONDS,
    ArrowDown: place - STEP_SECONDS,
    ArrowRight: place + STEP_SECONDS,
    ArrowUp: place + STEP_SECONDS,
    PageDown: place - PAGE_SECONDS,
    PageUp: place + PAGE_SECONDS,
    Home: 0,
    End: length,
  }
  return moves[key]
}

function Elapsed({ player, heldAt }: { player: SoundPlayer; heldAt: number | undefined }) {
  const place = usePlace(player.media)
  return <span>{formatDuration(heldAt ?? Math.min(place, player.length || place))}</span>
}
