import { vi } from 'vitest'

const ENDPOINT = 'https://updates.push.services.mozilla.com/wpush/v2/cet-appareil'
const KEYS = { p256dh: 'B'.repeat(87), auth: 'a'.repeat(22) }

export interface PushBrowser {
  endpoint: string
  /** What its person answers when asked. */
  answer: NotificationPermission
  /** What a page finds in its place. */
  allow(permission: NotificationPermission): void
  /** With which keys it asked its push service for an address. */
  subscribedWith: string[]
  isSubscribed(): boolean
  /** Its push service gives no address. */
  isCutOff: boolean
}

/** A browser that can be told by notifications, in the place of jsdom, which cannot. */
export function standInForPush(permission: NotificationPermission): PushBrowser {
  let subscription: object | null = null
  const status = new EventTarget()
  const notification = {
    permission,
    requestPermission: async () => {
      browser.allow(browser.answer)
      return browser.answer
    },
  }
  const browser: PushBrowser = {
    endpoint: ENDPOINT,
    answer: 'granted',
    allow(now) {
      notification.permission = now
      status.dispatchEvent(new Event('change'))
    },
    subscribedWith: [],
    isSubscribed: () => subscription !== null,
    isCutOff: false,
  }
  const pushManager = {
    getSubscription: async () => subscription,
    subscribe: async ({ applicationServerKey }: { applicationServerKey: string }) => {
      if (browser.isCutOff) throw new DOMException('Registration failed', 'AbortError')
      browser.subscribedWith.push(applicationServerKey)
      subscription = {
        endpoint: browser.endpoint,
        toJSON: () => ({ endpoint: browser.endpoint, expirationTime: null, keys: KEYS }),
        unsubscribe: async () => {
          subscription = null
          return true
        },
      }
      return subscription
    },
  }
  const registration = { pushManager }
  const worker = Object.assign(new EventTarget(), {
    ready: Promise.resolve(registration),
    getRegistration: async () => registration,
  })
  vi.stubGlobal('Notification', notification)
  vi.stubGlobal('PushManager', class {})
  Object.defineProperty(navigator, 'serviceWorker', { value: worker, configurable: true })
  const permissions = { query: async () => status }
  Object.defineProperty(navigator, 'permissions', { value: permissions, configurable: true })
  return browser
}

/** jsdom as it was. */
export function removePush(): void {
  vi.unstubAllGlobals()
  Reflect.deleteProperty(navigator, 'serviceWorker')
  Reflect.deleteProperty(navigator, 'permissions')
}
