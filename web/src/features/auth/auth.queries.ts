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
import { callApi, suspendUnauthorized } from '#web/lib/api-client.ts'
import { forgetDeliveryKeys } from '#web/lib/delivery-key.ts'
import { disownDrafts } from '#web/lib/drafts.ts'
import { clearToken, KNOWN_USER_KEY, readToken, saveToken } from '#web/lib/session-token.ts'
import { announceSignOut } from '#web/lib/sign-out-events.ts'
import { fallBackToKnownUser } from './known-user.ts'

// A known user does not wait for a network that does not answer.
const KNOWN_TIMEOUT_MS = 4_000

/** The signed-in user; null for a visitor, without a call. Where the server cannot be reached, the known user stays signed in. */
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
      return fallBackToKnownUser(client, error)
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

/** Signs out on this device whatever the server answers. */
export function useLogout() {
  const leave = useLeave()
  return useMutation({ mutationFn: endThisSession, onSettled: leave })
}

/** Requests refused meanwhile do not show that the session expired. */
async function endThisSession(): Promise<void> {
  const release = suspendUnauthorized()
  try {
    await callApi(logout)
  } finally {
    release()
  }
}

/** Signing out removes all of the account from this tab; the listeners of `announceSignOut` delete its data on the device. */
export function useLeave(): () => void {
  const client = useQueryClient()
  const forget = useForgetSession()
  return useCallback(() => {
    const user = client.getQueryData(sessionQuery.queryKey)
    // Before the token: the other tabs ask again as soon as they see it go, and must know by then.
    forgetDeliveryKeys()
    disownDrafts()
    clearToken()
    forget()
    if (user) announceSignOut(user.id)
  }, [client, forget])
}

/** Turns this page into a visitor's: nothing that the former user read remains. */
export function useForgetSession(): () => void {
  const client = useQueryClient()
  return useCallback(() => {
    client.setQueryData(sessionQuery.queryKey, null)
    dropPersonalData(client)
  }, [client])
}

/** Another tab signed in or out: of what the former person of this one read nothing remains either. */
export function useFollowSession(): () => Promise<void> {
  const client = useQueryClient()
  return useCallback(async () => {
    const { queryKey } = sessionQuery
    const before = client.getQueryData(queryKey)?.id
    await client.refetchQueries({ queryKey })
    if (client.getQueryData(queryKey)?.id !== before) dropPersonalData(client)
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

// The answers of the server depend on the session: none survives a change of user.
function dropPersonalData(client: QueryClient): void {
  const isOther = (query: { queryKey: readonly unknown[] }) => query.queryKey[0] !== 'session'
  client.removeQueries({ predicate: (query) => isOther(query) && !query.isActive() })
  void client.resetQueries({ predicate: isOther })
}
