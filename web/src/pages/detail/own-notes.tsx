import type { OwnRevelation } from '#contract/revelations.ts'
import { DeliveryJournal } from '#web/features/revelations/delivery-journal.tsx'
import { Preparation } from '#web/features/revelations/preparation.tsx'

/** What its author alone is told: how far the file is, and how the delivery goes. */
export function OwnNotes({ revelation }: { revelation: OwnRevelation }) {
  return (
    <section
      aria-label="Pour vous seul"
      className="flex flex-col gap-5 rounded-card border border-line bg-surface p-5 shadow-soft sm:p-6"
    >
      <Preparation revelation={revelation} />
      <DeliveryJournal revelation={revelation} />
    </section>
  )
}
