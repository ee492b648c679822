import { useQuery } from '@tanstack/react-query'
import { Check, Plus, Star } from 'lucide-react'
import { type RefObject, useId } from 'react'
import type { PlanOffer, StorageOption, Subscription } from '#contract/subscriptions.ts'
import { FeatureList } from '#web/features/subscriptions/plan-card.tsx'
import { PLAN_CLASSES } from '#web/features/subscriptions/plan-labels.ts'
import { plansQuery } from '#web/features/subscriptions/subscriptions.queries.ts'
import { formatPrice } from '#web/lib/format.ts'
import { Button } from '#web/ui/button.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { Skeleton } from '#web/ui/loading.tsx'
import { Notice, QueryFailure } from '#web/ui/notice.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { OrderDialog, type OrderFailure, useOrder } from './order-dialog.tsx'

interface OffersProps {
  /** Undefined while it loads: nothing can be chosen yet. */
  subscription: Subscription | undefined
  /** The heading of the current plan. */
  current: RefObject<HTMLHeadingElement | null>
}

export function Offers({ subscription, current }: OffersProps) {
  const query = useQuery(plansQuery)
  const { data, error } = query
  const order = useOrder()
  const plan = subscription?.subscription_type
  const isLimited = plan !== undefined && plan !== 'unlimited'
  return (
    <div className="relative flex flex-col gap-6">
      {order.failure && <FailureBanner failure={order.failure} />}
      <section aria-labelledby="plans">
        <h2 id="plans" className="mb-6 text-xl sm:text-2xl">
          {data && !data.simulated ? 'Les plans' : 'Choisir un plan'}
        </h2>
        {data && (
          <ul className="grid gap-x-4 gap-y-7 sm:grid-cols-2 lg:grid-cols-4">
            {data.plans.map((offer) => (
              <li key={offer.id}>
                <OfferCard
                  offer={offer}
                  mayChoose={plan !== undefined}
                  isCurrent={offer.id === plan}
                  onChoose={data.simulated ? () => order.open({ offer }) : undefined}
                />
              </li>
            ))}
          </ul>
        )}
        {!data && error && (
          <QueryFailure query={query} title="Erreur lors du chargement des plans" fallback="" />
        )}
        {!data && !error && <PlansSkeleton />}
      </section>
      {data?.simulated && isLimited && data.storageOptions.length > 0 && (
        <StorageOptions
          options={data.storageOptions}
          onChoose={(option) => order.open({ option })}
        />
      )}
      {order.item && subscription && (
        <OrderDialog
          item={order.item}
          open={order.isOpen}
          subscription={subscription}
          isPending={order.isPending}
          onConfirm={order.confirm}
          onClose={order.close}
          returnTo={() => (order.isPlanNew ? current.current : undefined)}
        />
      )}
    </div>
  )
}

/** Sticky, so that it is visible wherever the tap was. */
function FailureBanner({ failure }: { failure: OrderFailure }) {
  return (
    <div className="sticky top-18 z-30 -mb-6 h-0">
      <Notice tone="error" title={failure.title} className="bg-surface! shadow-soft">
        {failure.reason}
      </Notice>
    </div>
  )
}

function PlansSkeleton() {
  return (
    <div role="status" className="grid gap-x-4 gap-y-7 sm:grid-cols-2 lg:grid-cols-4">
      <span className="sr-only">Chargement des plans</span>
      {['free', 'standard', 'pro', 'unlimited'].map((plan) => (
        <Skeleton key={plan} className="h-96 rounded-card!" />
      ))}
    </div>
  )
}

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
          PLAN_CLASSES[offer.id],
        )}
      >
        <h3 id={id} className="flex items-center gap-2 text-xl">
          <span aria-hidden="true">{emoji}</span>
          {name}
        </h3>
        <p className="text-right leading-tight">
          <span className="tabular-digits block font-bold text-2xl">{formatPrice(price)}</span>
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

interface StorageOptionsProps {
  options: readonly StorageOption[]
  onChoose: (option: StorageOption) => void
}

function StorageOptions({ options, onChoose }: StorageOptionsProps) {
  return (
    <Panel
      title="Stockage supplémentaire"
      intro="Ajouté une fois pour toutes à l’espace de votre plan. Vous le gardez si vous en changez."
    >
      <ul className="grid gap-3 sm:grid-cols-3">
        {options.map((option) => (
          <li key={option.amount}>
            <button
              type="button"
              onClick={() => onChoose(option)}
              className="flex min-h-14 w-full items-center gap-3 rounded-field border border-line-strong bg-surface px-4 py-2 text-left transition-colors hover:bg-sunken active:translate-y-px"
            >
              <Plus aria-hidden="true" className="size-5 shrink-0 text-ink-soft" />
              <span className="tabular-digits flex-1 font-semibold text-lg">{option.label}</span>{' '}
              <span className="tabular-digits text-ink-soft">{formatPrice(option.price)}</span>
            </button>
          </li>
        ))}
      </ul>
    </Panel>
  )
}
