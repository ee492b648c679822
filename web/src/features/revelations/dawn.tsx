import type { ReactNode } from 'react'
import { classNames } from '#web/ui/class-names.ts'
import { WaxSeal } from '#web/ui/wax-seal.tsx'
import { EnvelopeFolds } from './card-header.tsx'

/**
 * The animation over a card that opens while it is shown: the seal cracks, then the sky goes from night to paper. The letter
 * is already rendered under it.
 */
export function Dawn({ initial }: { initial: string }) {
  return (
    <div
      aria-hidden="true"
      className="reveal-animation pointer-events-none absolute inset-0 z-20 overflow-hidden"
    >
      <DawnSky>
        <div className="reveal-night theme-night bg-night-card">
          <EnvelopeFolds />
        </div>
      </DawnSky>
      <BreakingSeal
        initial={initial}
        className="absolute top-15 left-1/2 size-24 -translate-x-1/2"
      />
    </div>
  )
}

/** The sky, from the children's night to the colour of paper. */
export function DawnSky({ children }: { children: ReactNode }) {
  return (
    <div className="theme-paper contents">
      <div className="reveal-sky" />
      <div className="reveal-sun" />
      {children}
    </div>
  )
}

interface BreakingSealProps {
  initial: string
  className: string
  /** The light that was around it while it was whole. */
  children?: ReactNode
}

/** Cracks once, within the ring of a wait that is over, and lets the light out. */
export function BreakingSeal({ initial, className, children }: BreakingSealProps) {
  return (
    <div className={classNames('reveal-seal isolate', className)}>
      {children}
      <span className="reveal-light -z-10" />
      <WaxSeal initial={initial} elapsed={1} state="breaking" className="relative size-full" />
    </div>
  )
}
