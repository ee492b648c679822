import type { FastifyInstance } from 'fastify'

const BODY_WITHIN_MS = 15_000

/** Files: a form, or a part of an upload. They have the server's own long limit. */
const FILES = ['multipart/', 'application/offset+octet-stream']

/** Cuts a client that trickles its JSON body. */
export function registerSlowClientGuard(app: FastifyInstance): void {
  app.addHook('onRequest', async (request) => {
    const { raw } = request
    const {
      'content-type': type = '',
      'content-length': length,
      'transfer-encoding': coding,
    } = raw.headers
    const hasBody = (length ?? coding) !== undefined
    if (!hasBody || raw.complete || FILES.some((file) => type.startsWith(file))) return
    // Complete by then means that the body came and the answer is what takes time.
    const timer = setTimeout(() => {
      if (!raw.complete) raw.destroy()
    }, BODY_WITHIN_MS)
    timer.unref()
    raw.once('end', () => clearTimeout(timer))
    raw.once('close', () => clearTimeout(timer))
  })
}
