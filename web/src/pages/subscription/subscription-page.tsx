import { useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { siteQuery } from '#web/features/site/site.queries.ts'
import { CurrentSubscription } from '#web/features/subscriptions/current-subscription.tsx'
import { plansQuery, subscriptionQuery } from '#web/features/subscriptions/subscriptions.queries.ts'
import { errorSentence } from '#web/lib/api-client.ts'
import { EmailAddress } from '#web/ui/email-address.tsx'
import { LoadFailure } from '#web/ui/load-failure.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { PageHeading } from '#web/ui/page-heading.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { Offers } from './offers.tsx'

export function SubscriptionPage() {
  const { data: subscription, error, isFetching, refetch } = useQuery(subscriptionQuery)
  const current = useRef<HTMLHeadingElement>(null)
  return (
    <div className="content flex flex-col gap-6 pt-6 sm:pt-10">
      <header>
        <PageHeading>Abonnements</PageHeading>
        <p className="mt-2 max-w-reading text-ink-soft text-lg">
          De la place pour tout ce que vous voulez confier au temps.
        </p>
      </header>
      <HowPlansAreHad />
      {subscription && <CurrentSubscription subscription={subscription} heading={current} />}
      {!subscription && error && (
        <LoadFailure
          title="Erreur lors du chargement de l'abonnement"
          isRetrying={isFetching}
          onRetry={refetch}
        >
          {errorSentence(error, '')}
        </LoadFailure>
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

/** Whether one chooses a plan for nothing, or asks for it. */
function HowPlansAreHad() {
  const { data: offers } = useQuery(plansQuery)
  if (!offers) return null
  if (!offers.simulated) return <AskForPlans />
  return (
    <Notice title="Mode démo activé">
      Les changements de plan et les achats sont simulés&nbsp;: rien n’est prélevé. Le paiement réel
      viendra plus tard.
    </Notice>
  )
}

function AskForPlans() {
  const { data: operator } = useQuery(siteQuery)
  return (
    <Notice title="Ici, les plans ne s’achètent pas">
      La personne qui gère ce site les accorde.{' '}
      {operator?.email ? (
        <>
          Pour en changer, ou pour avoir plus d’espace, écrivez-lui&nbsp;:{' '}
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
