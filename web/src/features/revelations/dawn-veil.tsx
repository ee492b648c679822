import { WaxSeal } from '#web/ui/wax-seal.tsx'

/** Plays once over a card that opens before the reader's eyes: the seal cracks, the night leaves. */
export function DawnVeil({ initial }: { initial: string }) {
  return (
    <div
      aria-hidden="true"
      className="dawn-veil pointer-events-none absolute inset-0 z-20 flex justify-center"
    >
      <WaxSeal initial={initial} state="breaking" className="mt-15 size-24" />
    </div>
  )
}
