import type { FastifyRequest } from 'fastify'

/** Whether a request is for the API, by the route it found: `/%61pi/…` is the same address as `/api/…`. */
export function isApiCall(request: FastifyRequest): boolean {
  return [request.routeOptions.url, request.url].some((url) => url?.startsWith('/api/'))
}
