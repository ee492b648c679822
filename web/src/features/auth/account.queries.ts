import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import {
  type ChangePasswordInput,
  changePassword,
  endOtherSessions,
  endSession,
  listSessions,
} from '#contract/auth.ts'
import { callApi } from '#web/lib/api-client.ts'
import { keepFocus } from '#web/lib/kept-focus.ts'

const SESSIONS_KEY = ['sessions'] as const

/** Where the account is signed in: this device first, then the one seen last. */
export const sessionsQuery = queryOptions({
  queryKey: SESSIONS_KEY,
  queryFn: async ({ signal }) => {
    const { sessions } = await callApi(listSessions, {}, { signal })
    return sessions.toSorted(
      (a, b) =>
        Number(b.current) - Number(a.current) || b.last_seen_at.localeCompare(a.last_seen_at),
    )
  },
})

/** In place of an id: every session but this one. */
export const OTHERS = 'others'

export function useEndSession() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (id: string) =>
      id === OTHERS ? callApi(endOtherSessions) : callApi(endSession, { params: { id } }),
    onMutate: keepFocus,
    onSettled: async (_output, _error, _id, returnFocus) => {
      await client.invalidateQueries({ queryKey: SESSIONS_KEY })
      returnFocus?.()
    },
  })
}

export function useChangePassword() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: ChangePasswordInput) => callApi(changePassword, { body }),
    // Every other session ended with the old password.
    onSuccess: () => void client.invalidateQueries({ queryKey: SESSIONS_KEY }),
  })
}
