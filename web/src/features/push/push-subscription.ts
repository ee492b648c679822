import {
  deletePushSubscription,
  getPush,
  pushSubscriptionSchema,
  savePushSubscription,
} from '#contract/push.ts'
import { callApi } from '#web/lib/api-client.ts'
import { onLeave } from '#web/lib/leaving.ts'
import { forgetToldBrowser, readToldBrowser, saveToldBrowser } from './told-browser.ts'

const WORKER_TIMEOUT_MS = 10_000

/** Asks the push service of this browser for an address, and tells it to the server for as long as the session lives. */
export async function subscribe(publicKey: string, userId: string): Promise<void> {
  const registration = await findWorker()
  const subscription = await obtainSubscription(registration.pushManager, publicKey)
  try {
    const body = pushSubscriptionSchema.parse(subscription.toJSON())
    await callApi(savePushSubscription, { body })
    saveToldBrowser({ userId, endpoint: body.endpoint })
  } catch (error) {
    // What the server does not know of would never be written to.
    await subscription.unsubscribe().catch(() => false)
    throw error
  }
}

export async function unsubscribe(): Promise<void> {
  await callApi(deletePushSubscription)
  await leavePushService()
}

async function leavePushService(): Promise<void> {
  forgetToldBrowser()
  const registration = await navigator.serviceWorker.getRegistration()
  const subscription = await registration?.pushManager.getSubscription()
  await subscription?.unsubscribe()
}

/** Makes browser and server agree again, after a new sign-in or a new address of this browser, for whoever was told here. */
export async function renewSubscription(userId: string): Promise<void> {
  const told = readToldBrowser()
  if (told?.userId !== userId || Notification.permission !== 'granted') return
  const { public_key, subscribed } = await callApi(getPush)
  if (public_key === null) return
  const { pushManager } = await findWorker()
  const subscription = await pushManager.getSubscription()
  if (subscribed && subscription?.endpoint === told.endpoint) return
  await subscribe(public_key, userId)
}

async function obtainSubscription(
  pushManager: PushManager,
  publicKey: string,
): Promise<PushSubscription> {
  const options = { userVisibleOnly: true, applicationServerKey: publicKey }
  try {
    return await pushManager.subscribe(options)
  } catch (error) {
    // One made for another key, as after the site was set up anew, has to go first.
    const former = await pushManager.getSubscription()
    if (!former) throw error
    await former.unsubscribe()
    return pushManager.subscribe(options)
  }
}

/** The worker takes its place some seconds after the first page; where it cannot, this fails. */
async function findWorker(): Promise<ServiceWorkerRegistration> {
  let timer: number | undefined
  const tooLate = new Promise<never>((_, reject) => {
    timer = window.setTimeout(() => reject(new Error('No service worker')), WORKER_TIMEOUT_MS)
  })
  return Promise.race([navigator.serviceWorker.ready, tooLate]).finally(() =>
    window.clearTimeout(timer),
  )
}

// The session takes it along on the server; without a network, the browser forgets its address all the same.
onLeave((userId) => {
  if (readToldBrowser()?.userId === userId) void leavePushService().catch(() => undefined)
})
