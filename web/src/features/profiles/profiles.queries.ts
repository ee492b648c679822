import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { EndpointOutput } from '#contract/endpoint.ts'
import { getUser, type ProfileInput, updateProfile } from '#contract/profiles.ts'
import { sessionQuery } from '#web/features/auth/auth.queries.ts'
import { callApi } from '#web/lib/api-client.ts'

/** A person as the viewer sees them. */
export type Profile = EndpointOutput<typeof getUser>

const PROFILES_KEY = ['profiles'] as const

/** A person, their figures, and the viewer's relation to them. */
export function profileQuery(id: string) {
  return queryOptions({
    queryKey: [...PROFILES_KEY, id],
    queryFn: ({ signal }) => callApi(getUser, { params: { id } }, { signal }),
  })
}

/** Everything that shows one's name or picture is fetched again. */
export function useUpdateProfile() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: ProfileInput) => callApi(updateProfile, { body }),
    onSuccess: ({ user }) => {
      client.setQueryData(sessionQuery.queryKey, user)
      const { email: _, ...shown } = user
      client.setQueryData(
        profileQuery(user.id).queryKey,
        (known) => known && { ...known, user: shown },
      )
      void client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'session' })
    },
  })
}
