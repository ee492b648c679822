import type { IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'

/** Parses JSON bodies. An empty one is no body: many clients announce JSON on every call, with or without a body. */
export function registerJsonBodies(app: FastifyInstance): void {
  const parseJson = app.getDefaultJsonParser('error', 'error')
  app.removeContentTypeParser('application/json')
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '') done(null, undefined)
    else parseJson(request, body as string, done)
  })
}

const BODY_WITHIN_MS = 15_000

/** Types of uploads: a form, or a part of a resumable upload. The server's own long limit applies to them. */
const FILES = ['multipart/', 'application/offset+octet-stream']

/** Cuts a client that sends its JSON body too slowly. */
export function registerBodyTimeout(app: FastifyInstance): void {
  app.addHook('onRequest', async (request) => {
    const { raw } = request
    const { 'content-type': type = '' } = raw.headers
    if (!hasBody(raw) || raw.complete || FILES.some((file) => type.startsWith(file))) return
    // A complete request has sent its body: only its answer is slow.
    const timer = setTimeout(() => {
      if (!raw.complete) raw.destroy()
    }, BODY_WITHIN_MS)
    timer.unref()
    raw.once('end', () => clearTimeout(timer))
    raw.once('close', () => clearTimeout(timer))
  })
}

const LINGER_MS = 10_000

/**
 * A refusal in the middle of a body would be lost if the connection were cut under a client that still sends. The rest
 * of the body is read and dropped for `lingerMs`, then the connection is closed.
 */
export function drainBodyOnError(app: FastifyInstance, lingerMs = LINGER_MS): void {
  // Node cuts at once what is to be closed after its answer.
  app.addHook('onSend', async ({ raw }, reply) => {
    if (hasBody(raw) && !raw.complete) reply.header('connection', 'keep-alive')
  })
  app.addHook('onResponse', async ({ raw }) => {
    if (raw.complete !== false || raw.destroyed) return
    raw.unpipe()
    raw.resume()
    const { socket } = raw
    const timer = setTimeout(() => {
      if (!raw.complete) socket.destroy()
    }, lingerMs)
    timer.unref()
    raw.once('end', () => {
      clearTimeout(timer)
      if (closesConnection(raw)) socket.end()
    })
    socket.once('close', () => clearTimeout(timer))
  })
}

function hasBody({ headers }: IncomingMessage): boolean {
  return (headers['content-length'] ?? headers['transfer-encoding']) !== undefined
}

function closesConnection({ headers, httpVersion }: IncomingMessage): boolean {
  return headers.connection?.toLowerCase() === 'close' || httpVersion === '1.0'
}
