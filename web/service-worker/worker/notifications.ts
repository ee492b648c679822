import type { PushMessage } from '../../../contract/src/push.ts'

declare const self: ServiceWorkerGlobalScope

/** Browsers revoke the subscription of a site that receives a push and shows nothing. */
const FALLBACK: PushMessage = {
  title: 'Une révélation est ouverte',
  body: 'Le moment choisi est venu.',
  path: '/',
  tag: 'devoilee',
}

/** The `tag` makes a message that comes twice one notification. */
export async function showMessage(data: PushMessageData | null): Promise<void> {
  const { title, body, path, tag } = readMessage(data)
  await self.registration.showNotification(title, {
    body,
    tag,
    lang: 'fr',
    icon: '/icons/icon-192.png',
    badge: '/icons/badge-96.png',
    data: { path },
  })
}

function readMessage(data: PushMessageData | null): PushMessage {
  try {
    return { ...FALLBACK, ...data?.json() }
  } catch {
    return FALLBACK
  }
}

/** Focuses the tab that shows the page already, or opens a new one: no other tab leaves its page. */
export async function openNotification(notification: Notification): Promise<void> {
  notification.close()
  const page = new URL(notification.data?.path ?? '/', self.location.origin)
  const { origin, pathname } = page.origin === self.location.origin ? page : self.location
  const tabs = await self.clients.matchAll({ type: 'window', includeUncontrolled: true })
  const existing = tabs.find(({ url }) => new URL(url).pathname === pathname)
  if (existing) await existing.focus()
  else await self.clients.openWindow(origin + pathname)
}

interface SubscriptionChange extends ExtendableEvent {
  oldSubscription?: PushSubscription | null
  newSubscription?: PushSubscription | null
}

/** Replaces a subscription that ended; a page sends it to the server, because only pages have a session. */
export async function renewSubscription(event: Event): Promise<void> {
  const { oldSubscription, newSubscription } = event as SubscriptionChange
  if (!newSubscription && oldSubscription)
    await self.registration.pushManager.subscribe(oldSubscription.options)
  for (const tab of await self.clients.matchAll({ type: 'window' })) tab.postMessage('push-renewed')
}
