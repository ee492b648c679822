import type { Subscription } from '#contract/subscriptions.ts'
import { Notice } from '#web/ui/notice.tsx'
import { hasExpired, PLAN_NAMES } from './plan-words.ts'

interface ExpiredNoticeProps {
  subscription: Subscription
  className?: string
}

/** What the end of a paid plan changes; nothing while none has ended. */
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
