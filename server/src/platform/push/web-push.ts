import { createECDH, ECDH } from 'node:crypto'
import webPush from 'web-push'

/** A browser that subscribed. Its address and `auth` are secrets: no log contains them. */
export interface PushTarget {
  endpoint: string
  keys: { p256dh: string; auth: string }
}

interface Push {
  message: string
  /** How long the push service stores it for a browser that is offline. */
  ttlSeconds: number
  /** Of two stored messages for a browser, the later one replaces the earlier; at most 32 letters. */
  topic: string
}

interface Sender {
  keys: VapidKeys
  /** The operator's contact for push services: a `mailto:` or an https address. */
  subject: string
  stopping: AbortSignal
}

/** `gone`: the subscription no longer exists. `refused`: this message will never be accepted. */
export type PushOutcome =
  | { state: 'accepted' }
  | { state: 'gone' }
  | { state: 'refused' | 'later'; reason: string }

const TIMEOUT_MS = 10_000

/** Encrypts a message for one browser (RFC 8291) and sends it to its push service. Follows no redirect. */
export async function sendPush(
  target: PushTarget,
  { message, ttlSeconds, topic }: Push,
  { keys, subject, stopping }: Sender,
): Promise<PushOutcome> {
  const { endpoint, body, headers } = webPush.generateRequestDetails(target, message, {
    TTL: ttlSeconds,
    urgency: 'high',
    topic,
    vapidDetails: { subject, ...keys },
  })
  try {
    const answer = await fetch(endpoint, {
      method: 'POST',
      // fetch sets the length itself.
      headers: Object.entries(headers)
        .filter(([name]) => name !== 'Content-Length')
        .map(([name, value]): [string, string] => [name, String(value)]),
      body: new Uint8Array(body),
      redirect: 'manual',
      signal: AbortSignal.any([stopping, AbortSignal.timeout(TIMEOUT_MS)]),
    })
    await answer.body?.cancel()
    return parseOutcome(answer.status)
  } catch (error) {
    const { name, cause } = error as Error & { cause?: { code?: string } }
    return { state: 'later', reason: cause?.code ?? name }
  }
}

function parseOutcome(status: number): PushOutcome {
  if (status >= 200 && status < 300) return { state: 'accepted' }
  if (status === 404 || status === 410) return { state: 'gone' }
  const isPassing = status >= 500 || status === 429 || status === 408
  return { state: isPassing ? 'later' : 'refused', reason: `status ${status}` }
}

/** Identify this installation to push services (RFC 8292): a point and a scalar of P-256, base64url. */
export interface VapidKeys {
  publicKey: string
  privateKey: string
}

interface Secrets {
  secretFor(purpose: string): Buffer
}

const cache = new WeakMap<Secrets, VapidKeys>()

/** Derived from the master key, so that all machines, and a restored installation, have the same keys. */
export function getVapidKeys(keyring: Secrets): VapidKeys {
  const keys = cache.get(keyring) ?? deriveKeys(keyring)
  cache.set(keyring, keys)
  return keys
}

function deriveKeys(keyring: Secrets): VapidKeys {
  for (let attempt = 1; ; attempt += 1) {
    const scalar = keyring.secretFor(`web-push/vapid/${attempt}`)
    const pair = createECDH('prime256v1')
    try {
      pair.setPrivateKey(scalar)
    } catch {
      // One secret in four thousand million is no scalar of the curve: the next secret is used.
      continue
    }
    return {
      publicKey: pair.getPublicKey('base64url'),
      privateKey: scalar.toString('base64url'),
    }
  }
}

/**
 * The push services of the makers of browsers. Nothing is sent elsewhere: anybody can invent a subscription, which would
 * let this server call any address it can reach.
 */
const PUSH_HOSTS = [
  // Chrome, and browsers based on it
  /^fcm\.googleapis\.com$/,
  // Chrome's preview versions
  /^jmt17\.google\.com$/,
  // Firefox
  /^([\w-]+\.)?push\.services\.mozilla\.com$/,
  // Safari
  /^([\w-]+\.)?push\.apple\.com$/,
  // Edge
  /^([\w-]+\.)+notify\.windows\.com$/,
]

/** Whether this is an address at a known push service: a maker's, or one of the origins in `others`. */
export function isPushServiceUrl(endpoint: string, others: readonly string[]): boolean {
  const url = URL.parse(endpoint)
  if (url === null || url.username !== '' || url.password !== '') return false
  if (others.includes(url.origin)) return true
  const isPlainHttps = url.protocol === 'https:' && url.port === ''
  return isPlainHttps && PUSH_HOSTS.some((maker) => maker.test(url.hostname))
}

/** Whether a message can be encrypted for this public key: a point of the curve. */
export function isPublicKey(p256dh: string): boolean {
  try {
    ECDH.convertKey(p256dh, 'prime256v1', 'base64url', 'base64url', 'uncompressed')
    return true
  } catch {
    return false
  }
}
