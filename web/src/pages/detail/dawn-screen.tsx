import { WaxSeal } from '#web/ui/wax-seal.tsx'

/** Plays once over the page when the instant comes while it is open: the seal cracks, the night leaves. */
export function DawnScreen({ initial }: { initial: string }) {
  return (
    <div
      aria-hidden="true"
      className="dawn-veil pointer-events-none fixed inset-0 z-30 flex items-center justify-center"
    >
      <WaxSeal initial={initial} state="breaking" className="size-48" />
    </div>
  )
}
