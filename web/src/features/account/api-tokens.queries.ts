import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import {
  type ApiTokenInput,
  createApiToken,
  listApiTokens,
  revokeApiToken,
} from '#contract/api-tokens.ts'
import { ApiError, callApi } from '#web/lib/api-client.ts'

/** A new password and ending the other sessions revoke them all. */
export const API_TOKENS_KEY = ['api-tokens'] as const

export const apiTokensQuery = queryOptions({
  queryKey: API_TOKENS_KEY,
  queryFn: async ({ signal }) => (await callApi(listApiTokens, {}, { signal })).tokens,
})

export function useCreateApiToken() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: ApiTokenInput) => callApi(createApiToken, { body }),
    onSuccess: () => client.invalidateQueries({ queryKey: API_TOKENS_KEY }),
  })
}

export function useRevokeApiToken() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (id: string) => {
      try {
        await callApi(revokeApiToken, { params: { id } })
      } catch (error) {
        // Revoked meanwhile: by another page, or by the first of two presses.
        if (!(error instanceof ApiError && error.code === 'not_found')) throw error
      }
    },
    onSettled: () => client.invalidateQueries({ queryKey: API_TOKENS_KEY }),
  })
}
