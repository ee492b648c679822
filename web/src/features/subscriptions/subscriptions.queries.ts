import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import {
  buyStorage,
  getPreferences,
  getSubscription,
  listPlans,
  type Plan,
  type Preferences,
  type Subscription,
  savePreferences,
  upgradePlan,
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

/** `key` is the same at every attempt, so that a lost answer does not buy twice. */
export type Order = { key: string } & ({ plan: Plan } | { storage: number })

export function usePlaceOrder() {
  const client = useQueryClient()
  return useMutation({
    scope: { id: 'orders' },
    mutationFn: (order: Order): Promise<Subscription> => {
      const { key: idempotency_key } = order
      return 'plan' in order
        ? callApi(upgradePlan, { body: { plan: order.plan, idempotency_key } })
        : callApi(buyStorage, { body: { storage_amount: order.storage, idempotency_key } })
    },
    onSuccess: (subscription) => client.setQueryData(subscriptionQuery.queryKey, subscription),
    // Another tab may have bought it: the page shows the current state.
    onError: () => client.invalidateQueries({ queryKey: subscriptionQuery.queryKey }),
  })
}

export const preferencesQuery = queryOptions({
  queryKey: [...SUBSCRIPTIONS_KEY, 'preferences'],
  queryFn: async ({ signal }) => (await callApi(getPreferences, {}, { signal })).preferences,
})

/** Saves each switch at once, optimistically. */
export function useSavePreferences() {
  const client = useQueryClient()
  const { queryKey } = preferencesQuery
  const patch = (change: Partial<Preferences>) =>
    client.setQueryData(queryKey, (known) => known && { ...known, ...change })
  return useMutation({
    // In order: the last change of a switch must be saved last.
    scope: { id: 'preferences' },
    mutationFn: (body: Partial<Preferences>) => callApi(savePreferences, { body }),
    onMutate: async (change) => {
      await client.cancelQueries({ queryKey })
      patch(change)
    },
    onError: (_, change) => patch(opposite(change)),
  })
}

function opposite(change: Partial<Preferences>): Partial<Preferences> {
  return Object.fromEntries(Object.entries(change).map(([name, value]) => [name, !value]))
}
