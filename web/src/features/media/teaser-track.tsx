import { Slider } from 'radix-ui'
import { type ComponentProps, type KeyboardEvent, useRef, useState } from 'react'
import { TEASER_MAX_SECONDS, TEASER_MIN_SECONDS } from '#contract/sealing.ts'
import { formatPlace, speakPlace } from '#web/lib/format.ts'
import { classNames } from '#web/ui/class-names.ts'
import { Filmstrip } from './filmstrip.tsx'
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
  /** `shown`: the position of the frame to show. */
  onChange: (window: TeaserWindow, shown: number) => void
  /** The position of the preview while it plays. */
  playhead: number | undefined
}

/** The filmstrip with its window: both ends and the whole move by drag or keyboard. */
export function TeaserTrack({ src, duration, window, onChange, playhead }: TeaserTrackProps) {
  // The view follows the window only once the finger is up.
  const [pinnedView, setPinnedView] = useState<TeaserWindow>()
  const view = pinnedView ?? viewAround(window, duration)
  const isWhole = duration - (view.end - view.start) < 1
  const span = view.end - view.start
  const percent = (place: number) => `${((place - view.start) / span) * 100}%`

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
  const slider = {
    min: view.start,
    max: view.end,
    step: 0.1,
    onPointerDown: () => setPinnedView(view),
    onLostPointerCapture: () => setPinnedView(undefined),
    // Radix keeps thumbs within the track; ours lie around the window, which begins and ends on its frames.
    className: 'pointer-events-none absolute inset-0 *:static! *:transform-none!',
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
            onChange={(event) => slideTo(event.target.valueAsNumber)}
            className="h-11 w-full accent-wax"
          />
        </label>
      )}
      <div className="-mx-4 overflow-x-clip px-10">
        <div className="relative h-16">
          {src ? (
            <Filmstrip src={src} view={view} />
          ) : (
            <div className="absolute inset-0 rounded-md bg-sunken" />
          )}
          <Shade from="0%" to={percent(window.start)} />
          <Shade from={percent(window.end)} to="100%" />
          <Slider.Root
            {...slider}
            value={[window.start]}
            onValueChange={([to = window.start]) => slideTo(to)}
          >
            <Thumb
              label="Déplacer l’extrait"
              value={window.start}
              min={0}
              max={Math.max(0, duration - lengthOf(window))}
              aria-valuetext={`de ${speakPlace(window.start)} à ${speakPlace(window.end)}`}
              grippedAt="left"
              onMove={slideTo}
              className="inset-y-0 cursor-grab border-wax border-y-4 active:cursor-grabbing"
              style={{
                left: percent(window.start),
                width: `${(lengthOf(window) / span) * 100}%`,
              }}
            />
          </Slider.Root>
          {playhead !== undefined && (
            <span
              aria-hidden="true"
              className="pointer-events-none absolute inset-y-0 w-0.5 bg-white mix-blend-difference"
              style={{ left: percent(playhead) }}
            />
          )}
          <Slider.Root
            {...slider}
            value={[window.start, window.end]}
            preserveThumbOrder
            onValueChange={([start = window.start, end = window.end]) =>
              start === window.start ? pullEnd(end) : pullStart(start)
            }
          >
            <Thumb
              label="Début de l’extrait"
              value={window.start}
              min={Math.max(0, window.end - TEASER_MAX_SECONDS)}
              max={window.end - TEASER_MIN_SECONDS}
              grippedAt="right"
              onMove={pullStart}
              className="group -translate-x-full -inset-y-1 flex w-11 cursor-ew-resize justify-end focus-visible:outline-none"
              style={{ left: percent(window.start) }}
            >
              <Handle side="left" />
            </Thumb>
            <Thumb
              label="Fin de l’extrait"
              value={window.end}
              min={window.start + TEASER_MIN_SECONDS}
              max={Math.min(duration, window.start + TEASER_MAX_SECONDS)}
              grippedAt="left"
              onMove={pullEnd}
              className="group -inset-y-1 flex w-11 cursor-ew-resize justify-start focus-visible:outline-none"
              style={{ left: percent(window.end) }}
            >
              <Handle side="right" />
            </Thumb>
          </Slider.Root>
        </div>
      </div>
      <div
        aria-hidden="true"
        className="tabular-digits mt-1 flex justify-between px-6 text-ink-soft text-xs"
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
      className={`pointer-events-none flex h-full w-5 items-center justify-center bg-wax group-focus-visible:outline-3 group-focus-visible:outline-focus group-focus-visible:outline-offset-2 ${side === 'left' ? 'rounded-l-lg' : 'rounded-r-lg'}`}
    >
      <span className="h-6 w-1 rounded-full bg-on-wax" />
    </span>
  )
}

const PAGE_SECONDS = 5

interface ThumbProps extends ComponentProps<typeof Slider.Thumb> {
  label: string
  /** In seconds, like `min` and `max`, which Radix knows for the whole track only. */
  value: number
  min: number
  max: number
  /** The edge that lies at `value`. */
  grippedAt: 'left' | 'right'
  onMove: (to: number) => void
}

/** An end of the window, or the window itself. */
function Thumb({ label, value, min, max, grippedAt, onMove, className, ...rest }: ThumbProps) {
  const gripPx = useRef(0)
  const onKeyDown = (event: KeyboardEvent) => {
    const to = {
      PageUp: value + PAGE_SECONDS,
      PageDown: value - PAGE_SECONDS,
      Home: min,
      End: max,
    }[event.key]
    if (to === undefined) return
    event.preventDefault()
    onMove(to)
  }
  return (
    <Slider.Thumb
      aria-label={label}
      aria-valuemin={min}
      aria-valuemax={max}
      aria-valuetext={speakPlace(value)}
      {...rest}
      onKeyDown={onKeyDown}
      onPointerDown={(event) => {
        gripPx.current = event.clientX - event.currentTarget.getBoundingClientRect()[grippedAt]
      }}
      onPointerMove={(event) => {
        // Radix brings the value under the finger: it would jump by as much as the thumb is wide.
        event.clientX -= gripPx.current
      }}
      className={classNames('pointer-events-auto absolute touch-none select-none', className)}
    />
  )
}
