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
import { callApi, endSession, fetchFile, holdUnauthorized } from '#web/lib/api-client.ts'
import { keepFocus } from '#web/lib/kept-focus.ts'
import { saveFile, saveFrom } from '#web/lib/save-file.ts'
import { showToast } from '#web/ui/toasts.tsx'

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

/** The address of the calendar, which ends with a password and with signing out everywhere else. */
const FEED_KEY = ['calendar', 'feed'] as const

/** In place of an id: every session but this one. */
export const OTHERS = 'others'

export function useEndSession() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (id: string) =>
      id === OTHERS ? callApi(endOtherSessions) : callApi(endOneSession, { params: { id } }),
    onMutate: keepFocus,
    onSettled: async (_output, _error, id, returnFocus) => {
      if (id === OTHERS) void client.invalidateQueries({ queryKey: FEED_KEY })
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
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: SESSIONS_KEY })
      void client.invalidateQueries({ queryKey: FEED_KEY })
    },
  })
}

export function useChangeEmail() {
  return useMutation({
    mutationFn: (body: { email: string; password: string }) => callApi(changeEmail, { body }),
  })
}

/** Years of letters take their time. */
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

/** The browser itself downloads the files: they may be larger than a page can hold. */
export function useExportWithFiles() {
  return useMutation({
    mutationFn: async () => {
      const { url } = await callApi(createExportLink)
      saveFrom(url)
    },
  })
}

/** What would go with the account: asked each time, for letters leave every day. */
export const accountRemainsQuery = queryOptions({
  queryKey: ['account-remains'],
  queryFn: ({ signal }) => callApi(getAccountRemains, {}, { signal }),
  staleTime: 0,
  gcTime: 0,
})

/** The server may take two minutes and a half. */
const DELETION_TIMEOUT_MS = 180_000

/** The account is gone: this page becomes a visitor's, which leads home. */
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

/** Sessions end before the rest: what the page asks meanwhile is refused, and that alone means nothing. */
async function deleteOwnAccount(password: string): Promise<void> {
  const letGo = holdUnauthorized()
  try {
    await callApi(deleteAccount, { body: { password } }, { timeoutMs: DELETION_TIMEOUT_MS })
    letGo()
  } catch (error) {
    if (letGo()) {
      endSession()
      showToast('error', 'La suppression n’est pas confirmée. Reconnectez-vous pour vérifier.')
    }
    throw error
  }
}
