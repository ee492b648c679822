import {
  focusManager,
  type QueryClient,
  queryOptions,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query'
import { useEffect } from 'react'
import { readEmailLink, refuseEmailLink, sendVerification, verifyEmail } from '#contract/account.ts'
import type { User } from '#contract/profiles.ts'
import { sessionQuery } from '#web/features/auth/auth.queries.ts'
import { callApi } from '#web/lib/api-client.ts'

export function useSendVerification() {
  return useMutation({ mutationFn: () => callApi(sendVerification) })
}

/** The account and address of a link; the request changes nothing. */
export function emailLinkQuery(token: string) {
  return queryOptions({
    queryKey: ['email-link', token],
    queryFn: ({ signal }) => callApi(readEmailLink, { body: { token } }, { signal }),
    staleTime: 'static',
  })
}

/** The owner of the address rejects the account. */
export function useRefuseEmailLink() {
  return useMutation({
    mutationFn: (token: string) => callApi(refuseEmailLink, { body: { token } }),
  })
}

export function useVerifyEmail() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (token: string) => callApi(verifyEmail, { body: { token } }),
    onSuccess: ({ user }) => updateUser(client, user),
  })
}

/** Refetches the user whenever the page gets the focus: the link may have been opened in another tab. */
export function useReturnFromMail(onVerified: () => void): void {
  const client = useQueryClient()
  useEffect(
    () =>
      focusManager.subscribe(async (isFocused) => {
        if (!isFocused) return
        const before = client.getQueryData(sessionQuery.queryKey)
        const user = await client.fetchQuery({ ...sessionQuery, staleTime: 0 }).catch(() => null)
        if (!before || !user || !isOtherAddress(before, user)) return
        updateUser(client, user)
        onVerified()
      }),
    [client, onVerified],
  )
}

function isOtherAddress(before: User, user: User): boolean {
  return before.email !== user.email || before.email_verified !== user.email_verified
}

/** A verified address may read the letters addressed to it: everything is refetched. */
function updateUser(client: QueryClient, user: User): void {
  client.setQueryData(sessionQuery.queryKey, (known) => (known?.id === user.id ? user : known))
  void client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'session' })
}
