import { classNames } from '#web/ui/class-names.ts'
import { LongPressButton } from '#web/ui/long-press-button.tsx'
import { WaxSeal } from '#web/ui/wax-seal.tsx'

const LONG_PRESS_MS = 1000

interface BreakableSealProps {
  initial: string
  label: string
  /** The id of what is to be known before. */
  describedBy: string | undefined
  onBreak: () => void
  /** The seal was released too early. */
  onRelease: () => void
  className?: string
}

/** A seal that breaks under a long press, or by a tap, Enter or Space. */
export function BreakableSeal({
  initial,
  label,
  describedBy,
  onBreak,
  onRelease,
  className,
}: BreakableSealProps) {
  return (
    <LongPressButton
      longPressMs={LONG_PRESS_MS}
      label={label}
      describedBy={describedBy}
      onDone={onBreak}
      onRelease={onRelease}
      className={classNames('breakable-seal', className)}
    >
      <span className="seal-glow" />
      <WaxSeal initial={initial} elapsed={0} className="relative size-full" />
    </LongPressButton>
  )
}
