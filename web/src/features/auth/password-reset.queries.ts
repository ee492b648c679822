import { useMutation } from '@tanstack/react-query'
import { forgotPassword, resetPassword } from '#contract/account.ts'
import { callApi } from '#web/lib/api-client.ts'
import { clearToken } from '#web/lib/session-token.ts'
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
    onSuccess: () => {
      // Every session of the account ended with the old password, maybe the one of this browser too.
      clearToken()
      forget()
    },
  })
}
