import { randomUUID } from 'node:crypto'
import { connect } from 'node:net'

/** Requests over connections that stay open, each sent once the one before it is answered. */
export interface LoadOrder {
  port: number
  connections: number
  seconds: number
  /** Sent in turn; `{n}` in a path, and `{n}` and `{uuid}` in a body, are new each time. */
  requests: { method: string; path: string; headers: Record<string, string>; body?: string }[]
  status: number
}

export interface Load {
  answers: number
  perSecond: number
  p50Ms: number
  p99Ms: number
  bytes: number
}
export type LoadResult = Load | { failure: string }

const READ_BYTES = 256 * 1024
const HEAD_END = '\r\n\r\n'

let number = Date.now()
let turn = 0

function nextRequest({ port, requests }: LoadOrder): string {
  const request = requests[turn++ % requests.length]
  if (!request) throw new Error('No request')
  const path = request.path.replace('{n}', () => String(number++))
  const body = request.body?.replace('{n}', String(number++)).replace('{uuid}', randomUUID()) ?? ''
  const headers = Object.entries({
    ...request.headers,
    ...(body ? { 'content-length': Buffer.byteLength(body) } : {}),
  }).map(([name, value]) => `${name}: ${value}\r\n`)
  return `${request.method} ${path} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\n${headers.join('')}\r\n${body}`
}

/** On a bare socket, into one buffer: on a small machine an expensive client would be measured instead. */
function drive(order: LoadOrder, endsAt: number, latencies: number[]): Promise<number> {
  return new Promise((resolve, reject) => {
    let sentAt = 0
    let missing = -1
    let head = ''
    let bytes = 0
    const buffer = Buffer.allocUnsafe(READ_BYTES)
    const socket = connect({
      host: '127.0.0.1',
      port: order.port,
      noDelay: true,
      onread: {
        buffer,
        callback(size) {
          receive(size)
          return true
        },
      },
    })
    socket.on('error', reject)
    socket.on('connect', send)

    function send(): void {
      head = ''
      missing = -1
      sentAt = performance.now()
      socket.write(nextRequest(order), 'utf8')
    }

    function receive(size: number): void {
      bytes += size
      if (missing >= 0) missing -= size
      else {
        const end = buffer.subarray(0, size).indexOf(HEAD_END)
        head += buffer.toString('latin1', 0, end < 0 ? size : end)
        if (end < 0) return
        const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1]
        if (head.slice(9, 12) !== String(order.status) || length === undefined) {
          const answer = buffer.toString('utf8', 0, Math.min(size, 2_000))
          socket.destroy()
          reject(new Error(`Not the answer that was expected: ${answer}`))
          return
        }
        missing = Number(length) - (size - end - HEAD_END.length)
      }
      if (missing > 0) return
      const now = performance.now()
      latencies.push(now - sentAt)
      if (now < endsAt) send()
      else {
        socket.destroy()
        resolve(bytes)
      }
    }
  })
}

async function obey(order: LoadOrder): Promise<Load> {
  const latencies: number[] = []
  const startedAt = performance.now()
  const endsAt = startedAt + order.seconds * 1000
  const connections = Array.from({ length: order.connections }, () =>
    drive(order, endsAt, latencies),
  )
  const bytes = await Promise.all(connections)
  const seconds = (performance.now() - startedAt) / 1000
  latencies.sort((one, other) => one - other)
  const at = (share: number) =>
    latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * share))] ?? Number.NaN
  return {
    answers: latencies.length,
    perSecond: latencies.length / seconds,
    p50Ms: at(0.5),
    p99Ms: at(0.99),
    bytes: Math.round(bytes.reduce((sum, size) => sum + size, 0) / latencies.length),
  }
}

process.on('disconnect', () => process.exit(0))
process.on('message', async (order: LoadOrder) => {
  const result: LoadResult = await obey(order).catch((error) => ({ failure: String(error) }))
  process.send?.(result)
})
