import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'

/** What the API answered to one call of a page. */
export interface PageAnswer {
  status: number
  type: string
  payload: string
  /** Absent where only another call can tell. */
  isCurrent?: FreshnessCheck | undefined
}

/** Whether a call would be answered the same now; rejects when the database is away. */
export type FreshnessCheck = () => Promise<boolean>

/** Marks the calls of this process: no client has seen the value. */
const PAGE_CALL = randomUUID()
const PAGE_CALL_HEADERS = { accept: 'application/json', 'x-page-call': PAGE_CALL }

/** Whether the call comes from a page that is being rendered: rate limits count it as a page. */
export function isPageCall(request: FastifyRequest): boolean {
  return request.headers['x-page-call'] === PAGE_CALL
}

const checks = new WeakMap<IncomingMessage, FreshnessCheck>()

/** Lets the page whose call this is, if it is one, check the answer later instead of calling again. */
export function setPageCheck(request: FastifyRequest, isCurrent: FreshnessCheck): void {
  if (isPageCall(request)) checks.set(request.raw, isCurrent)
}

/** One call of the API by a page, for a visitor at `ip`: through the same gate as any other. */
export async function callAsVisitor(
  app: FastifyInstance,
  ip: string,
  url: string,
): Promise<PageAnswer> {
  const { statusCode, headers, payload, raw } = await app.inject({
    method: 'GET',
    url,
    remoteAddress: ip,
    headers: PAGE_CALL_HEADERS,
  })
  const type = String(headers['content-type'] ?? '')
  return { status: statusCode, type, payload, isCurrent: checks.get(raw.req) }
}
