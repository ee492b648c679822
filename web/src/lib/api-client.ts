import {
  type Endpoint,
  type EndpointInput,
  type EndpointOutput,
  SERVER_TIME_HEADER,
} from '#contract/endpoint.ts'
import { type ErrorCode, errorSchema } from '#contract/errors.ts'
import { learnServerClock } from './clock.ts'
import { clearToken, readToken } from './session-token.ts'

const TIMEOUT_MS = 10_000

type ClientErrorCode = 'network' | 'timeout' | 'invalid_response' | 'http'

/** A call that failed. `message` may be shown as it is; programs read `code`. */
export class ApiError extends Error {
  readonly code: ErrorCode | ClientErrorCode
  readonly status: number
  readonly fields: Record<string, string>
  /** Of `idempotency_mismatch`: what the first call with this key created. */
  readonly createdId: string | undefined

  constructor(
    message: string,
    code: ErrorCode | ClientErrorCode,
    status = 0,
    fields: Record<string, string> = {},
    createdId?: string,
  ) {
    super(message)
    this.name = 'ApiError'
    this.code = code
    this.status = status
    this.fields = fields
    this.createdId = createdId
  }
}

/** The sentence to show for a failure: the server's own, what to do about the network, or else the fallback. */
export function errorSentence(error: unknown, fallback: string): string {
  const wordless = ['http', 'invalid_response']
  return error instanceof ApiError && !wordless.includes(error.code) ? error.message : fallback
}

/** The sentences of a refusal for these fields, in their order. `codes` names the field that a code alone is about. */
export function fieldErrorsOf<Name extends string>(
  error: unknown,
  names: readonly Name[],
  codes: Partial<Record<ApiError['code'], Name>> = {},
): [name: Name, message: string][] {
  if (!(error instanceof ApiError)) return []
  const ofCode = codes[error.code]
  if (ofCode) return [[ofCode, error.message]]
  return names.flatMap((name) => {
    const message = error.fields[name]
    return message ? [[name, message] as [Name, string]] : []
  })
}

/** Whether the same call would be refused again at once; any other failure may be tried again now. */
export function isTooOften(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'too_many_requests'
}

/** Whether the server could not be reached, or was in no state to answer: what was known before may still be true. */
export function isUnreachable(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false
  // A full disk answers for itself: nothing was done, and the sentence says why.
  if (error.code === 'disk_full') return false
  return error.code === 'network' || error.code === 'timeout' || error.status >= 500
}

/** Whether the right to read a letter ended: its link was revoked, or it was deleted or hidden. */
export function isGone(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 404 || error.code === 'link_revoked')
}

/** Whether a failure leaves open if the server did it. */
export function isAnswerLost(error: unknown): boolean {
  return isUnreachable(error) || (error instanceof ApiError && error.code === 'invalid_response')
}

interface CallOptions {
  signal?: AbortSignal
  headers?: Record<string, string>
  /** How long the whole answer may take. */
  timeoutMs?: number
  /** It is sent even as the page goes. */
  keepalive?: boolean
  /** Is told the headers of a good answer. */
  onHeaders?: (headers: Headers) => void
}

export type CallArguments<E extends Endpoint> = keyof EndpointInput<E> extends never
  ? [input?: Record<string, never>, options?: CallOptions]
  : [input: EndpointInput<E>, options?: CallOptions]

/** What a call carries, whatever its endpoint. */
interface AnyInput {
  params?: Record<string, unknown>
  querystring?: Record<string, unknown>
  body?: unknown
}

type Transport = (path: string, init: RequestInit) => Promise<Response>

let transport: Transport = (path, init) => fetch(new URL(path, window.location.origin), init)

/** Replaces the network: the server, which renders pages, calls itself in process. */
export function setTransport(replacement: Transport): void {
  transport = replacement
}

const unauthorized = new EventTarget()

/** Calls back when a call with the token of this session is answered 401; by then the dead token is gone. */
export function onUnauthorized(callback: () => void): () => void {
  unauthorized.addEventListener('unauthorized', callback)
  return () => unauthorized.removeEventListener('unauthorized', callback)
}

let suspensions = 0
let cameWhileSuspended = false

/**
 * For what may end the session by itself: until the function it returns is called, a 401 drops no token and calls nobody
 * back. That function returns whether one came.
 */
export function suspendUnauthorized(): () => boolean {
  if (suspensions === 0) cameWhileSuspended = false
  suspensions += 1
  return () => {
    suspensions -= 1
    return cameWhileSuspended
  }
}

/** For tests: none inherits a suspension of another. */
export function resetUnauthorized(): void {
  suspensions = 0
}

/**
 * The server knows no session of the token that it was sent: drops it and notifies the app. One that was given up meanwhile, or
 * replaced by another tab, says nothing of the session there is.
 */
export function endSession(sentToken: string | null): void {
  if (sentToken === null || readToken() !== sentToken) return
  if (suspensions > 0) {
    cameWhileSuspended = true
    return
  }
  clearToken()
  unauthorized.dispatchEvent(new Event('unauthorized'))
}

/** Calls the server. Throws `ApiError`, shows nothing, navigates nowhere. */
export async function callApi<E extends Endpoint>(
  endpoint: E,
  ...[input = {}, options = {}]: CallArguments<E>
): Promise<EndpointOutput<E>> {
  return readAnswer(endpoint, await request(endpoint, input, options))
}

/** The same for an answer to be saved byte for byte. */
export async function fetchFile<E extends Endpoint>(
  endpoint: E,
  ...[input = {}, options = {}]: CallArguments<E>
): Promise<Blob> {
  const response = await request(endpoint, input, options)
  return response.blob()
}

async function request(
  endpoint: Endpoint,
  input: AnyInput,
  options: CallOptions,
): Promise<Response> {
  const { params, querystring, body } = input
  const token = readToken()
  const sentAt = Date.now()
  const response = await send(buildUrl(endpoint.url, params, querystring), {
    method: endpoint.method,
    cache: 'no-store',
    signal: withTimeout(options),
    ...(options.keepalive && { keepalive: true }),
    headers: {
      accept: 'application/json',
      ...(token && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...options.headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  learnServerClock(response.headers.get(SERVER_TIME_HEADER), sentAt, Date.now())
  if (response.status === 401) endSession(token)
  if (!response.ok) throw await errorOf(response)
  options.onHeaders?.(response.headers)
  return response
}

async function send(path: string, init: RequestInit): Promise<Response> {
  try {
    return await transport(path, init)
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error
    if (error instanceof DOMException && error.name === 'TimeoutError') {
      throw new ApiError('Le site met trop de temps à répondre. Réessayez.', 'timeout')
    }
    throw new ApiError(
      'Impossible de joindre le site. Vérifiez votre connexion, puis réessayez.',
      'network',
    )
  }
}

function withTimeout({ signal, timeoutMs = TIMEOUT_MS }: CallOptions): AbortSignal {
  const timeout = AbortSignal.timeout(timeoutMs)
  return signal ? AbortSignal.any([signal, timeout]) : timeout
}

function buildUrl(
  url: string,
  params: Record<string, unknown> = {},
  querystring: Record<string, unknown> = {},
): string {
  const path = url.replace(/:(\w+)/g, (_, name) => encodeURIComponent(String(params[name])))
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(querystring)) {
    if (value !== undefined) query.set(name, String(value))
  }
  return query.size > 0 ? `${path}?${query}` : path
}

async function readAnswer<E extends Endpoint>(
  endpoint: E,
  response: Response,
): Promise<EndpointOutput<E>> {
  const schemas = endpoint.schema.response
  const schema = schemas[response.status] ?? Object.values(schemas)[0]
  const answer = schema?.safeParse(await response.json().catch(() => undefined))
  if (!answer?.success) {
    throw new ApiError('Invalid response format', 'invalid_response', response.status)
  }
  return answer.data as EndpointOutput<E>
}

async function errorOf(response: Response): Promise<ApiError> {
  const { status, statusText } = response
  let body: unknown
  try {
    body = await response.json()
  } catch {
    return new ApiError(`HTTP ${status}: ${statusText}`, 'http', status)
  }
  const parsed = errorSchema.safeParse(body)
  if (!parsed.success) return new ApiError('Erreur API', 'http', status)
  const { error, code, fields, id } = parsed.data
  return new ApiError(error || 'Erreur API', code as ErrorCode, status, fields, id)
}
