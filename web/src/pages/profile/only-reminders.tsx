import { useQuery } from '@tanstack/react-query'
import { preferencesQuery } from '#web/features/subscriptions/subscriptions.queries.ts'
import { Notice } from '#web/ui/notice.tsx'

/** Beside the notifications of a device, when a preference silences most of them. */
export function OnlyReminders() {
  const { data: preferences } = useQuery(preferencesQuery)
  if (preferences?.revelationRevealed !== false) return null
  return (
    <Notice className="mt-3">
      «&nbsp;Révélation dévoilée&nbsp;» est coupé dans vos réglages&nbsp;: seuls vos rappels
      arriveront ici.
    </Notice>
  )
}
