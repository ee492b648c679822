import { storeReceivedPush } from '../../src/features/push/received-push.ts'
import {
  cacheShell,
  deleteOtherBuilds,
  fetchAsset,
  fetchPage,
  isAsset,
  isPage,
} from './build-cache.ts'
import { openNotification, renewSubscription, showMessage } from './notifications.ts'
import { isShare, receiveShare } from './shares.ts'

declare const self: ServiceWorkerGlobalScope

self.addEventListener('install', (event) => {
  event.waitUntil(cacheShell())
})

self.addEventListener('activate', (event) => {
  event.waitUntil(
    Promise.all([
      deleteOtherBuilds(),
      // The request of a page starts with the worker, so that the worker delays none.
      self.registration.navigationPreload?.enable(),
      self.clients.claim(),
    ]),
  )
})

self.addEventListener('fetch', (event) => {
  const { request } = event
  const url = new URL(request.url)
  if (url.origin !== self.location.origin) return
  if (isShare(request, url)) event.respondWith(receiveShare(request))
  if (request.method !== 'GET') return
  if (isAsset(url)) event.respondWith(fetchAsset(request))
  else if (request.mode === 'navigate' && isPage(url)) event.respondWith(fetchPage(event))
})

self.addEventListener('push', (event) =>
  event.waitUntil(Promise.all([showMessage(event.data), storeReceivedPush()])),
)
self.addEventListener('notificationclick', (event) =>
  event.waitUntil(openNotification(event.notification)),
)
self.addEventListener('pushsubscriptionchange', (event) =>
  (event as ExtendableEvent).waitUntil(renewSubscription(event)),
)

// A new version waits until the person accepts it: see `app/installed/new-version.ts`.
self.addEventListener('message', (event) => {
  if (event.data === 'take-over') void self.skipWaiting()
})
