import { ECDH } from 'node:crypto'

/**
 * Where the makers of browsers take in what is for them. Nothing is ever sent elsewhere: a subscription is typed by
 * whoever likes to, and would have this server call any address it can reach.
 */
const MAKERS = [
  // Chrome, and all that is made of it
  /^fcm\.googleapis\.com$/,
  // the same, before it is released
  /^jmt17\.google\.com$/,
  // Firefox
  /^([\w-]+\.)?push\.services\.mozilla\.com$/,
  // Safari
  /^([\w-]+\.)?push\.apple\.com$/,
  // Edge
  /^([\w-]+\.)+notify\.windows\.com$/,
]

/** Whether this is the address of a browser at a push service one knows: a maker’s, or one of these origins. */
export function isAtPushService(endpoint: string, others: readonly string[]): boolean {
  const url = URL.parse(endpoint)
  if (url === null || url.username !== '' || url.password !== '') return false
  if (others.includes(url.origin)) return true
  const isPlainHttps = url.protocol === 'https:' && url.port === ''
  return isPlainHttps && MAKERS.some((maker) => maker.test(url.hostname))
}

/** Whether this is a public key one can seal for: a point of the curve. */
export function isPublicKey(p256dh: string): boolean {
  try {
    ECDH.convertKey(p256dh, 'prime256v1', 'base64url', 'base64url', 'uncompressed')
    return true
  } catch {
    return false
  }
}
