import { useMutation } from '@tanstack/react-query'
import { forgotPassword, resetPassword } from '#contract/account.ts'
import { verifyToken } from '#contract/auth.ts'
import { callApi, suspendUnauthorized } from '#web/lib/api-client.ts'
import { clearToken, readToken } from '#web/lib/session-token.ts'
import { useForgetSession } from './auth.queries.ts'

export function useForgotPassword() {
  return useMutation({
    mutationFn: (email: string) => callApi(forgotPassword, { body: { email } }),
  })
}

export function useResetPassword() {
  const forget = useForgetSession()
  return useMutation({
    mutationFn: (body: { token: string; password: string }) => callApi(resetPassword, { body }),
    onSuccess: async () => {
      // The server ended all sessions of the account; this browser may have one of another account.
      if (!(await isSessionOver())) return
      clearToken()
      forget()
    },
  })
}

async function isSessionOver(): Promise<boolean> {
  if (!readToken()) return false
  const release = suspendUnauthorized()
  await callApi(verifyToken).catch(() => undefined)
  return release()
}
