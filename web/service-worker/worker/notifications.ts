import type { PushMessage } from '../../../contract/src/push.ts'

declare const self: ServiceWorkerGlobalScope

/** A browser takes its leave of sites that are written to and show nothing. */
const UNREADABLE: PushMessage = {
  title: 'Une révélation est ouverte',
  body: 'Le moment choisi est venu.',
  path: '/',
  tag: 'devoilee',
}

/** Shows what the server says, as it says it; one that comes twice stays one. */
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
    return { ...UNREADABLE, ...data?.json() }
  } catch {
    return UNREADABLE
  }
}

/** The tab that shows it already, or a new one: what somebody writes in another stays where it is. */
export async function openNotification(notification: Notification): Promise<void> {
  notification.close()
  const page = new URL(notification.data?.path ?? '/', self.location.origin)
  const { origin, pathname } = page.origin === self.location.origin ? page : self.location
  const tabs = await self.clients.matchAll({ type: 'window', includeUncontrolled: true })
  const there = tabs.find(({ url }) => new URL(url).pathname === pathname)
  if (there) await there.focus()
  else await self.clients.openWindow(origin + pathname)
}

interface SubscriptionChange extends ExtendableEvent {
  oldSubscription?: PushSubscription | null
  newSubscription?: PushSubscription | null
}

/** Asks for a new address in the place of one that ended; a page tells it to the server, for only pages are signed in. */
export async function renewSubscription(event: Event): Promise<void> {
  const { oldSubscription, newSubscription } = event as SubscriptionChange
  if (!newSubscription && oldSubscription)
    await self.registration.pushManager.subscribe(oldSubscription.options)
  for (const tab of await self.clients.matchAll({ type: 'window' })) tab.postMessage('push-renewed')
}
