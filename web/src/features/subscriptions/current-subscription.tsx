import { type ReactNode, type RefObject, useId } from 'react'
import type { Subscription } from '#contract/subscriptions.ts'
import { browserTimeZone } from '#web/lib/browser-time-zone.ts'
import { formatDay } from '#web/lib/french-dates.ts'
import { formatStorage } from '#web/lib/sizes.ts'
import { ExpiredNotice } from './expired-notice.tsx'
import { PlanBadge } from './plan-badge.tsx'
import { daysLeftInWords, hasExpired } from './plan-words.ts'
import { StorageBar } from './storage-bar.tsx'

interface CurrentSubscriptionProps {
  subscription: Subscription
  /** Where the focus goes when the plan has changed. */
  heading: RefObject<HTMLHeadingElement | null>
}

/** The plan one is on, what room it gives, and until when. */
export function CurrentSubscription({ subscription, heading }: CurrentSubscriptionProps) {
  const id = useId()
  const { total_storage, extra_storage, subscription_expires: expires } = subscription
  const daysLeft = daysLeftInWords(expires)
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
      <dd className="digits font-bold text-xl">{children}</dd>
    </div>
  )
}

function Detail({ children }: { children: ReactNode }) {
  return <span className="block font-normal text-base text-ink-soft">{children}</span>
}
