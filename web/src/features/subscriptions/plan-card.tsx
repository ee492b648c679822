import {
  Check,
  Infinity as InfinityIcon,
  type LucideIcon,
  Rocket,
  Sparkles,
  Sprout,
} from 'lucide-react'
import type { Plan, Subscription } from '#contract/subscriptions.ts'
import { browserTimeZone, formatDay } from '#web/lib/dates.ts'
import { formatStorage } from '#web/lib/format.ts'
import { classNames } from '#web/ui/class-names.ts'
import { Notice } from '#web/ui/notice.tsx'
import { hasExpired, PLAN_CLASSES, PLAN_NAMES } from './plan-labels.ts'

const ICONS: Record<Plan, LucideIcon> = {
  free: Sprout,
  standard: Sparkles,
  pro: Rocket,
  unlimited: InfinityIcon,
}

export function PlanCard({ subscription }: { subscription: Subscription }) {
  const {
    subscription_type: plan,
    subscription_expires,
    total_storage,
    extra_storage,
  } = subscription
  const Icon = ICONS[plan]
  const isOver = hasExpired(subscription)
  return (
    <section
      aria-label="Votre plan"
      className={classNames(
        'flex min-h-60 min-w-0 flex-col justify-between gap-6 overflow-hidden rounded-card p-5 shadow-soft sm:p-6',
        PLAN_CLASSES[plan],
      )}
    >
      <div className="flex items-start justify-between gap-3">
        <div>
          <p className="text-sm">Plan actuel</p>
          <h2 className="text-3xl">{PLAN_NAMES[plan]}</h2>
        </div>
        <Icon aria-hidden="true" className="size-12 opacity-80" strokeWidth={1.5} />
      </div>
      <dl className="flex flex-wrap gap-x-10 gap-y-3">
        <div>
          <dt className="text-sm">Stockage total</dt>
          <dd className="tabular-digits font-bold text-xl">
            {formatStorage(total_storage)}
            {extra_storage > 0 && (
              <span className="block font-normal text-sm">
                (+{formatStorage(extra_storage)} acheté)
              </span>
            )}
          </dd>
        </div>
        <div>
          <dt className="text-sm">{isOver ? 'Expiré le' : 'Expiration'}</dt>
          <dd className="font-bold text-xl">
            {subscription_expires ? formatDay(subscription_expires, browserTimeZone()) : 'Jamais'}
          </dd>
        </div>
      </dl>
    </section>
  )
}

export function PlanBadge({ plan }: { plan: Plan }) {
  return (
    <span
      className={classNames(
        'inline-flex items-center whitespace-nowrap rounded-full px-3 py-1.5 font-semibold text-sm leading-none',
        PLAN_CLASSES[plan],
      )}
    >
      {PLAN_NAMES[plan]}
    </span>
  )
}

interface ExpiredNoticeProps {
  subscription: Subscription
  className?: string
}

/** What the end of a paid plan changes; renders nothing unless one has ended. */
export function ExpiredNotice({ subscription, className }: ExpiredNoticeProps) {
  if (!hasExpired(subscription)) return null
  const { expired_plan } = subscription
  const plan = expired_plan ? `plan ${PLAN_NAMES[expired_plan]}` : 'plan'
  return (
    <Notice tone="warning" title={`Votre ${plan} a expiré`} className={className ?? ''}>
      Rien n’est caché ni effacé. Les limites du plan gratuit valent pour ce qui est nouveau.
    </Notice>
  )
}

interface FeatureListProps {
  features: readonly string[]
  /** How many of the first are in bold. */
  leading?: number
  className?: string
}

export function FeatureList({ features, leading = 0, className }: FeatureListProps) {
  return (
    <ul className={className ?? 'flex flex-col gap-2'}>
      {features.map((feature, at) => (
        <li
          key={feature}
          className={classNames(
            'flex items-start gap-2.5 leading-snug',
            at < leading && 'font-semibold',
          )}
        >
          <Check aria-hidden="true" className="mt-0.5 size-4.5 shrink-0 text-leaf-ink" />
          {feature}
        </li>
      ))}
    </ul>
  )
}
