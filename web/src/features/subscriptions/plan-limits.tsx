import { useQuery } from '@tanstack/react-query'
import { FREE_SEALED_REVELATIONS } from '#contract/subscriptions.ts'
import { useSignedInUser } from '#web/features/auth/session.tsx'
import { counted, formatStorage } from '#web/lib/format.ts'
import { Notice } from '#web/ui/notice.tsx'
import { PlansLink } from './plans-link.tsx'
import { subscriptionQuery } from './subscriptions.queries.ts'

const SHOWN_FROM = 2

interface FreePlanNoticeProps {
  /** The number of revelations of the account that have not opened. */
  sealed: number
}

/**
 * How many revelations the free plan still allows; renders nothing while there are many. `staleTime: 0`: the person may come
 * back from choosing a plan in another tab.
 */
export function FreePlanNotice({ sealed }: FreePlanNoticeProps) {
  const { data: subscription } = useQuery({ ...subscriptionQuery, staleTime: 0 })
  if (subscription?.subscription_type !== 'free') return null
  const left = FREE_SEALED_REVELATIONS - sealed
  if (left > SHOWN_FROM) return null
  if (left > 0) {
    return (
      <Notice>
        Il vous reste {counted(left, 'révélation', 'révélations')} à sceller sur les{' '}
        {FREE_SEALED_REVELATIONS} du plan gratuit.
      </Notice>
    )
  }
  return (
    <Notice
      tone="warning"
      title={
        sealed === FREE_SEALED_REVELATIONS
          ? `Vos ${sealed} révélations scellées du plan gratuit sont prises`
          : `Vous avez ${sealed} révélations scellées et le plan gratuit en permet ${FREE_SEALED_REVELATIONS}`
      }
      action={<PlansLink />}
    >
      Une révélation ouverte ne compte plus. Pour en sceller une autre dès maintenant, supprimez-en{' '}
      {sealed - FREE_SEALED_REVELATIONS + 1} ou passez à un plan supérieur.
    </Notice>
  )
}

/** The storage that is left until the address is verified; undefined where the plan counts. */
export function useStorageHint(): string | undefined {
  const { email_verified } = useSignedInUser()
  const { data: subscription } = useQuery({ ...subscriptionQuery, enabled: !email_verified })
  if (!subscription?.awaits_verification) return undefined
  const { total_storage: total, used_storage: used } = subscription
  const left = formatStorage(Math.max(0, total - used))
  return `Tant que votre adresse n’est pas vérifiée, vos fichiers ont ${formatStorage(total)}\u202F: il en reste ${left}.`
}
