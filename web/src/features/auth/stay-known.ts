import type { QueryClient } from '@tanstack/react-query'
import type { User } from '#contract/profiles.ts'
import { isUnreachable } from '#web/lib/api-client.ts'
import { isReachable, listenToReach, noteReach } from '#web/lib/reach.ts'
import { readKnownUser } from './known-user.ts'

/**
 * Whoever was signed in before still is where the server cannot be reached; it is asked again once it can be. Throws what an
 * answer says.
 */
export function stayKnown(client: QueryClient, error: unknown): User {
  const known = readKnownUser()
  if (!known || !isUnreachable(error)) throw error
  noteReach(false)
  const stop = listenToReach(() => {
    if (!isReachable()) return
    stop()
    void client.invalidateQueries({ queryKey: ['session'] })
  })
  return known
}
