import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { changeEmail, deleteAccount, getAccountRemains } from '#contract/account.ts'
import {
  type ChangePasswordInput,
  changePassword,
  endSession as endOneSession,
  endOtherSessions,
  listSessions,
} from '#contract/auth.ts'
import { createExportLink, exportAccount, exportName } from '#contract/exports.ts'
import { useLeave } from '#web/features/auth/auth.queries.ts'
import { callApi, endSession, fetchFile, suspendUnauthorized } from '#web/lib/api-client.ts'
import { saveFile, saveFrom } from '#web/lib/device.ts'
import { readToken } from '#web/lib/session-token.ts'
import { showToast } from '#web/ui/toasts.tsx'
import { API_TOKENS_KEY } from './api-tokens.queries.ts'

const SESSIONS_KEY = ['sessions'] as const

/** This device first, then the most recent. */
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

/** A new password and ending the other sessions revoke the address of the calendar. */
const FEED_KEY = ['calendar', 'feed'] as const

/** Instead of an id: all other sessions. */
export const OTHERS = 'others'

export function useEndSession() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (id: string) =>
      id === OTHERS ? callApi(endOtherSessions) : callApi(endOneSession, { params: { id } }),
    onSettled: (_output, _error, id) => {
      if (id === OTHERS) {
        void client.invalidateQueries({ queryKey: FEED_KEY })
        void client.invalidateQueries({ queryKey: API_TOKENS_KEY })
      }
      return client.invalidateQueries({ queryKey: SESSIONS_KEY })
    },
  })
}

export function useChangePassword() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: ChangePasswordInput) => callApi(changePassword, { body }),
    // The server ended all other sessions.
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: SESSIONS_KEY })
      void client.invalidateQueries({ queryKey: API_TOKENS_KEY })
      void client.invalidateQueries({ queryKey: FEED_KEY })
    },
  })
}

export function useChangeEmail() {
  return useMutation({
    mutationFn: (body: { email: string; password: string }) => callApi(changeEmail, { body }),
  })
}

/** An export of years of letters is slow. */
const EXPORT_TIMEOUT_MS = 120_000

export function useExport(pseudo: string) {
  return useMutation({
    mutationFn: async () => {
      const content = await fetchFile(
        exportAccount,
        { querystring: { format: 'json' } },
        { timeoutMs: EXPORT_TIMEOUT_MS },
      )
      saveFile(content, `${exportName(pseudo, new Date())}.json`)
    },
  })
}

/** The browser downloads the archive: it may be too large for the memory of a page. */
export function useExportWithFiles() {
  return useMutation({
    mutationFn: async () => {
      const { url } = await callApi(createExportLink)
      saveFrom(url)
    },
  })
}

/** What the deletion would delete; never cached, because letters leave every day. */
export const accountRemainsQuery = queryOptions({
  queryKey: ['account-remains'],
  queryFn: ({ signal }) => callApi(getAccountRemains, {}, { signal }),
  staleTime: 0,
  gcTime: 0,
})

/** The server may need two and a half minutes. */
const DELETION_TIMEOUT_MS = 180_000

/** Turns this page into a visitor's, which leads home. */
export function useDeleteAccount() {
  const leave = useLeave()
  return useMutation({
    mutationFn: deleteOwnAccount,
    onSuccess: () => {
      leave()
      showToast('success', 'Votre compte est supprimé.')
    },
  })
}

/** Sessions end first: a refused request meanwhile does not mean that the deletion failed. */
async function deleteOwnAccount(password: string): Promise<void> {
  const token = readToken()
  const release = suspendUnauthorized()
  try {
    await callApi(deleteAccount, { body: { password } }, { timeoutMs: DELETION_TIMEOUT_MS })
    release()
  } catch (error) {
    if (release()) {
      endSession(token)
      showToast('error', 'La suppression n’est pas confirmée. Reconnectez-vous pour vérifier.')
    }
    throw error
  }
}
