import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import {
  getPreferences,
  getSubscription,
  listPlans,
  type Preferences,
  savePreferences,
} from '#contract/subscriptions.ts'
import { callApi } from '#web/lib/api-client.ts'

const SUBSCRIPTIONS_KEY = ['subscriptions'] as const

export const subscriptionQuery = queryOptions({
  queryKey: [...SUBSCRIPTIONS_KEY, 'mine'],
  queryFn: ({ signal }) => callApi(getSubscription, {}, { signal }),
})

export const plansQuery = queryOptions({
  queryKey: [...SUBSCRIPTIONS_KEY, 'plans'],
  queryFn: ({ signal }) => callApi(listPlans, {}, { signal }),
  staleTime: Number.POSITIVE_INFINITY,
})

export const preferencesQuery = queryOptions({
  queryKey: [...SUBSCRIPTIONS_KEY, 'preferences'],
  queryFn: async ({ signal }) => (await callApi(getPreferences, {}, { signal })).preferences,
})

/** Each switch is saved at once: it turns first, and turns back when the server refuses. */
export function useSavePreferences() {
  const client = useQueryClient()
  const { queryKey } = preferencesQuery
  const turn = (change: Partial<Preferences>) =>
    client.setQueryData(queryKey, (known) => known && { ...known, ...change })
  return useMutation({
    // One after the other: the last turn of a switch is the last one saved.
    scope: { id: 'preferences' },
    mutationFn: (body: Partial<Preferences>) => callApi(savePreferences, { body }),
    onMutate: async (change) => {
      await client.cancelQueries({ queryKey })
      turn(change)
    },
    onError: (_, change) => turn(opposite(change)),
  })
}

function opposite(change: Partial<Preferences>): Partial<Preferences> {
  return Object.fromEntries(Object.entries(change).map(([name, value]) => [name, !value]))
}
