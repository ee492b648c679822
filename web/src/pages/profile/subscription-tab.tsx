import { useQuery } from '@tanstack/react-query'
import { Gem } from 'lucide-react'
import { Link } from 'react-router'
import type { ProfileStats } from '#contract/profiles.ts'
import { FREE_SEALED_REVELATIONS, type Subscription } from '#contract/subscriptions.ts'
import { ExpiredNotice, FeatureList, PlanCard } from '#web/features/subscriptions/plan-card.tsx'
import { StorageBar } from '#web/features/subscriptions/storage-panel.tsx'
import { plansQuery, subscriptionQuery } from '#web/features/subscriptions/subscriptions.queries.ts'
import { errorSentence } from '#web/lib/api-client.ts'
import { counted, formatStorage } from '#web/lib/format.ts'
import { paths } from '#web/lib/paths.ts'
import { ButtonLink } from '#web/ui/button.tsx'
import { Skeleton } from '#web/ui/loading.tsx'
import { Notice, QueryFailure } from '#web/ui/notice.tsx'
import { Panel } from '#web/ui/panel.tsx'

/** The plan, its features, and its usage. */
export function SubscriptionTab({ stats }: { stats: ProfileStats }) {
  const query = useQuery(subscriptionQuery)
  const { data: subscription, error } = query
  if (!subscription && error) {
    return <QueryFailure query={query} fallback="Erreur lors du chargement de l'abonnement" />
  }
  if (!subscription) {
    return (
      <div role="status">
        <span className="sr-only">Chargement de l’abonnement</span>
        <Skeleton className="h-72 rounded-card!" />
      </div>
    )
  }
  return (
    <div className="grid items-start gap-5 md:grid-cols-2">
      <div className="flex min-w-0 flex-col gap-5">
        <PlanCard subscription={subscription} />
        <ExpiredNotice subscription={subscription} />
        <ButtonLink
          large
          to={paths.subscription}
          icon={<Gem aria-hidden="true" className="size-5 shrink-0" />}
        >
          Gérer mon abonnement
        </ButtonLink>
      </div>
      <div className="flex min-w-0 flex-col gap-5">
        <Panel title="Stockage">
          <StorageBar subscription={subscription} />
          <dl className="mt-4 border-line border-t pt-2">
            <Line term="Inclus dans le plan">{formatStorage(included(subscription))}</Line>
            <Line term="Stockage supplémentaire">
              {subscription.extra_storage > 0
                ? `+${formatStorage(subscription.extra_storage)}`
                : 'Aucun'}
            </Line>
          </dl>
        </Panel>
        <Usage subscription={subscription} stats={stats} />
      </div>
      <Features subscription={subscription} />
    </div>
  )
}

function included({ total_storage, extra_storage, awaits_verification }: Subscription): number {
  return total_storage < 0 || awaits_verification ? total_storage : total_storage - extra_storage
}

interface UsageProps {
  subscription: Subscription
  stats: ProfileStats
}

function Usage({ subscription, stats }: UsageProps) {
  const isFree = subscription.subscription_type === 'free'
  return (
    <Panel title="Utilisation">
      <dl>
        <Line term="Révélations">{counted(stats.total_revelations, 'créée', 'créées')}</Line>
        <Line term="Scellées">
          {isFree
            ? `${stats.pending_revelations} sur ${FREE_SEALED_REVELATIONS}`
            : String(stats.pending_revelations)}
        </Line>
        <Line term="Dévoilées">{String(stats.revealed_revelations)}</Line>
        <Line term="Espace utilisé">{formatStorage(subscription.used_storage)}</Line>
      </dl>
      <Link
        to={paths.statistics}
        className="-mb-2 mt-1 inline-flex min-h-11 items-center font-semibold underline underline-offset-4"
      >
        Statistiques de vos lettres
      </Link>
    </Panel>
  )
}

function Line({ term, children }: { term: string; children: string }) {
  return (
    <div className="flex items-baseline justify-between gap-4 py-1.5">
      <dt className="text-ink-soft">{term}</dt>
      <dd className="tabular-digits font-semibold">{children}</dd>
    </div>
  )
}

function Features({ subscription }: { subscription: Subscription }) {
  const { data, error } = useQuery(plansQuery)
  const plan = data?.plans.find(({ id }) => id === subscription.subscription_type)
  return (
    <Panel title="Ce que comprend votre plan" className="md:col-span-2">
      {plan && (
        <FeatureList features={plan.features} className="grid gap-x-6 gap-y-2 sm:grid-cols-2" />
      )}
      {!data && error && (
        <Notice tone="error">{errorSentence(error, 'Erreur lors du chargement des plans')}</Notice>
      )}
      {!data && !error && (
        <div role="status">
          <span className="sr-only">Chargement des plans</span>
          <Skeleton className="h-16" />
        </div>
      )}
    </Panel>
  )
}
