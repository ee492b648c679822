import { classNames } from '#web/ui/class-names.ts'
import { WaxSeal } from '#web/ui/wax-seal.tsx'

interface DawnProps {
  initial: string
  over: 'card' | 'page'
}

/**
 * Plays once over what opens before the reader's eyes: the seal cracks, then the sky goes from night to paper. What it
 * hides is the letter already, in its place.
 */
export function Dawn({ initial, over }: DawnProps) {
  return (
    <div
      aria-hidden="true"
      className={classNames(
        'dawn sky-paper pointer-events-none overflow-hidden',
        over === 'card' ? 'absolute inset-0 z-20' : 'fixed inset-0 z-50',
      )}
    >
      <div className="dawn-sky" />
      <div className="dawn-sun" />
      <div className="dawn-night night-card" />
      <div
        className={classNames(
          'dawn-seal absolute left-1/2 -translate-x-1/2',
          over === 'card' ? 'top-15 size-24' : 'top-1/2 size-48 -translate-y-1/2',
        )}
      >
        <span className="dawn-light" />
        <WaxSeal initial={initial} state="breaking" className="relative size-full" />
      </div>
    </div>
  )
}
