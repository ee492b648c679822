import { randomUUID } from 'node:crypto'
import type { FastifyRequest } from 'fastify'

/** Whether a request is for the API, by the route it found: `/%61pi/…` is the same address as `/api/…`. */
export function isApiCall(request: FastifyRequest): boolean {
  return [request.routeOptions.url, request.url].some((url) => url?.startsWith('/api/'))
}

/** By which this process knows its own calls: nobody else has seen it. */
const OWN = randomUUID()

/** The headers of what a page asks while it is rendered. */
export const PAGE_CALL_HEADERS = { accept: 'application/json', 'x-page-call': OWN }

/** Whether a page asks that is being rendered: it was counted as a page. */
export function isPageCall(request: FastifyRequest): boolean {
  return request.headers['x-page-call'] === OWN
}
