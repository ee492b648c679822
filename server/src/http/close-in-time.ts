import { once } from 'node:events'
import { Server } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'

/** The rest of the time a stop may take is for jobs and PostgreSQL. */
const ANSWER_WITHIN_MS = 15_000
/** A client that has a connection open may be about to use it: until then its call is answered, and only then it is cut. */
const IDLE_FOR_MS = 500

/** Once the program stops, each connection is closed by its next answer, not under a client that may use it again. */
export function registerLastAnswers(app: FastifyInstance, stopping: AbortSignal): void {
  app.addHook('onSend', async (_request, reply) => {
    if (stopping.aborted) reply.header('connection', 'close')
  })
}

/**
 * Closes the server once it has answered what was asked: first the door, so that whoever comes goes to another process.
 * Cuts whoever takes too long: a slow download, a connection on which nothing is asked.
 */
export async function closeInTime(
  app: FastifyInstance,
  { answerWithinMs = ANSWER_WITHIN_MS, idleForMs = IDLE_FOR_MS } = {},
): Promise<void> {
  const { server } = app
  // An answer that began before the stop keeps its connection alive, which would hold the server for more than a minute.
  server.keepAliveTimeout = idleForMs
  const closed = once(server, 'close')
  await untilNobodyKnocks()
  // That of HTTP would cut the connections on which nothing is asked at this moment.
  Server.prototype.close.call(server)
  const late = setTimeout(() => server.closeAllConnections(), answerWithinMs)
  const idle = setTimeout(() => server.closeIdleConnections(), idleForMs)
  await closed
  clearTimeout(late)
  clearTimeout(idle)
  await app.close()
}

/**
 * Lets in the connections that the kernel took while this process was busy: with the door, they would be cut. A turn of the
 * event loop that takes no time has found none.
 */
async function untilNobodyKnocks(): Promise<void> {
  for (let turn = 0; turn < 100; turn += 1) {
    const beganAt = performance.now()
    await setImmediate()
    if (performance.now() - beganAt < 0.5) return
  }
}
