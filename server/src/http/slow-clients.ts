import type { FastifyInstance } from 'fastify'

const BODY_WITHIN_MS = 15_000

/** Cuts a client that trickles its JSON body; uploads have the server's own long limit. */
export function registerSlowClientGuard(app: FastifyInstance): void {
  app.addHook('onRequest', async (request) => {
    const { raw } = request
    if (raw.complete || raw.headers['content-type']?.startsWith('multipart/')) return
    // Complete by then means that the body came and the answer is what takes time.
    const timer = setTimeout(() => {
      if (!raw.complete) raw.destroy()
    }, BODY_WITHIN_MS)
    timer.unref()
    raw.once('end', () => clearTimeout(timer))
    raw.once('close', () => clearTimeout(timer))
  })
}
