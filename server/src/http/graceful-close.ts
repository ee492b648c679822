import { once } from 'node:events'
import { Server } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'

/** A stop has more time than this: the rest is for jobs and PostgreSQL. */
const ANSWER_WITHIN_MS = 15_000
/** A client may be about to use its open connection: until then its call is answered, and then the connection is cut. */
const IDLE_FOR_MS = 500

/** Once the program stops, each connection closes with its next answer, not under a client that may use it again. */
export function closeConnectionsOnStop(app: FastifyInstance, stopping: AbortSignal): void {
  app.addHook('onSend', async (_request, reply) => {
    if (stopping.aborted) reply.header('connection', 'close')
  })
}

/**
 * Closes the server after the answers in progress. It stops accepting connections first, so that new clients reach
 * another process, and cuts slow downloads and idle connections after their limits.
 */
export async function closeGracefully(
  app: FastifyInstance,
  { answerWithinMs = ANSWER_WITHIN_MS, idleForMs = IDLE_FOR_MS } = {},
): Promise<void> {
  const { server } = app
  // An answer that began before the stop leaves its connection open, which would delay the close by more than a minute.
  server.keepAliveTimeout = idleForMs
  const closed = once(server, 'close')
  await acceptPending()
  // The close() of an HTTP server would cut the connections that are idle at this moment.
  Server.prototype.close.call(server)
  const late = setTimeout(() => server.closeAllConnections(), answerWithinMs)
  const idle = setTimeout(() => server.closeIdleConnections(), idleForMs)
  await closed
  clearTimeout(late)
  clearTimeout(idle)
  await app.close()
}

/**
 * Accepts the connections that the kernel queued while this process was busy: the close would cut them. A turn of the
 * event loop that costs no time has found none.
 */
async function acceptPending(): Promise<void> {
  for (let turn = 0; turn < 100; turn += 1) {
    const beganAt = performance.now()
    await setImmediate()
    if (performance.now() - beganAt < 0.5) return
  }
}
