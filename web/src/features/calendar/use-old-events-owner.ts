import { useEffect } from 'react'
import { useSession } from '#web/features/auth/session.tsx'
import { claimOldEvents } from './old-events-owner.ts'

/** Remembers whose the events of an older page are, before somebody else signs in on this browser. */
export function useOldEventsOwner(): void {
  const { user } = useSession()
  useEffect(() => {
    if (user) claimOldEvents(user.id)
  }, [user])
}
