import type * as z from 'zod/mini'

/** The zod schemas of a call. `querystring` and `params` keep Fastify's names: a route spreads the endpoint as it is. */
export interface EndpointSchema {
  params?: z.ZodMiniType
  querystring?: z.ZodMiniType
  body?: z.ZodMiniType
  response: Record<number, z.ZodMiniType>
  summary?: string
  tags?: readonly string[]
}

/** On every answer of the API: the server's clock in milliseconds, which `Date` would cut to the second. */
export const SERVER_TIME_HEADER = 'server-time'
/** The same of a page, whose own script reads no header: a metric of `Server-Timing`, in milliseconds. */
export const PAGE_CLOCK = 'clock'

/** What a token of the API may be for; one that may write may read too. */
export const SCOPES = ['read', 'write'] as const
export type Scope = (typeof SCOPES)[number]

export interface Endpoint<S extends EndpointSchema = EndpointSchema> {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  url: string
  /** What a token of the API needs to call it. Without one, sessions alone may: what is of the account itself. */
  scope?: Scope
  /** It creates something, and takes an `Idempotency-Key`: the same call again makes nothing more (behaviour.md 12.4). */
  createsOnce?: true
  schema: S
}

/** Keeps the exact schema types of an endpoint, for the client that calls it and the route that answers it. */
export function defineEndpoint<const S extends EndpointSchema>(endpoint: Endpoint<S>): Endpoint<S> {
  return endpoint
}

type InputOf<T> = T extends z.ZodMiniType ? z.input<T> : never

/** What a client passes: only the parts the endpoint declares. */
export type EndpointInput<E extends Endpoint> = {
  [K in 'params' | 'querystring' | 'body' as E['schema'][K] extends z.ZodMiniType
    ? K
    : never]: InputOf<E['schema'][K]>
}

/** What a client receives when the call succeeds. */
export type EndpointOutput<E extends Endpoint> = z.output<
  E['schema']['response'][keyof E['schema']['response']]
>
