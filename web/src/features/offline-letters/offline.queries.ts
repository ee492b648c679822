import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import {
  eraseOffline,
  forgetOffline,
  listOffline,
  storeOffline,
  updateOffline,
} from './offline-letters.ts'

/** The letters that this device stores for who reads here. */
export const offlineQuery = queryOptions({
  queryKey: ['offline-letters'],
  queryFn: listOffline,
  staleTime: Number.POSITIVE_INFINITY,
})

export function useStoreOffline(id: string) {
  return useChange(() => storeOffline(id))
}

export function useForgetOffline(id: string) {
  return useChange(() => forgetOffline(id))
}

export function useEraseOffline() {
  return useChange(eraseOffline)
}

export function useUpdateOffline() {
  return useChange(updateOffline)
}

function useChange(change: () => Promise<void>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: change,
    onSettled: () => client.invalidateQueries({ queryKey: offlineQuery.queryKey }),
  })
}
