import { useQuery } from '@tanstack/react-query'
import type { Subscription } from '#contract/subscriptions.ts'
import { errorSentence } from '#web/lib/api-client.ts'
import { Notice } from '#web/ui/notice.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { PlanBadge } from './plan-badge.tsx'
import { expiryInWords, PLAN_NAMES } from './plan-words.ts'
import { StorageBar } from './storage-bar.tsx'
import { subscriptionQuery } from './subscriptions.queries.ts'

/** How much room one’s own files take, on the overview. */
export function StoragePanel() {
  const { data: subscription, error } = useQuery(subscriptionQuery)
  return (
    <Panel
      title="Stockage"
      aside={subscription && <PlanBadge plan={subscription.subscription_type} />}
    >
      {subscription ? (
        <Room subscription={subscription} />
      ) : error ? (
        <Notice tone="error">
          {errorSentence(error, "Erreur lors du chargement de l'abonnement")}
        </Notice>
      ) : (
        <div role="status">
          <span className="sr-only">Chargement du stockage</span>
          <Skeleton className="h-16" />
        </div>
      )}
    </Panel>
  )
}

function Room({ subscription }: { subscription: Subscription }) {
  const { subscription_type, subscription_expires } = subscription
  return (
    <>
      <StorageBar subscription={subscription} />
      <p className="mt-2 text-ink-soft text-sm">
        Plan {PLAN_NAMES[subscription_type]} · {expiryInWords(subscription_expires)}
      </p>
    </>
  )
}
