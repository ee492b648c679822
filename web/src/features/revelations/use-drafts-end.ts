import { useEffect, useRef } from 'react'
import { useSession } from '#web/features/auth/session.tsx'

/** Erases the drafts at sign-out; after an expired session they stay for the next sign-in. */
export function useDraftsEnd(): void {
  const { user, hasExpired } = useSession()
  const wasSignedIn = useRef(false)
  useEffect(() => {
    if (wasSignedIn.current && !user && !hasExpired) eraseAllDrafts()
    wasSignedIn.current = user !== null
  }, [user, hasExpired])
}

export const DRAFT_PREFIX = 'revelation-draft:'

/** Erases every draft of this device: sealed or abandoned text must not be found on it. */
function eraseAllDrafts(): void {
  for (const key of Object.keys(localStorage)) {
    if (key.startsWith(DRAFT_PREFIX)) localStorage.removeItem(key)
  }
}
