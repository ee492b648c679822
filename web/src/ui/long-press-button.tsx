import {
  type CSSProperties,
  type MouseEvent,
  type PointerEvent,
  type ReactNode,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
} from 'react'
import { classNames } from './class-names.ts'

/** Shorter is a tap, which does it in one step: for hands that tremble. */
const TAP_MS = 400

interface LongPressButtonProps {
  longPressMs: number
  label: string
  /** The id of what is to be known before. */
  describedBy: string | undefined
  /** Once for each press: held to its end, else by a tap, Enter or Space. */
  onDone: () => void
  /** It was released too early. */
  onRelease: () => void
  /** What a finger on it moves meanwhile. */
  onPressChange?: (isPressed: boolean) => void
  /** It does nothing now, and keeps the focus. */
  isBlocked?: boolean
  isBusy?: boolean
  className?: string
  /** What is seen under the ring. */
  children: ReactNode
}

/** Does something grave under a long press, while a ring fills; or by a tap, Enter or Space. */
export function LongPressButton({
  longPressMs,
  label,
  describedBy,
  onDone,
  onRelease,
  onPressChange,
  isBlocked = false,
  isBusy = false,
  className,
  children,
}: LongPressButtonProps) {
  const [isPressed, setPressed] = useState(false)
  const pressedAtMs = useRef(0)
  const wasLong = useRef(false)
  const isDone = useRef(false)
  const finish = useEffectEvent(() => {
    if (isDone.current) return
    isDone.current = true
    navigator.vibrate?.(20)
    onDone()
  })
  useEffect(() => {
    if (!isPressed) return
    const timer = setTimeout(() => finish(), longPressMs)
    return () => clearTimeout(timer)
  }, [isPressed, longPressMs])

  function change(next: boolean) {
    if (next === isPressed) return
    setPressed(next)
    onPressChange?.(next)
  }

  function press({ button, timeStamp }: PointerEvent) {
    if (button !== 0 || isBlocked || isBusy) return
    pressedAtMs.current = timeStamp
    wasLong.current = false
    isDone.current = false
    change(true)
  }

  function release({ timeStamp }: PointerEvent) {
    if (!isPressed) return
    change(false)
    const pressedMs = timeStamp - pressedAtMs.current
    wasLong.current = pressedMs >= TAP_MS
    if (isDone.current) return
    // The timer of a slow page comes late.
    if (pressedMs >= longPressMs) {
      isDone.current = true
      onDone()
    } else if (wasLong.current) onRelease()
  }

  /** A tap does it here and not as the finger is lifted: its click would reach what lies under the seal. */
  function click({ detail }: MouseEvent) {
    const isTap = detail === 0 || !wasLong.current
    wasLong.current = false
    // Without a pointer: Enter, Space, or a screen reader.
    if (isTap && !isBlocked && !isBusy) onDone()
  }

  return (
    <button
      type="button"
      aria-label={label}
      aria-describedby={describedBy}
      // Not `disabled`: a browser takes the focus from what is, and nobody gives it back.
      aria-disabled={isBlocked || isBusy || undefined}
      aria-busy={isBusy || undefined}
      style={{ '--hold-ms': `${longPressMs}ms` } as CSSProperties}
      className={classNames('hold-button rounded-full', isPressed && 'is-held', className)}
      onPointerDown={press}
      onPointerUp={release}
      onPointerCancel={() => change(false)}
      onPointerLeave={() => change(false)}
      onContextMenu={(event) => event.preventDefault()}
      onClick={click}
    >
      {children}
      <span className="hold-ring">
        <span className="hold-ring-right">
          <span />
        </span>
        <span className="hold-ring-left">
          <span />
        </span>
      </span>
    </button>
  )
}
