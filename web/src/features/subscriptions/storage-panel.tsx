import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import type { Subscription } from '#contract/subscriptions.ts'
import { errorSentence } from '#web/lib/api-client.ts'
import { formatShare, formatStorage } from '#web/lib/format.ts'
import { paths } from '#web/lib/paths.ts'
import { classNames } from '#web/ui/class-names.ts'
import { Skeleton } from '#web/ui/loading.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { PlanBadge } from './plan-card.tsx'
import { formatExpiry, PLAN_NAMES } from './plan-labels.ts'
import { subscriptionQuery } from './subscriptions.queries.ts'

/** The used storage of the account. */
export function StoragePanel() {
  const { data: subscription, error } = useQuery(subscriptionQuery)
  return (
    <Panel
      title="Stockage"
      aside={subscription && <PlanBadge plan={subscription.subscription_type} />}
    >
      {subscription ? (
        <Usage subscription={subscription} />
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

function Usage({ subscription }: { subscription: Subscription }) {
  const { subscription_type, subscription_expires } = subscription
  return (
    <>
      <StorageBar subscription={subscription} />
      <p className="mt-2 text-ink-soft text-sm">
        Plan {PLAN_NAMES[subscription_type]} · {formatExpiry(subscription_expires)}
      </p>
    </>
  )
}

const NEARLY_FULL_PERCENT = 90

/** « 12,3 Mo / 500 Mo », with a bar when there is a limit. */
export function StorageBar({ subscription }: { subscription: Subscription }) {
  const { used_storage: used, total_storage: total } = subscription
  const percent = total > 0 ? Math.min(100, (used / total) * 100) : 0
  const text = `${formatStorage(used)} / ${formatStorage(total)}`
  return (
    <div>
      <div className="mb-2 flex flex-wrap items-baseline justify-between gap-x-4">
        <span className="tabular-digits font-bold text-lg">{text}</span>
        {total > 0 && (
          <span className="tabular-digits text-ink-soft text-sm">{formatShare(percent / 100)}</span>
        )}
      </div>
      {total > 0 && (
        <div
          role="progressbar"
          aria-label="Espace utilisé"
          aria-valuemin={0}
          aria-valuemax={100}
          aria-valuenow={Math.round(percent)}
          aria-valuetext={text}
          className="h-2.5 overflow-hidden rounded-full bg-line"
        >
          <div
            className={classNames(
              'h-full rounded-full',
              percent >= NEARLY_FULL_PERCENT ? 'bg-wax' : 'bg-leaf',
              used > 0 && 'min-w-2.5',
            )}
            style={{ width: `${percent}%` }}
          />
        </div>
      )}
      {subscription.awaits_verification && (
        <p className="mt-2 text-ink-soft text-sm">
          Tant que votre adresse n’est pas vérifiée, vos fichiers ont {formatStorage(total)}, quel
          que soit votre plan.{' '}
          <Link
            to={paths.verification}
            className="font-semibold text-wax-ink underline underline-offset-4"
          >
            Vérifier mon adresse
          </Link>
        </p>
      )}
      {percent >= NEARLY_FULL_PERCENT && (
        <p className="mt-2 text-sm text-wax-ink">
          {used > total
            ? 'Vous dépassez votre espace. Rien n’est effacé, mais rien ne peut y être ajouté.'
            : 'Il reste peu de place. Supprimer une révélation rend celle de son fichier.'}
        </p>
      )}
    </div>
  )
}
