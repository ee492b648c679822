import {
  type CSSProperties,
  type KeyboardEvent,
  type PointerEvent,
  type ReactNode,
  useRef,
} from 'react'
import { speakPlace } from '#web/lib/durations.ts'
import { classNames } from '#web/ui/class-names.ts'

const STEP_SECONDS = 0.1
const LARGE_STEP_SECONDS = 1
const PAGE_SECONDS = 5

interface TeaserSliderProps {
  label: string
  /** Where it is, and how far it may go, in seconds. */
  value: number
  min: number
  max: number
  /** Spoken instead of the place, when it needs more words. */
  valueText?: string
  /** Turns a distance on the screen into seconds. */
  secondsPerPixel: () => number
  onMove: (to: number) => void
  onRelease: () => void
  className?: string
  style?: CSSProperties
  children?: ReactNode
}

/** One thing to drag along the film: an end of the window, or the window itself. */
export function TeaserSlider({
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
    const to = placeAfter(event, { value, min, max })
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

function placeAfter(
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
