import type { FastifyInstance } from 'fastify'

/**
 * JSON bodies. An empty one is no body at all: many clients announce JSON on every call, those that have nothing
 * to say included.
 */
export function registerJsonBodies(app: FastifyInstance): void {
  const parseJson = app.getDefaultJsonParser('error', 'error')
  app.removeContentTypeParser('application/json')
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '') done(null, undefined)
    else parseJson(request, body as string, done)
  })
}
