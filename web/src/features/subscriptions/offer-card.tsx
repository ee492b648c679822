import { Check, Star } from 'lucide-react'
import { useId } from 'react'
import type { PlanOffer } from '#contract/subscriptions.ts'
import { formatPrice } from '#web/lib/prices.ts'
import { Button } from '#web/ui/button.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { FeatureList } from './feature-list.tsx'
import { PLAN_LOOKS } from './plan-words.ts'

interface OfferCardProps {
  offer: PlanOffer
  isCurrent: boolean
  /** Whether the plan one is on is known. */
  mayChoose: boolean
  /** Left out where nobody but the operator chooses. */
  onChoose?: (() => void) | undefined
}

/** One plan: its price in its colour, what it gives, and the way to it. */
export function OfferCard({ offer, ...choice }: OfferCardProps) {
  const id = useId()
  const { name, emoji, price, period, recommended, features } = offer
  return (
    <article
      aria-labelledby={id}
      className={classNames(
        'relative flex h-full flex-col rounded-card bg-surface shadow-soft',
        recommended ? 'plan-frame' : 'ring-1 ring-line',
      )}
    >
      {recommended && (
        <p className="-top-3.5 absolute left-4 inline-flex items-center gap-1.5 rounded-full border border-line-strong bg-surface px-3 py-1.5 font-semibold text-sm leading-none">
          <Star aria-hidden="true" className="size-4 fill-ember text-ember" />
          Recommandé
        </p>
      )}
      <header
        className={classNames(
          'flex items-center justify-between gap-3 rounded-t-card px-4 py-4',
          PLAN_LOOKS[offer.id],
        )}
      >
        <h3 id={id} className="flex items-center gap-2 text-xl">
          <span aria-hidden="true">{emoji}</span>
          {name}
        </h3>
        <p className="text-right leading-tight">
          <span className="digits block font-bold text-2xl">{formatPrice(price)}</span>
          <span className="text-sm">{period}</span>
        </p>
      </header>
      <div className="flex flex-1 flex-col justify-between gap-5 p-4">
        <FeatureList features={features} leading={2} />
        <Choice offer={offer} {...choice} />
      </div>
    </article>
  )
}

function Choice({ offer, isCurrent, mayChoose, onChoose }: OfferCardProps) {
  if (isCurrent) {
    return (
      <Button
        block
        disabled
        variant="secondary"
        icon={<Check aria-hidden="true" className="size-5" />}
      >
        Plan actuel
      </Button>
    )
  }
  if (offer.id === 'free') {
    return (
      <p className="flex min-h-11 flex-col justify-center text-center text-ink-soft leading-snug">
        <span className="font-semibold">Plan gratuit</span>
        <span className="text-sm">Il reprend à la fin de votre plan.</span>
      </p>
    )
  }
  if (!onChoose) {
    return (
      <p className="flex min-h-11 flex-col justify-center text-center text-ink-soft text-sm leading-snug">
        Accordé par la personne qui gère ce site.
      </p>
    )
  }
  return (
    <Button
      block
      variant={offer.recommended ? 'primary' : 'secondary'}
      disabled={!mayChoose}
      onClick={onChoose}
    >
      Simuler upgrade
      <span className="sr-only">&nbsp;vers le plan {offer.name}</span>
    </Button>
  )
}
