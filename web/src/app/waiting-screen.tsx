import { WaxSeal } from '#web/ui/wax-seal.tsx'

/** The whole screen while something must be known before anything can be shown. */
export function WaitingScreen({ children }: { children: string }) {
  return (
    <div
      role="status"
      className="sky-night night-sky appear-late flex min-h-dvh flex-col items-center justify-center gap-5 text-ink"
    >
      <WaxSeal initial="R" className="size-20 animate-pulse" />
      <p>{children}</p>
    </div>
  )
}
