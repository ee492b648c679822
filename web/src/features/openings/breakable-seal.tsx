import {
  type MouseEvent,
  type PointerEvent,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
} from 'react'
import { classNames } from '#web/ui/class-names.ts'
import { WaxSeal } from '#web/ui/wax-seal.tsx'

const HOLD_MS = 1000
/** Shorter is a tap, which opens in one step: for hands that tremble. */
const TAP_MS = 250

interface BreakableSealProps {
  initial: string
  label: string
  /** The id of what is to be known before. */
  describedBy: string | undefined
  onBreak: () => void
  /** The seal was let go too early. */
  onRelease: () => void
  className?: string
}

/** A seal that breaks under a finger that holds it, or by a tap, Enter or Space. */
export function BreakableSeal({
  initial,
  label,
  describedBy,
  onBreak,
  onRelease,
  className,
}: BreakableSealProps) {
  const [isHeld, setHeld] = useState(false)
  const heldSince = useRef(0)
  const wasLong = useRef(false)
  const breakSeal = useEffectEvent(() => {
    navigator.vibrate?.(20)
    onBreak()
  })
  useEffect(() => {
    if (!isHeld) return
    const timer = setTimeout(breakSeal, HOLD_MS)
    return () => clearTimeout(timer)
  }, [isHeld])

  function hold({ button, timeStamp }: PointerEvent) {
    if (button !== 0) return
    heldSince.current = timeStamp
    wasLong.current = false
    setHeld(true)
  }

  function release({ timeStamp }: PointerEvent) {
    if (!isHeld) return
    setHeld(false)
    const heldMs = timeStamp - heldSince.current
    wasLong.current = heldMs >= TAP_MS
    if (heldMs >= HOLD_MS) onBreak()
    else if (wasLong.current) onRelease()
  }

  /** A tap opens here and not as the finger is lifted: its click would reach what lies under the seal. */
  function click({ detail }: MouseEvent) {
    // Without a pointer: Enter, Space, or a screen reader.
    if (detail === 0 || !wasLong.current) onBreak()
    wasLong.current = false
  }

  return (
    <button
      type="button"
      aria-label={label}
      aria-describedby={describedBy}
      className={classNames('breakable-seal rounded-full', isHeld && 'is-held', className)}
      onPointerDown={hold}
      onPointerUp={release}
      onPointerCancel={() => setHeld(false)}
      onPointerLeave={() => setHeld(false)}
      onContextMenu={(event) => event.preventDefault()}
      onClick={click}
    >
      <span className="seal-glow" />
      <WaxSeal initial={initial} elapsed={0} className="relative size-full" />
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
