import {
  deletePushSubscription,
  getPush,
  pushSubscriptionSchema,
  savePushSubscription,
} from '#contract/push.ts'
import { callApi } from '#web/lib/api-client.ts'
import { onSignOut } from '#web/lib/sign-out-events.ts'
import {
  deletePushRegistration,
  loadPushRegistration,
  storePushRegistration,
} from './push-storage.ts'
import { deleteReceivedPush } from './received-push.ts'

const WORKER_TIMEOUT_MS = 10_000

/** Subscribes at the push service of this browser, and sends the endpoint to the server for the life of the session. */
export async function subscribe(publicKey: string, userId: string): Promise<void> {
  const registration = await findWorker()
  const subscription = await createSubscription(registration.pushManager, publicKey)
  try {
    const body = pushSubscriptionSchema.parse(subscription.toJSON())
    await callApi(savePushSubscription, { body })
    storePushRegistration({ userId, endpoint: body.endpoint })
  } catch (error) {
    // The server would never use a subscription that it does not know.
    await subscription.unsubscribe().catch(() => false)
    throw error
  }
}

export async function unsubscribe(): Promise<void> {
  await callApi(deletePushSubscription)
  await leavePushService()
}

async function leavePushService(): Promise<void> {
  deletePushRegistration()
  deleteReceivedPush()
  const registration = await navigator.serviceWorker.getRegistration()
  const subscription = await registration?.pushManager.getSubscription()
  await subscription?.unsubscribe()
}

/** Registers again what the server or the browser no longer knows, for the account that was registered here. */
async function renewSubscription(userId: string, onRenewed: () => void): Promise<void> {
  const registered = loadPushRegistration()
  if (registered?.userId !== userId || Notification.permission !== 'granted') return
  const { public_key, subscribed } = await callApi(getPush)
  if (public_key === null) return
  const { pushManager } = await findWorker()
  const subscription = await pushManager.getSubscription()
  if (subscribed && subscription?.endpoint === registered.endpoint) return
  await subscribe(public_key, userId)
  onRenewed()
}

async function createSubscription(
  pushManager: PushManager,
  publicKey: string,
): Promise<PushSubscription> {
  const options = { userVisibleOnly: true, applicationServerKey: publicKey }
  try {
    return await pushManager.subscribe(options)
  } catch (error) {
    // A subscription for another key, as of a former setup of the site, must end first.
    const former = await pushManager.getSubscription()
    if (!former) throw error
    await former.unsubscribe()
    return pushManager.subscribe(options)
  }
}

/** The worker is active some seconds after the first page; rejects where it is not. */
async function findWorker(): Promise<ServiceWorkerRegistration> {
  let timer: number | undefined
  const tooLate = new Promise<never>((_, reject) => {
    timer = window.setTimeout(() => reject(new Error('No service worker')), WORKER_TIMEOUT_MS)
  })
  return Promise.race([navigator.serviceWorker.ready, tooLate]).finally(() =>
    window.clearTimeout(timer),
  )
}

// The server deletes it with the session; the browser unsubscribes also without a network.
onSignOut((userId) => {
  if (loadPushRegistration()?.userId === userId) void leavePushService().catch(() => undefined)
})

/** Renews the subscription of this device through new sessions and new endpoints; returns the function that stops it. */
export function startPushRenewal(userId: string, onRenewed: () => void): () => void {
  // Absent on a page that did not come over https.
  if (!('serviceWorker' in navigator)) return () => undefined
  const { serviceWorker } = navigator
  const renew = () => void renewSubscription(userId, onRenewed).catch(() => undefined)
  const onMessage = ({ data }: MessageEvent) => {
    if (data === 'push-renewed') renew()
  }
  renew()
  serviceWorker.addEventListener('message', onMessage)
  return () => serviceWorker.removeEventListener('message', onMessage)
}
