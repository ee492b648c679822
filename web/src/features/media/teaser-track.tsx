import { useRef, useState } from 'react'
import { TEASER_MAX_SECONDS, TEASER_MIN_SECONDS } from '#contract/sealing.ts'
import { formatPlace, speakPlace } from '#web/lib/durations.ts'
import { Filmstrip } from './filmstrip.tsx'
import { TeaserSlider } from './teaser-slider.tsx'
import {
  lengthOf,
  moveEnd,
  moveStart,
  slide,
  type TeaserWindow,
  viewAround,
} from './teaser-window.ts'

interface TeaserTrackProps {
  src: string | undefined
  duration: number
  window: TeaserWindow
  /** `shown`: the place whose frame helps to decide. */
  onChange: (window: TeaserWindow, shown: number) => void
  /** Where the preview is, while it plays. */
  playhead: number | undefined
}

/** The film with its window: both ends and the whole can be dragged, or moved from the keyboard. */
export function TeaserTrack({ src, duration, window, onChange, playhead }: TeaserTrackProps) {
  const track = useRef<HTMLDivElement>(null)
  // The view waits for the finger to leave before it follows the window.
  const [view, setView] = useState(() => viewAround(window, duration))
  const isWhole = duration - (view.end - view.start) < 1
  const span = view.end - view.start
  const follow = (moved: TeaserWindow) => {
    const next = viewAround(moved, duration)
    if (next.start !== view.start || next.end !== view.end) setView(next)
  }
  const percent = (place: number) => `${((place - view.start) / span) * 100}%`
  const shared = {
    secondsPerPixel: () => span / Math.max(1, track.current?.clientWidth ?? 1),
    onRelease: () => follow(window),
  }
  const isViewStale = window.start < view.start || window.end > view.end
  if (isViewStale) follow(window)

  const pullStart = (to: number) => {
    const moved = moveStart(window, Math.max(to, view.start))
    onChange(moved, moved.start)
  }
  const pullEnd = (to: number) => {
    const moved = moveEnd(window, Math.min(to, view.end), duration)
    onChange(moved, moved.end)
  }
  const slideTo = (to: number) => {
    const moved = slide(window, to, duration)
    onChange(moved, moved.start)
  }

  return (
    <div>
      {!isWhole && (
        <label className="mb-3 block">
          <span className="mb-1 block text-ink-soft text-sm">Parcourir toute la vidéo</span>
          <input
            type="range"
            min={0}
            max={duration - lengthOf(window)}
            step={0.1}
            value={window.start}
            aria-valuetext={speakPlace(window.start)}
            onChange={(event) => {
              const moved = slide(window, event.target.valueAsNumber, duration)
              onChange(moved, moved.start)
              follow(moved)
            }}
            className="h-11 w-full accent-wax"
          />
        </label>
      )}
      <div className="-mx-4 overflow-x-clip px-10">
        <div ref={track} className="relative h-16">
          {src ? (
            <Filmstrip src={src} view={view} />
          ) : (
            <div className="absolute inset-0 rounded-md bg-sunken" />
          )}
          <Shade from="0%" to={percent(window.start)} />
          <Shade from={percent(window.end)} to="100%" />
          <TeaserSlider
            {...shared}
            label="Déplacer l’extrait"
            value={window.start}
            min={0}
            max={Math.max(0, duration - lengthOf(window))}
            valueText={`de ${speakPlace(window.start)} à ${speakPlace(window.end)}`}
            onMove={slideTo}
            className="absolute inset-y-0 cursor-grab border-wax border-y-4 active:cursor-grabbing"
            style={{
              left: percent(window.start),
              width: `${(lengthOf(window) / span) * 100}%`,
            }}
          />
          {playhead !== undefined && (
            <span
              aria-hidden="true"
              className="pointer-events-none absolute inset-y-0 w-0.5 bg-white mix-blend-difference"
              style={{ left: percent(playhead) }}
            />
          )}
          <TeaserSlider
            {...shared}
            label="Début de l’extrait"
            value={window.start}
            min={Math.max(0, window.end - TEASER_MAX_SECONDS)}
            max={window.end - TEASER_MIN_SECONDS}
            onMove={pullStart}
            className="group -translate-x-full absolute -inset-y-1 flex w-11 cursor-ew-resize justify-end focus-visible:outline-none"
            style={{ left: percent(window.start) }}
          >
            <Handle side="left" />
          </TeaserSlider>
          <TeaserSlider
            {...shared}
            label="Fin de l’extrait"
            value={window.end}
            min={window.start + TEASER_MIN_SECONDS}
            max={Math.min(duration, window.start + TEASER_MAX_SECONDS)}
            onMove={pullEnd}
            className="group absolute -inset-y-1 flex w-11 cursor-ew-resize justify-start focus-visible:outline-none"
            style={{ left: percent(window.end) }}
          >
            <Handle side="right" />
          </TeaserSlider>
        </div>
      </div>
      <div
        aria-hidden="true"
        className="digits mt-1 flex justify-between px-6 text-ink-soft text-xs"
      >
        <span>{formatPlace(view.start)}</span>
        <span>{formatPlace(view.end)}</span>
      </div>
    </div>
  )
}

function Shade({ from, to }: { from: string; to: string }) {
  return (
    <div
      aria-hidden="true"
      className="pointer-events-none absolute inset-y-0 bg-ground/75"
      style={{ left: from, right: `calc(100% - ${to})` }}
    />
  )
}

function Handle({ side }: { side: 'left' | 'right' }) {
  return (
    <span
      className={`flex h-full w-5 items-center justify-center bg-wax group-focus-visible:outline-3 group-focus-visible:outline-focus group-focus-visible:outline-offset-2 ${side === 'left' ? 'rounded-l-lg' : 'rounded-r-lg'}`}
    >
      <span className="h-6 w-1 rounded-full bg-on-wax" />
    </span>
  )
}
