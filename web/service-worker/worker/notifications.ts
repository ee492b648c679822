import type { PushMessage } from '../../../contract/src/push.ts'

declare const self: ServiceWorkerGlobalScope

/** Browsers revoke the subscription of a site that receives a push and shows nothing. */
const FALLBACK: PushMessage['notification'] = {
  title: 'Du nouveau sur Révélations',
  body: 'Quelque chose vous attend.',
  lang: 'fr',
  navigate: '/notifications',
  tag: 'nouveau',
  silent: false,
}

/** What a browser that reads such messages by itself shows without this worker. The icon counts what waits, where it can. */
export async function showMessage(data: PushMessageData | null): Promise<void> {
  const { notification, app_badge: waiting } = readMessage(data)
  const { title, body, lang, navigate, tag, silent } = { ...FALLBACK, ...notification }
  if (waiting !== undefined) showBadge(waiting)
  await self.registration.showNotification(title, {
    body,
    lang,
    // It makes a message that comes twice one notification.
    tag,
    silent,
    icon: '/icons/icon-192.png',
    badge: '/icons/badge-96.png',
    data: { navigate },
  })
}

function readMessage(data: PushMessageData | null): Partial<PushMessage> {
  try {
    return data?.json() ?? {}
  } catch {
    return {}
  }
}

/** Nobody waits for it: a browser without an icon may never answer, and the message is what matters. */
function showBadge(waiting: number): void {
  self.navigator.setAppBadge?.(waiting).catch(() => undefined)
}

/** Focuses the tab that shows the page already, or opens a new one: no other tab leaves its page. */
export async function openNotification(notification: Notification): Promise<void> {
  notification.close()
  const { origin } = self.location
  // The same page where one came in by another name of this server.
  const { pathname, search, hash } = new URL(notification.data?.navigate ?? '/', origin)
  const tabs = await self.clients.matchAll({ type: 'window', includeUncontrolled: true })
  const existing = tabs.find(({ url }) => new URL(url).pathname === pathname)
  if (existing) await existing.focus()
  else await self.clients.openWindow(origin + pathname + search + hash)
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
