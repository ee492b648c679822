import { useEffect, useRef } from 'react'
import { useSession } from '#web/features/auth/session.tsx'
import { eraseAllDrafts } from './erase-drafts.ts'

/** Erases drafts when somebody signs out; a session that expired keeps them for whoever signs in again. */
export function useDraftsEnd(): void {
  const { user, hasExpired } = useSession()
  const wasSignedIn = useRef(false)
  useEffect(() => {
    if (wasSignedIn.current && !user && !hasExpired) eraseAllDrafts()
    wasSignedIn.current = user !== null
  }, [user, hasExpired])
}
