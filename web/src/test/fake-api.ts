import { HttpResponse, http, type RequestHandler } from 'msw'
import { setupServer } from 'msw/node'
import type { Endpoint, EndpointOutput } from '#contract/endpoint.ts'
import { ERRORS, type ErrorCode } from '#contract/errors.ts'
import { announcePresence } from '#contract/presence.ts'
import { listAnniversaries, listReceived } from '#contract/received.ts'

/**
 * The server's place in tests: it knows only the answers a test gives, any other call fails. A sealed page says that it leaves
 * when a test has ended already.
 */
export const fakeServer = setupServer(answer(announcePresence, { waiting: 0, people: [] }))

/** Calls whose name stands where others have an id: as in the server’s router, the name is none. */
const NAMED_CALLS = [listReceived.url, listAnniversaries.url]

interface FakeRequest {
  params: Record<string, string>
  query: Record<string, string>
  body: unknown
  headers: Headers
}

type Answer<E extends Endpoint> = EndpointOutput<E> | Refusal

/** An error of the contract's table, as the server would answer it. */
export class Refusal {
  readonly code: ErrorCode
  readonly fields: Record<string, string> | undefined

  constructor(code: ErrorCode, fields?: Record<string, string>) {
    this.code = code
    this.fields = fields
  }
}

export function refusal(code: ErrorCode, fields?: Record<string, string>): Refusal {
  return new Refusal(code, fields)
}

/** Answers one endpoint, in its contract's own shape: a value, or a function of what is asked. */
export function answer<E extends Endpoint>(
  endpoint: E,
  given: Answer<E> | ((request: FakeRequest) => Answer<E> | Promise<Answer<E>>),
): RequestHandler {
  const answerTo = (typeof given === 'function' ? given : () => given) as (
    request: FakeRequest,
  ) => Answer<E> | Promise<Answer<E>>
  const method = endpoint.method.toLowerCase() as Lowercase<Endpoint['method']>
  return http[method](`${window.location.origin}${endpoint.url}`, async ({ request, params }) => {
    const url = new URL(request.url)
    if (url.pathname !== endpoint.url && NAMED_CALLS.includes(url.pathname)) return
    const received = {
      params: params as Record<string, string>,
      query: Object.fromEntries(url.searchParams),
      body: await readBody(request),
      headers: request.headers,
    }
    return toResponse(endpoint, await answerTo(received))
  })
}

async function readBody(request: Request): Promise<unknown> {
  const isJson = request.headers.get('content-type')?.startsWith('application/json')
  return isJson ? request.json() : undefined
}

function toResponse<E extends Endpoint>(endpoint: E, given: Answer<E>): Response {
  if (given instanceof Refusal) {
    const { status, message } = ERRORS[given.code]
    const fields = given.fields && { fields: given.fields }
    return HttpResponse.json({ error: message, code: given.code, ...fields }, { status })
  }
  const [status] = Object.keys(endpoint.schema.response)
  return HttpResponse.json(given as Record<string, unknown>, { status: Number(status) })
}
