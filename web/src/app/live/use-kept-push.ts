import { useEffect } from 'react'
import { useSession } from '#web/features/auth/session.tsx'
import { loadPushRegistration } from '#web/features/push/push-storage.ts'

/** Costs nobody anything who did not ask to be told on this device. */
export function useKeptPush(): void {
  const userId = useSession().user?.id
  useEffect(() => {
    if (userId === undefined || loadPushRegistration()?.userId !== userId) return
    let stop: (() => void) | undefined
    let isOver = false
    import('#web/features/push/push-subscription.ts').then(
      ({ startPushRenewal }) => {
        if (!isOver) stop = startPushRenewal(userId)
      },
      () => undefined,
    )
    return () => {
      isOver = true
      stop?.()
    }
  }, [userId])
}
