import { useId, useRef } from 'react'
import type { Delivery } from '#contract/deliveries.ts'
import type { OwnRevelation } from '#contract/revelations.ts'
import { Badge } from '#web/ui/badge.tsx'
import { DeliveryActions } from './delivery-actions.tsx'
import { DeliveryTimeline } from './delivery-timeline.tsx'

/** What became of the delivery to each address, and what its author may do about it. */
export function DeliveryJournal({ revelation }: { revelation: OwnRevelation }) {
  const { delivery, second_delivery } = revelation
  const headingId = useId()
  return (
    <section aria-labelledby={headingId} className="flex flex-col gap-4">
      <h2 id={headingId} className="text-xl">
        Livraison
      </h2>
      <OneDelivery revelation={revelation} delivery={delivery} />
      {second_delivery && (
        <>
          <hr className="border-line" />
          <OneDelivery revelation={revelation} delivery={second_delivery} />
        </>
      )}
    </section>
  )
}

interface OneDeliveryProps {
  revelation: OwnRevelation
  delivery: Delivery
}

function OneDelivery({ revelation, delivery }: OneDeliveryProps) {
  const { address, rank } = delivery
  const heading = useRef<HTMLHeadingElement>(null)
  const { label, tone } = standing(delivery, revelation.is_suspended)
  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1.5">
        <h3
          ref={heading}
          tabIndex={-1}
          className="min-w-0 font-normal font-sans text-base leading-snug tracking-normal [overflow-wrap:anywhere]"
        >
          {revelation.second_delivery && (
            <span className="block text-ink-soft text-sm">
              {rank === 'first' ? 'Première adresse' : 'Seconde adresse'}
            </span>
          )}
          à <span className="font-semibold">{address}</span>
        </h3>
        <Badge tone={tone}>{label}</Badge>
      </div>
      <DeliveryTimeline
        delivery={delivery}
        timeZone={revelation.time_zone}
        isSuspended={revelation.is_suspended}
      />
      <DeliveryActions
        revelationId={revelation.id}
        delivery={delivery}
        returnTo={() => heading.current}
      />
    </div>
  )
}

function standing({ state, revoked_at }: Delivery, isSuspended: boolean) {
  if (revoked_at) return { label: 'Lien désactivé', tone: 'plain' } as const
  if (isSuspended && state === 'planned') return { label: 'Suspendu', tone: 'ember' } as const
  return STATES[state]
}

const STATES = {
  planned: { label: 'Prévu', tone: 'plain' },
  sent: { label: 'Envoyé', tone: 'leaf' },
  opened: { label: 'Ouvert', tone: 'leaf' },
  failed: { label: 'Échoué', tone: 'wax' },
} as const
