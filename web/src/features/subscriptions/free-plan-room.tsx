import { useQuery } from '@tanstack/react-query'
import { FREE_LIVE_REVELATIONS } from '#contract/subscriptions.ts'
import { counted } from '#web/lib/counts.ts'
import { Notice } from '#web/ui/notice.tsx'
import { PlansLink } from './plans-link.tsx'
import { subscriptionQuery } from './subscriptions.queries.ts'

const SAID_FROM = 2

interface FreePlanRoomProps {
  /** How many revelations of one's own there are. */
  live: number
}

/**
 * How many revelations the free plan still lets one seal, before they are written; silent while there is room. Asked
 * anew when one comes back from choosing a plan in another tab.
 */
export function FreePlanRoom({ live }: FreePlanRoomProps) {
  const { data: subscription } = useQuery({ ...subscriptionQuery, staleTime: 0 })
  if (subscription?.subscription_type !== 'free') return null
  const left = FREE_LIVE_REVELATIONS - live
  if (left > SAID_FROM) return null
  if (left > 0) {
    return (
      <Notice>
        Il vous reste {counted(left, 'révélation', 'révélations')} sur les {FREE_LIVE_REVELATIONS}{' '}
        du plan gratuit.
      </Notice>
    )
  }
  return (
    <Notice
      tone="warning"
      title={
        live === FREE_LIVE_REVELATIONS
          ? `Vos ${live} révélations du plan gratuit sont prises`
          : `Vous avez ${live} révélations et le plan gratuit en permet ${FREE_LIVE_REVELATIONS}`
      }
      action={<PlansLink />}
    >
      Pour en sceller une autre, supprimez-en {live - FREE_LIVE_REVELATIONS + 1} ou passez à un plan
      supérieur. Ce que vous écrivez ici est gardé sur cet appareil.
    </Notice>
  )
}
