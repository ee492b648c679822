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

interface HoldButtonProps {
  holdMs: number
  label: string
  /** The id of what is to be known before. */
  describedBy: string | undefined
  /** Once for each press: held to its end, else by a tap, Enter or Space. */
  onDone: () => void
  /** It was let go too early. */
  onRelease: () => void
  /** What a finger on it moves meanwhile. */
  onHoldChange?: (isHeld: boolean) => void
  /** It does nothing now, and keeps the focus. */
  isBlocked?: boolean
  isBusy?: boolean
  className?: string
  /** What is seen under the ring. */
  children: ReactNode
}

/** Does something grave under a finger that holds it, while a ring fills; or by a tap, Enter or Space. */
export function HoldButton({
  holdMs,
  label,
  describedBy,
  onDone,
  onRelease,
  onHoldChange,
  isBlocked = false,
  isBusy = false,
  className,
  children,
}: HoldButtonProps) {
  const [isHeld, setHeld] = useState(false)
  const heldSince = useRef(0)
  const wasLong = useRef(false)
  const isDone = useRef(false)
  const finish = useEffectEvent(() => {
    if (isDone.current) return
    isDone.current = true
    navigator.vibrate?.(20)
    onDone()
  })
  useEffect(() => {
    if (!isHeld) return
    const timer = setTimeout(() => finish(), holdMs)
    return () => clearTimeout(timer)
  }, [isHeld, holdMs])

  function change(next: boolean) {
    if (next === isHeld) return
    setHeld(next)
    onHoldChange?.(next)
  }

  function hold({ button, timeStamp }: PointerEvent) {
    if (button !== 0 || isBlocked || isBusy) return
    heldSince.current = timeStamp
    wasLong.current = false
    isDone.current = false
    change(true)
  }

  function release({ timeStamp }: PointerEvent) {
    if (!isHeld) return
    change(false)
    const heldMs = timeStamp - heldSince.current
    wasLong.current = heldMs >= TAP_MS
    if (isDone.current) return
    // The timer of a slow page comes late.
    if (heldMs >= holdMs) {
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
      style={{ '--hold-ms': `${holdMs}ms` } as CSSProperties}
      className={classNames('hold-button rounded-full', isHeld && 'is-held', className)}
      onPointerDown={hold}
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
