import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { markOnboarded } from '#contract/profiles.ts'
import { sessionQuery } from '#web/features/auth/auth.queries.ts'
import { callApi } from '#web/lib/api-client.ts'

/** Remembers that this person is being shown around: seen once is enough, wherever they stop. */
export function useMarkOnboarded(): void {
  const client = useQueryClient()
  useEffect(() => {
    const user = client.getQueryData(sessionQuery.queryKey)
    if (!user || user.onboarded) return
    const mark = async () => {
      await callApi(markOnboarded)
      client.setQueryData(sessionQuery.queryKey, (known) =>
        known?.id === user.id ? { ...known, onboarded: true } : known,
      )
    }
    // Where the server cannot be told, they are shown around once more another day.
    mark().catch(() => undefined)
  }, [client])
}
