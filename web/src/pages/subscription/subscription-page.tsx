import { useQuery } from '@tanstack/react-query'
import { type ReactNode, type RefObject, useId, useRef } from 'react'
import type { Subscription } from '#contract/subscriptions.ts'
import { ExpiredNotice, PlanBadge } from '#web/features/subscriptions/plan-card.tsx'
import { formatDaysLeft, hasExpired } from '#web/features/subscriptions/plan-labels.ts'
import { StorageBar } from '#web/features/subscriptions/storage-panel.tsx'
import { plansQuery, subscriptionQuery } from '#web/features/subscriptions/subscriptions.queries.ts'
import { browserTimeZone, formatDay } from '#web/lib/dates.ts'
import { formatStorage } from '#web/lib/format.ts'
import { siteQuery } from '#web/lib/site.queries.ts'
import { EmailAddress } from '#web/ui/email-address.tsx'
import { Skeleton } from '#web/ui/loading.tsx'
import { Notice, QueryFailure } from '#web/ui/notice.tsx'
import { PageHeading } from '#web/ui/page-heading.tsx'
import { Offers } from './offers.tsx'

export function SubscriptionPage() {
  const query = useQuery(subscriptionQuery)
  const { data: subscription, error } = query
  const current = useRef<HTMLHeadingElement>(null)
  return (
    <div className="container-page flex flex-col gap-6 pt-6 sm:pt-10">
      <header>
        <PageHeading>Abonnements</PageHeading>
        <p className="mt-2 max-w-reading text-ink-soft text-lg">
          De la place pour tout ce que vous voulez confier au temps.
        </p>
      </header>
      <PlansNotice />
      {subscription && <CurrentSubscription subscription={subscription} heading={current} />}
      {!subscription && error && (
        <QueryFailure query={query} title="Erreur lors du chargement de l'abonnement" fallback="" />
      )}
      {!subscription && !error && (
        <div role="status">
          <span className="sr-only">Chargement de l’abonnement</span>
          <Skeleton className="h-52 rounded-card! sm:h-44" />
        </div>
      )}
      <Offers subscription={subscription} current={current} />
    </div>
  )
}

/** Whether purchases are simulated, or the operator grants plans. */
function PlansNotice() {
  const { data: offers } = useQuery(plansQuery)
  if (!offers) return null
  if (!offers.simulated) return <GrantedPlansNotice />
  return (
    <Notice title="Mode démo activé">
      Les changements de plan et les achats sont simulés&#8239;: rien n’est prélevé. Le paiement
      réel viendra plus tard.
    </Notice>
  )
}

function GrantedPlansNotice() {
  const { data: operator } = useQuery(siteQuery)
  return (
    <Notice title="Ici, les plans ne s’achètent pas">
      La personne qui gère ce site les accorde.{' '}
      {operator?.email ? (
        <>
          Pour en changer, ou pour avoir plus d’espace, écrivez-lui&#8239;:{' '}
          <a href={`mailto:${operator.email}`} className="underline">
            <EmailAddress>{operator.email}</EmailAddress>
          </a>
          .
        </>
      ) : (
        'Pour en changer, ou pour avoir plus d’espace, demandez-le-lui.'
      )}
    </Notice>
  )
}

interface CurrentSubscriptionProps {
  subscription: Subscription
  /** Gets the focus when the plan has changed. */
  heading: RefObject<HTMLHeadingElement | null>
}

function CurrentSubscription({ subscription, heading }: CurrentSubscriptionProps) {
  const id = useId()
  const { total_storage, extra_storage, subscription_expires: expires } = subscription
  const daysLeft = formatDaysLeft(expires)
  return (
    <section
      aria-labelledby={id}
      className="rounded-card border border-line bg-surface p-4 shadow-soft sm:p-6"
    >
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <h2 ref={heading} id={id} tabIndex={-1} className="text-xl sm:text-2xl">
          Votre abonnement
        </h2>
        <PlanBadge plan={subscription.subscription_type} />
      </div>
      <div className="mt-4 grid gap-x-10 gap-y-5 md:grid-cols-2">
        <dl className="flex flex-wrap gap-x-10 gap-y-4">
          <Fact term="Stockage total">
            {formatStorage(total_storage)}
            {extra_storage > 0 && <Detail>(+{formatStorage(extra_storage)} acheté)</Detail>}
          </Fact>
          <Fact term={hasExpired(subscription) ? 'Expiré le' : 'Expiration'}>
            {expires ? formatDay(expires, browserTimeZone()) : 'Jamais'}
            {daysLeft && <Detail>{daysLeft}</Detail>}
          </Fact>
        </dl>
        <div>
          <p className="mb-1 text-ink-soft text-sm">Espace utilisé</p>
          <StorageBar subscription={subscription} />
        </div>
      </div>
      <ExpiredNotice subscription={subscription} className="mt-5" />
    </section>
  )
}

function Fact({ term, children }: { term: string; children: ReactNode }) {
  return (
    <div>
      <dt className="text-ink-soft text-sm">{term}</dt>
      <dd className="tabular-digits font-bold text-xl">{children}</dd>
    </div>
  )
}

function Detail({ children }: { children: ReactNode }) {
  return <span className="block font-normal text-base text-ink-soft">{children}</span>
}
