import { type BrowserContext, expect, type Page, type Worker } from '@playwright/test'
import { aBrowser, type Browser } from '#testing/push-service.ts'
import type { PushSubscriptionInput } from '../contract/src/push.ts'
import { test } from './journey.ts'
import { origin, sealThrough, signIn } from './people.ts'

// What arrives is shown by the worker.
test.use({ serviceWorkers: 'allow' })

test('a device is notified at the instant, in words that it alone can decrypt, and leads to the page', async ({
  page,
  context,
}) => {
  const author = await signIn(page)
  const device = aBrowser(process.env.E2E_PUSH_SERVICE ?? '')
  await page.addInitScript(allowNotifications, device.subscription)
  await page.goto(`${origin()}/profile?onglet=parametres`)
  const turn = page.getByRole('switch', { name: 'Me prévenir ici' })
  // The service worker stores the site first.
  await page.evaluate(async () => void (await navigator.serviceWorker.ready))
  await turn.click()
  await expect(turn).toBeEnabled()
  await expect(turn).toBeChecked()

  const title = 'Un titre que personne ne lit sur un écran verrouillé'
  const reveal_date = new Date(Date.now() + 4_000).toISOString()
  const { id } = await sealThrough(author, { title, reveal_date })
  await expect.poll(() => countHanded(device)).toBe(1)
  const [message] = await openHanded(device)
  const worker = await findWorker(context)
  await worker.evaluate(watchNotifications)
  await deliver(page, JSON.stringify(message))
  await expect.poll(() => worker.evaluate(readShown)).toHaveLength(1)
  await expect(page.getByText(/^Dernière notification reçue le /)).toBeVisible()
  expect(await worker.evaluate(readShown)).toEqual([
    {
      title: 'Votre révélation est ouverte',
      body: 'Le moment choisi est venu.',
      icon: '/icons/icon-192.png',
    },
  ])

  expect(await worker.evaluate(readBadge)).toBe(1)
  const address = `${origin()}/revelation/${id}`
  expect(await worker.evaluate(tapLast)).toEqual({ opened: [address], focused: [] })
  await page.goto(address)
  await expect(page.getByText('Des mots que personne ne lit encore.')).toBeVisible()
  expect(await worker.evaluate(tapLast)).toEqual({ opened: [], focused: [address] })
  // What cannot be read is shown too: a browser has no patience with silence.
  await deliver(page, 'illisible')
  await expect.poll(() => worker.evaluate(readShown)).toHaveLength(2)
})

/** Chromium without a screen has no notifications, and no push service here: the answers of one that has. */
function allowNotifications(subscription: PushSubscriptionInput): void {
  const allowed = {
    permission: 'default',
    requestPermission: async () => {
      allowed.permission = 'granted'
      return allowed.permission
    },
  }
  let current: unknown = null
  Object.assign(window, { Notification: allowed })
  Object.assign(PushManager.prototype, {
    getSubscription: async () => current,
    subscribe: async () => {
      current = { ...subscription, toJSON: () => subscription, unsubscribe: async () => true }
      return current
    },
  })
}

async function handed({ subscription }: Browser): Promise<string[]> {
  return (await fetch(subscription.endpoint)).json()
}

async function countHanded(device: Browser): Promise<number> {
  return (await handed(device)).length
}

async function openHanded(device: Browser) {
  const path = new URL(device.subscription.endpoint).pathname
  const bodies = await handed(device)
  return device.messages(
    bodies.map((body) => ({ path, headers: {}, body: Buffer.from(body, 'base64') })),
  )
}

async function findWorker(context: BrowserContext): Promise<Worker> {
  return context.serviceWorkers()[0] ?? context.waitForEvent('serviceworker')
}

/** As the browser does with what its push service hands it. */
async function deliver(page: Page, data: string): Promise<void> {
  const session = await page.context().newCDPSession(page)
  const registered = new Promise<string>((resolve) => {
    session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const own = registrations.find(({ scopeURL }) => scopeURL.startsWith(origin()))
      if (own) resolve(own.registrationId)
    })
  })
  await session.send('ServiceWorker.enable')
  const registrationId = await registered
  await session.send('ServiceWorker.deliverPushMessage', {
    origin: origin(),
    registrationId,
    data,
  })
  await session.detach()
}

interface Shown {
  title: string
  body: string
  icon: string
}

/** What these functions find where they run: inside the worker. */
interface Watched {
  shown: (Shown & { data: unknown })[]
  opened: string[]
  focused: string[]
  badge: number | undefined
}

function watchNotifications(): void {
  // biome-ignore lint/suspicious/noExplicitAny: the global scope of a worker, which this project has no types of
  const scope = self as any
  const watched: Watched = { shown: [], opened: [], focused: [], badge: undefined }
  scope.watched = watched
  scope.registration.showNotification = async (title: string, options: Omit<Shown, 'title'>) => {
    watched.shown.push({ title, data: null, ...options })
  }
  // Chromium without a screen ends a worker that asks for one.
  scope.navigator.setAppBadge = async (count: number) => {
    watched.badge = count
  }
  // A tap of nobody may open no window.
  scope.clients.openWindow = async (url: string) => void watched.opened.push(url)
  scope.WindowClient.prototype.focus = async function (this: { url: string }) {
    watched.focused.push(this.url)
  }
}

function readBadge(): number | undefined {
  return (self as unknown as { watched: Watched }).watched.badge
}

function readShown(): Shown[] {
  const { watched } = self as unknown as { watched: Watched }
  return watched.shown.map(({ title, body, icon }) => ({ title, body, icon }))
}

async function tapLast(): Promise<Pick<Watched, 'opened' | 'focused'>> {
  const { watched } = self as unknown as { watched: Watched }
  Object.assign(watched, { opened: [], focused: [] })
  const waiting: Promise<unknown>[] = []
  const event = Object.assign(new Event('notificationclick'), {
    notification: { data: watched.shown.at(-1)?.data, close: () => undefined },
    waitUntil: (work: Promise<unknown>) => waiting.push(work),
  })
  self.dispatchEvent(event)
  await Promise.all(waiting)
  return { opened: watched.opened, focused: watched.focused }
}
