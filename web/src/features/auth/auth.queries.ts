import { type QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import {
  type LoginInput,
  login,
  logout,
  type RegisterInput,
  register,
  type SessionOpened,
  verifyToken,
} from '#contract/auth.ts'
import type { User } from '#contract/profiles.ts'
import { callApi, holdUnauthorized } from '#web/lib/api-client.ts'
import { forgetDeliveryKeys } from '#web/lib/delivery-key.ts'
import { announceLeave } from '#web/lib/leaving.ts'
import { clearToken, KNOWN_USER_KEY, readToken, saveToken } from '#web/lib/session-token.ts'
import { stayKnown } from './stay-known.ts'

// Whoever is known here does not wait for a network that does not answer.
const KNOWN_TIMEOUT_MS = 4_000

/**
 * Who is signed in; null for a visitor, at once and without a call. Where the server cannot be reached, whoever was
 * signed in before still is, and the server is asked again once it can be.
 */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: async ({ signal, client }): Promise<User | null> => {
    if (!readToken()) return null
    const isKnown = localStorage.getItem(KNOWN_USER_KEY) !== null
    try {
      const { user } = await callApi(
        verifyToken,
        {},
        { signal, ...(isKnown && { timeoutMs: KNOWN_TIMEOUT_MS }) },
      )
      return user
    } catch (error) {
      if (!isKnown) throw error
      return stayKnown(client, error)
    }
  },
  initialData: () => (readToken() ? undefined : null),
  staleTime: Number.POSITIVE_INFINITY,
})

export function useLogin() {
  const openSession = useOpenSession()
  return useMutation({
    mutationFn: (input: LoginInput) => callApi(login, { body: input }),
    onSuccess: openSession,
  })
}

export function useRegister() {
  const openSession = useOpenSession()
  return useMutation({
    mutationFn: (input: RegisterInput) => callApi(register, { body: input }),
    onSuccess: openSession,
  })
}

/** Signs out on this device whatever the server answers; the server ends the session when it can. */
export function useLogout() {
  const leave = useLeave()
  return useMutation({ mutationFn: endThisSession, onSettled: leave })
}

/** What the page asks meanwhile may be refused: whoever leaves is not told that the session expired. */
async function endThisSession(): Promise<void> {
  const letGo = holdUnauthorized()
  try {
    await callApi(logout)
  } finally {
    letGo()
  }
}

/**
 * For whoever leaves by themselves: nothing of theirs stays in this tab; `useDraftsEnd` erases the drafts,
 * `useDeleteRecordingsOnSignOut` the voices and `useDeleteUploadsOnSignOut` the files.
 */
export function useLeave(): () => void {
  const client = useQueryClient()
  const forget = useForgetSession()
  return useCallback(() => {
    const user = client.getQueryData(sessionQuery.queryKey)
    clearToken()
    forgetDeliveryKeys()
    forget()
    if (user) announceLeave(user.id)
  }, [client, forget])
}

/** Makes this page a visitor's: nobody is signed in, and nothing read by the former user remains. */
export function useForgetSession(): () => void {
  const client = useQueryClient()
  return useCallback(() => {
    client.setQueryData(sessionQuery.queryKey, null)
    dropPersonalData(client)
  }, [client])
}

function useOpenSession() {
  const client = useQueryClient()
  return ({ token, user }: SessionOpened) => {
    saveToken(token)
    dropPersonalData(client)
    client.setQueryData(sessionQuery.queryKey, user)
  }
}

// What the server shows depends on who asks: nothing is kept across a change of person.
function dropPersonalData(client: QueryClient): void {
  const isOther = (query: { queryKey: readonly unknown[] }) => query.queryKey[0] !== 'session'
  client.removeQueries({ predicate: (query) => isOther(query) && !query.isActive() })
  void client.resetQueries({ predicate: isOther })
}
