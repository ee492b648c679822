import type { FastifyReply, FastifyRequest } from 'fastify'

const LINGER_MS = 10_000

/**
 * A refusal given in the middle of a body is lost when the connection is cut under a client that still sends.
 * What it sends is thrown away for a while, then the connection goes.
 */
export function drainOnRefusal(request: FastifyRequest, reply: FastifyReply): void {
  reply.raw.once('finish', () => {
    const { raw } = request
    if (raw.readableEnded || raw.destroyed) return
    raw.unpipe()
    raw.resume()
    const timer = setTimeout(() => raw.destroy(), LINGER_MS)
    timer.unref()
    raw.once('close', () => clearTimeout(timer))
  })
}
