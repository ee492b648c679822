import type { Answer, TestApp } from './test-server.ts'

export type Client = Pick<TestApp, 'call'> & { origin: string }

/** Calls a program as `TestApp` does, over real HTTP; `address` is the client’s, as a proxy on this machine forwards it. */
export function clientOf(origin: string, address = '192.0.2.1'): Client {
  return {
    origin,
    async call(method, url, { as, body, headers = {} } = {}) {
      const isJson = body !== undefined && !(body instanceof Uint8Array)
      const response = await fetch(origin + url, {
        method,
        headers: {
          'x-forwarded-for': address,
          ...(as ? { authorization: `Bearer ${as.token}` } : {}),
          ...(isJson ? { 'content-type': 'application/json' } : {}),
          ...headers,
        },
        ...(body === undefined ? {} : { body: isJson ? JSON.stringify(body) : toBody(body) }),
      })
      return answerOf(response)
    },
  }
}

function toBody(bytes: unknown): Uint8Array<ArrayBuffer> {
  return new Uint8Array(bytes as Uint8Array)
}

async function answerOf(response: Response): Promise<Answer> {
  const text = await response.text()
  const headers = Object.fromEntries(response.headers)
  const isJson = String(headers['content-type']).includes('json') && text !== ''
  return { status: response.status, headers, body: isJson ? JSON.parse(text) : undefined, text }
}

/** The bytes at an address. */
export async function download(origin: string, url: string): Promise<Buffer> {
  const response = await fetch(origin + url)
  if (!response.ok) throw new Error(`${url} answered ${response.status}`)
  return Buffer.from(await response.arrayBuffer())
}
