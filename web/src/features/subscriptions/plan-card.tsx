import { Infinity as InfinityIcon, type LucideIcon, Rocket, Sparkles, Sprout } from 'lucide-react'
import type { Plan, Subscription } from '#contract/subscriptions.ts'
import { browserTimeZone } from '#web/lib/browser-time-zone.ts'
import { formatDay } from '#web/lib/french-dates.ts'
import { formatStorage } from '#web/lib/sizes.ts'
import { classNames } from '#web/ui/class-names.ts'
import { hasExpired, PLAN_LOOKS, PLAN_NAMES } from './plan-words.ts'

const ICONS: Record<Plan, LucideIcon> = {
  free: Sprout,
  standard: Sparkles,
  pro: Rocket,
  unlimited: InfinityIcon,
}

/** The plan one is on, in its colour. */
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
        PLAN_LOOKS[plan],
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
          <dd className="digits font-bold text-xl">
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
