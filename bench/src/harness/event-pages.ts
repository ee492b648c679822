import { connect, type Socket } from 'node:net'

/** Pages that are open and do nothing but receive events, in a process of their own. */
export interface PagesOrder {
  port: number
  /** One of them opens several pages. */
  tokens: string[]
  pages: number
  /** The query of the stream. */
  query: string
}
export interface PagesOpened {
  seconds: number
}
export interface EventReceived {
  pages: number
  /** From the order to the last page. */
  lastMs: number
  /** By the clock of the machine. */
  lastAt: number
}
type PagesRequest = { open: PagesOrder } | { awaitEvent: string } | { leave: true }
export type PagesResult = PagesOpened | EventReceived | { left: number } | { failure: string }

const AT_ONCE = 32
const READY = 'event: ready'
const BUFFER = Buffer.allocUnsafe(64 * 1024)

let sockets: Socket[] = []
/** Called with every piece that any page hears. */
let onEvent: (page: number, text: string) => void = () => {}

function openPage(order: PagesOrder, page: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const token = order.tokens[page % order.tokens.length]
    let isReady = false
    const socket = connect({
      host: '127.0.0.1',
      port: order.port,
      onread: {
        // Each read is parsed before the next, so one buffer suffices.
        buffer: BUFFER,
        callback(size) {
          const text = BUFFER.toString('latin1', 0, size)
          if (isReady) onEvent(page, text)
          else if (text.includes(READY)) {
            isReady = true
            resolve()
          } else if (/^HTTP\/1.1 (?!200)/.test(text)) reject(new Error(text))
          return true
        },
      },
    })
    socket.on('error', reject)
    socket.on('close', () => {
      sockets = sockets.filter((one) => one !== socket)
      reject(new Error('A page was cut off'))
    })
    socket.write(
      `GET /api/events?${order.query} HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer ${token}\r\n\r\n`,
    )
    sockets.push(socket)
  })
}

async function openAll(order: PagesOrder): Promise<PagesOpened> {
  const startedAt = performance.now()
  let next = 0
  async function openSome(): Promise<void> {
    while (next < order.pages) await openPage(order, next++)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, openSome))
  return { seconds: (performance.now() - startedAt) / 1000 }
}

/** Resolves once every open page has received an event with this text. */
function awaitEvent(words: string): Promise<EventReceived> {
  const pages = sockets.length
  const startedAt = performance.now()
  const reached = new Set<number>()
  return new Promise((resolve) => {
    onEvent = (page, text) => {
      if (!text.includes(words)) return
      reached.add(page)
      if (reached.size === pages) {
        resolve({ pages, lastMs: performance.now() - startedAt, lastAt: Date.now() })
      }
    }
  })
}

async function obey(request: PagesRequest): Promise<PagesResult> {
  if ('open' in request) return openAll(request.open)
  if ('awaitEvent' in request) return awaitEvent(request.awaitEvent)
  const left = sockets.length
  for (const socket of [...sockets]) socket.destroy()
  return { left }
}

process.on('disconnect', () => process.exit(0))
process.on('message', async (request: PagesRequest) => {
  const result = await obey(request).catch((error) => ({ failure: String(error) }))
  process.send?.(result)
})
