import {
  type CSSProperties,
  type KeyboardEvent,
  type PointerEvent,
  type ReactNode,
  useRef,
  useState,
} from 'react'
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
  const track = useRef<HTMLDivElement>(null)
  // The view follows the window only once the finger is up.
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
      className={`flex h-full w-5 items-center justify-center bg-wax group-focus-visible:outline-3 group-focus-visible:outline-focus group-focus-visible:outline-offset-2 ${side === 'left' ? 'rounded-l-lg' : 'rounded-r-lg'}`}
    >
      <span className="h-6 w-1 rounded-full bg-on-wax" />
    </span>
  )
}

const STEP_SECONDS = 0.1
const LARGE_STEP_SECONDS = 1
const PAGE_SECONDS = 5

interface TeaserSliderProps {
  label: string
  /** In seconds, like `min` and `max`. */
  value: number
  min: number
  max: number
  /** For screen readers, instead of the position. */
  valueText?: string
  secondsPerPixel: () => number
  onMove: (to: number) => void
  onRelease: () => void
  className?: string
  style?: CSSProperties
  children?: ReactNode
}

/** One slider on the filmstrip: an end of the window, or the window itself. */
function TeaserSlider({
  label,
  value,
  min,
  max,
  valueText,
  secondsPerPixel,
  onMove,
  onRelease,
  className,
  style,
  children,
}: TeaserSliderProps) {
  const grip = useRef<{ x: number; value: number }>(undefined)

  const onPointerDown = (event: PointerEvent) => {
    if (event.button !== 0) return
    event.currentTarget.setPointerCapture(event.pointerId)
    grip.current = { x: event.clientX, value }
  }
  const onPointerMove = (event: PointerEvent) => {
    if (!grip.current) return
    onMove(grip.current.value + (event.clientX - grip.current.x) * secondsPerPixel())
  }
  const onPointerEnd = () => {
    if (!grip.current) return
    grip.current = undefined
    onRelease()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const to = valueAfterKey(event, { value, min, max })
    if (to === undefined) return
    event.preventDefault()
    onMove(to)
    onRelease()
  }

  return (
    <div
      role="slider"
      tabIndex={0}
      aria-label={label}
      aria-valuemin={min}
      aria-valuemax={max}
      aria-valuenow={value}
      aria-valuetext={valueText ?? speakPlace(value)}
      aria-orientation="horizontal"
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onPointerUp={onPointerEnd}
      onPointerCancel={onPointerEnd}
      onKeyDown={onKeyDown}
      className={classNames('touch-none select-none', className)}
      style={style}
    >
      {children}
    </div>
  )
}

function valueAfterKey(
  { key, shiftKey }: KeyboardEvent,
  { value, min, max }: { value: number; min: number; max: number },
): number | undefined {
  const step = shiftKey ? LARGE_STEP_SECONDS : STEP_SECONDS
  switch (key) {
    case 'ArrowRight':
    case 'ArrowUp':
      return value + step
    case 'ArrowLeft':
    case 'ArrowDown':
      return value - step
    case 'PageUp':
      return value + PAGE_SECONDS
    case 'PageDown':
      return value - PAGE_SECONDS
    case 'Home':
      return min
    case 'End':
      return max
  }
  return undefined
}
