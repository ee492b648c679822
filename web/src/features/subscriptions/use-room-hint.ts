import { useQuery } from '@tanstack/react-query'
import { useSignedInUser } from '#web/features/auth/session.tsx'
import { formatStorage } from '#web/lib/sizes.ts'
import { subscriptionQuery } from './subscriptions.queries.ts'

/** What is left for files until the address is verified, said before one is chosen; undefined where the plan counts. */
export function useRoomHint(): string | undefined {
  const { email_verified } = useSignedInUser()
  const { data: subscription } = useQuery({ ...subscriptionQuery, enabled: !email_verified })
  if (!subscription?.awaits_verification) return undefined
  const { total_storage: total, used_storage: used } = subscription
  const left = formatStorage(Math.max(0, total - used))
  return `Tant que votre adresse n’est pas vérifiée, vos fichiers ont ${formatStorage(total)}\u00A0: il en reste ${left}.`
}
