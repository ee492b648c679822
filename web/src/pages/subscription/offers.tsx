import { useQuery } from '@tanstack/react-query'
import type { RefObject } from 'react'
import type { Subscription } from '#contract/subscriptions.ts'
import { OfferCard } from '#web/features/subscriptions/offer-card.tsx'
import { OrderDialog } from '#web/features/subscriptions/order-dialog.tsx'
import { StorageOptions } from '#web/features/subscriptions/storage-options.tsx'
import { plansQuery } from '#web/features/subscriptions/subscriptions.queries.ts'
import { type OrderFailure, useOrder } from '#web/features/subscriptions/use-order.ts'
import { errorSentence } from '#web/lib/api-client.ts'
import { LoadFailure } from '#web/ui/load-failure.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

interface OffersProps {
  /** Undefined while it is not known: nothing can be chosen yet. */
  subscription: Subscription | undefined
  /** What says the plan one is on. */
  current: RefObject<HTMLHeadingElement | null>
}

/** The four plans and the storage one may add. */
export function Offers({ subscription, current }: OffersProps) {
  const { data, error, isFetching, refetch } = useQuery(plansQuery)
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
                  onChoose={data.simulated ? () => order.ask({ offer }) : undefined}
                />
              </li>
            ))}
          </ul>
        )}
        {!data && error && (
          <LoadFailure
            title="Erreur lors du chargement des plans"
            isRetrying={isFetching}
            onRetry={refetch}
          >
            {errorSentence(error, '')}
          </LoadFailure>
        )}
        {!data && !error && <PlansSkeleton />}
      </section>
      {data?.simulated && isLimited && data.storageOptions.length > 0 && (
        <StorageOptions
          options={data.storageOptions}
          onChoose={(option) => order.ask({ option })}
        />
      )}
      {order.wish && subscription && (
        <OrderDialog
          wish={order.wish}
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

/** In sight wherever on the page one tapped. */
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
