import {
  createDecipheriv,
  createECDH,
  createPublicKey,
  hkdfSync,
  randomBytes,
  randomUUID,
  verify,
} from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { PushMessage, PushSubscriptionInput } from '#contract/push.ts'

/** One request of the program under test. */
export interface ReceivedPush {
  path: string
  headers: Record<string, string>
  body: Buffer
}

export interface PushService {
  origin: string
  received: ReceivedPush[]
  /** The status of its next answers; 201 at first. */
  status: number
  close(): Promise<void>
}

/** A push service on this machine, in the place of the browsers’ own. */
export async function startPushService(): Promise<PushService> {
  const server = createServer(async (request, response) => {
    // A GET reads the bodies received at its address.
    if (request.method === 'GET') {
      const bodies = service.received.filter(({ path }) => path === request.url)
      response.end(JSON.stringify(bodies.map(({ body }) => body.toString('base64'))))
      return
    }
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part)
    const headers = request.headers as Record<string, string>
    service.received.push({ path: request.url ?? '', headers, body: Buffer.concat(parts) })
    response.writeHead(service.status, { location: '/ailleurs' }).end('entendu')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const service: PushService = {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received: [],
    status: 201,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
  return service
}

export interface Browser {
  subscription: PushSubscriptionInput
  /** The messages for this browser, decrypted with its own keys. */
  messages(received: readonly ReceivedPush[]): PushMessage[]
}

/** A browser with keys of its own, subscribed at a push service. */
export function aBrowser(origin: string): Browser {
  const pair = createECDH('prime256v1')
  const publicKey = pair.generateKeys()
  const auth = randomBytes(16)
  const path = `/push/${randomUUID()}`
  return {
    subscription: {
      endpoint: `${origin}${path}`,
      keys: { p256dh: publicKey.toString('base64url'), auth: auth.toString('base64url') },
    },
    messages: (received) =>
      received
        .filter((one) => one.path === path)
        .map(({ body }) => {
          const senderKey = body.subarray(21, 86)
          const shared = pair.computeSecret(senderKey)
          return JSON.parse(openRecord(body, { shared, auth, publicKey, senderKey }).toString())
        }),
  }
}

interface Secrets {
  shared: Buffer
  auth: Buffer
  publicKey: Buffer
  senderKey: Buffer
}

/** RFC 8291 and the one record of RFC 8188: salt ‖ record size ‖ key length ‖ key ‖ ciphertext. */
function openRecord(body: Buffer, { shared, auth, publicKey, senderKey }: Secrets): Buffer {
  const keyInfo = Buffer.concat([Buffer.from('WebPush: info\0'), publicKey, senderKey])
  const secret = Buffer.from(hkdfSync('sha256', shared, auth, keyInfo, 32))
  const salt = body.subarray(0, 16)
  const derive = (what: string, size: number) =>
    Buffer.from(hkdfSync('sha256', secret, salt, `Content-Encoding: ${what}\0`, size))
  const decipher = createDecipheriv('aes-128-gcm', derive('aes128gcm', 16), derive('nonce', 12))
  const sealed = body.subarray(86)
  decipher.setAuthTag(sealed.subarray(-16))
  const padded = Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()])
  return padded.subarray(0, padded.lastIndexOf(2))
}

/** The claims of the sender (RFC 8292), if the key that browsers subscribed with signed them. */
export function vapidClaims({ headers }: ReceivedPush, publicKey: string) {
  const [, token = '', key] = /^vapid t=([^,]+), ?k=(.+)$/.exec(headers.authorization ?? '') ?? []
  const [header = '', claims = '', signature = ''] = token.split('.')
  const point = Buffer.from(publicKey, 'base64url')
  const coordinate = (from: number) => point.subarray(from, from + 32).toString('base64url')
  const jwk = { kty: 'EC', crv: 'P-256', x: coordinate(1), y: coordinate(33) }
  const isSigned = verify(
    'sha256',
    Buffer.from(`${header}.${claims}`),
    { key: createPublicKey({ key: jwk, format: 'jwk' }), dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  )
  return isSigned && key === publicKey
    ? JSON.parse(Buffer.from(claims, 'base64url').toString())
    : undefined
}
