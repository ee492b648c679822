import type { FastifyInstance, InjectOptions } from 'fastify'

/** One request, as on the wire. */
export interface Call {
  method: string
  path: string
  token?: string | undefined
  headers?: Record<string, string>
  body?: object | undefined
}

/** The answer, to the byte. */
export interface Seen {
  status: number
  headers: Record<string, string>
  bytes: Buffer
}

export type Send = (call: Call) => Promise<Seen>

export async function sendCall(
  app: FastifyInstance,
  { method, path, token, headers = {}, body }: Call,
): Promise<Seen> {
  const answer = await app.inject({
    method: method as NonNullable<InjectOptions['method']>,
    url: path,
    headers: { ...(token ? { authorization: `Bearer ${token}` } : {}), ...headers },
    ...(body === undefined ? {} : { payload: body }),
  })
  return {
    status: answer.statusCode,
    headers: Object.fromEntries(
      Object.entries(answer.headers).map(([name, value]) => [name, String(value)]),
    ),
    bytes: answer.rawPayload,
  }
}

export function isText({ headers }: Seen): boolean {
  return /json|text|xml/.test(headers['content-type'] ?? '')
}

// biome-ignore lint/suspicious/noExplicitAny: the harness reads any shape
export function jsonOf(seen: Seen): any {
  const isJson = seen.bytes.length > 0 && /json/.test(seen.headers['content-type'] ?? '')
  return isJson ? JSON.parse(seen.bytes.toString()) : undefined
}
