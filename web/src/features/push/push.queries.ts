import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { getPush } from '#contract/push.ts'
import { callApi } from '#web/lib/api-client.ts'
import { subscribe, unsubscribe } from './push-subscription.ts'
import { readToldBrowser } from './told-browser.ts'

const pushQuery = (userId: string) =>
  queryOptions({
    queryKey: ['push', userId],
    queryFn: async ({ signal }) => {
      const { public_key, subscribed } = await callApi(getPush, {}, { signal })
      const { permission } = Notification
      const isOn = subscribed && permission === 'granted' && readToldBrowser()?.userId === userId
      return { publicKey: public_key, permission, isOn }
    },
  })

/** Whether this browser is told; asked again the moment its person changes what they allow. */
export function usePush(userId: string) {
  const client = useQueryClient()
  const query = pushQuery(userId)
  useEffect(() => {
    const asking = new AbortController()
    const again = () => void client.invalidateQueries({ queryKey: ['push'] })
    navigator.permissions
      ?.query({ name: 'notifications' })
      .then((status) => status.addEventListener('change', again, { signal: asking.signal }))
      .catch(() => undefined)
    return () => asking.abort()
  }, [client])
  return useQuery(query)
}

/** Turns it on or off. The browser asks its person in the tap itself, or not at all. */
export function useTurnPush(userId: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async ({ publicKey, isOn }: { publicKey: string; isOn: boolean }) => {
      if (!isOn) return unsubscribe()
      const permission = await Notification.requestPermission()
      if (permission === 'granted') await subscribe(publicKey, userId)
    },
    onSettled: () => client.invalidateQueries({ queryKey: ['push'] }),
  })
}
