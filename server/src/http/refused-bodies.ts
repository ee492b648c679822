import type { FastifyInstance } from 'fastify'

const LINGER_MS = 10_000

/**
 * An answer given in the middle of a body, as a refusal is, would be lost if the connection were cut under a client that
 * still sends. What it sends is thrown away for a while, then the connection goes, however slowly the rest would come.
 */
export function registerRefusedBodies(app: FastifyInstance, lingerMs = LINGER_MS): void {
  app.addHook('onResponse', async ({ raw }) => {
    if (raw.complete !== false || raw.destroyed) return
    raw.unpipe()
    raw.resume()
    const { socket } = raw
    const timer = setTimeout(() => {
      if (!raw.complete) socket.destroy()
    }, lingerMs)
    timer.unref()
    raw.once('end', () => clearTimeout(timer))
    socket.once('close', () => clearTimeout(timer))
  })
}
