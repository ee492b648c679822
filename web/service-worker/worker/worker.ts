import {
  answerAsset,
  answerPage,
  dropOtherBuilds,
  isAsset,
  isPage,
  keepShell,
} from './kept-files.ts'
import { openNotification, renewSubscription, showMessage } from './notifications.ts'
import { isShare, receiveShare } from './shares.ts'

declare const self: ServiceWorkerGlobalScope

self.addEventListener('install', (event) => {
  event.waitUntil(keepShell())
})

self.addEventListener('activate', (event) => {
  event.waitUntil(
    Promise.all([
      dropOtherBuilds(),
      // Pages are asked for while the worker starts, so that it delays none.
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
  if (isAsset(url)) event.respondWith(answerAsset(request))
  else if (request.mode === 'navigate' && isPage(url)) event.respondWith(answerPage(event))
})

self.addEventListener('push', (event) => event.waitUntil(showMessage(event.data)))
self.addEventListener('notificationclick', (event) =>
  event.waitUntil(openNotification(event.notification)),
)
self.addEventListener('pushsubscriptionchange', (event) =>
  (event as ExtendableEvent).waitUntil(renewSubscription(event)),
)

// A new version waits until its person wants it: see `app/installed/new-version.ts`.
self.addEventListener('message', (event) => {
  if (event.data === 'take-over') void self.skipWaiting()
})
