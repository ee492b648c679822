import { useEffect } from 'react'
import { useSession } from '#web/features/auth/session.tsx'

/** Records the owner of legacy events before somebody else signs in on this browser. */
export function useLegacyEventsOwner(): void {
  const { user } = useSession()
  useEffect(() => {
    if (user) claimLegacyEvents(user.id)
  }, [user])
}

// Legacy events are in localStorage under keys that name family and calendar, without an owner. They belong to the first
// account that signs in beside them.
export const OWNER_KEY = 'old-events-owner'

/** The signed-in account becomes the owner of legacy events that have none. */
export function claimLegacyEvents(userId: string): void {
  if (localStorage.getItem(OWNER_KEY) !== null || legacyKeys().length === 0) return
  try {
    localStorage.setItem(OWNER_KEY, userId)
  } catch {
    // Where nothing can be stored, they stay without an owner and are not imported.
  }
}

export function legacyKeys(): string[] {
  return Object.keys(localStorage).filter(
    (key) => /family/i.test(key) && /calendar/i.test(key) && readList(key) !== undefined,
  )
}

export function readList(key: string): unknown[] | undefined {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(key) ?? '')
    return Array.isArray(stored) ? stored : undefined
  } catch {
    return undefined
  }
}
