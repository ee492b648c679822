import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AtEnd } from './clean-up.ts'

/** Answers requests of this machine until the end of the run; the answer is the origin. */
export async function listenLocally(handler: RequestListener, atEnd: AtEnd): Promise<string> {
  const server = createServer(handler).listen(0, '127.0.0.1')
  await once(server, 'listening')
  atEnd(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  if (!address || typeof address === 'string') throw new Error('No port')
  return `http://127.0.0.1:${address.port}`
}
