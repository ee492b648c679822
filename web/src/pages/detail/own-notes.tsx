import type { OwnRevelation } from '#contract/revelations.ts'
import { DeliveryJournal } from '#web/features/deliveries/delivery-journal.tsx'
import { Preparation } from '#web/features/revelations/preparation.tsx'
import { Notice } from '#web/ui/notice.tsx'

/** What its author alone is told: how far the file is, and how the delivery goes. */
export function OwnNotes({ revelation }: { revelation: OwnRevelation }) {
  return (
    <section
      aria-label="Rien que pour vous"
      className="flex flex-col gap-5 rounded-card border border-line bg-surface p-5 shadow-soft sm:p-6"
    >
      {revelation.is_suspended && (
        <Notice tone="warning" title="Masquée par l’équipe de Révélations">
          Après un signalement, personne d’autre que vous ne voit cette révélation, et elle n’est
          pas livrée. Un mail vous en a dit la raison.
        </Notice>
      )}
      <Preparation revelation={revelation} />
      <DeliveryJournal revelation={revelation} />
    </section>
  )
}
