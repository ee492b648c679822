import { renewSubscription } from './push-subscription.ts'

/** For whoever is told on this device: goes on through new sessions and new addresses of the browser. */
export function keepPush(userId: string): () => void {
  // Gone since, as where the address is no safe one any more.
  if (!('serviceWorker' in navigator)) return () => undefined
  const { serviceWorker } = navigator
  const renew = () => void renewSubscription(userId).catch(() => undefined)
  const onMessage = ({ data }: MessageEvent) => {
    if (data === 'push-renewed') renew()
  }
  renew()
  serviceWorker.addEventListener('message', onMessage)
  return () => serviceWorker.removeEventListener('message', onMessage)
}
