import { createHash } from 'node:crypto'
import http from 'node:http'
import type { Answer, Person, TestApp } from './test-server.ts'

type Server = Pick<TestApp, 'call'>

const TUS = { 'tus-resumable': '1.0.0' }
const PART = { ...TUS, 'content-type': 'application/offset+octet-stream' }

export function sha256Of(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex')
}

/** Creates an upload, as tus does. */
export function requestUpload(
  server: Server,
  as: Person | undefined,
  size: number | string,
  { name = 'été.bin', type = 'application/octet-stream' } = {},
): Promise<Answer> {
  const encode = (text: string) => Buffer.from(text).toString('base64')
  return server.call('POST', '/api/uploads', {
    as,
    headers: {
      ...TUS,
      'upload-length': String(size),
      'upload-metadata': `filename ${encode(name)},filetype ${encode(type)}`,
    },
  })
}

/** Begins an upload that must be accepted; the answer is its address. */
export async function beginUpload(
  server: Server,
  as: Person,
  size: number,
  facts: { name?: string; type?: string } = {},
): Promise<string> {
  const answer = await requestUpload(server, as, size, facts)
  if (answer.status !== 201) throw new Error(`No upload was begun: ${answer.text}`)
  return String(answer.headers.location)
}

/** One PATCH, whole. */
export function sendPart(
  server: Server,
  as: Person | undefined,
  location: string,
  {
    offset,
    bytes,
    headers = {},
  }: { offset: number; bytes: Buffer; headers?: Record<string, string> },
): Promise<Answer> {
  return server.call('PATCH', location, {
    as,
    // A copy: without a network in between, the server reuses the memory of the body.
    body: Buffer.from(bytes),
    headers: {
      ...PART,
      'upload-offset': String(offset),
      'content-length': String(bytes.length),
      ...headers,
    },
  })
}

/** HEAD: the answer has the offset. */
export function requestProgress(server: Server, as: Person | undefined, location: string) {
  return server.call('HEAD', location, { as, headers: TUS })
}

export async function offsetOf(server: Server, as: Person, location: string): Promise<number> {
  return Number((await requestProgress(server, as, location)).headers['upload-offset'])
}

export function abandon(server: Server, as: Person | undefined, location: string): Promise<Answer> {
  return server.call('DELETE', location, { as, headers: TUS })
}

/** Turns an upload that has arrived into a file. */
export function finish(
  server: Server,
  as: Person | undefined,
  location: string,
  options: object = {},
): Promise<Answer> {
  return server.call('POST', `${location}/file`, { as, body: options })
}

/** Sends a whole file in one part and finishes it; the answer is that of the last call. */
export async function uploadInParts(
  server: Server,
  as: Person,
  bytes: Buffer,
  { wish = {}, ...facts }: { wish?: object; name?: string; type?: string } = {},
): Promise<Answer> {
  const location = await beginUpload(server, as, bytes.length, facts)
  await sendPart(server, as, location, { offset: 0, bytes })
  return finish(server, as, location, wish)
}

/** A PATCH on a connection of its own, sent bit by bit. */
export interface OpenPart {
  send(bytes: Buffer): Promise<void>
  /** Ends the connection in the middle; the sent bytes arrive. */
  close(): void
  /** Destroys the connection; unread bytes may be lost with it. */
  destroy(): void
  end(): void
  answer: Promise<{ status: number; headers: http.IncomingHttpHeaders; text: string }>
}

export function openPart(
  origin: string,
  token: string,
  location: string,
  { offset, length }: { offset: number; length: number },
): OpenPart {
  const request = http.request(`${origin}${location}`, {
    method: 'PATCH',
    agent: false,
    headers: {
      ...PART,
      // As browsers do: without it, a refusal closes the connection under a client that still sends.
      connection: 'keep-alive',
      authorization: `Bearer ${token}`,
      'upload-offset': offset,
      'content-length': length,
    },
  })
  const answer = new Promise<Awaited<OpenPart['answer']>>((resolve, reject) => {
    request.on('error', reject)
    request.on('response', async (response) => {
      const text = Buffer.concat(await response.toArray()).toString()
      resolve({ status: response.statusCode ?? 0, headers: response.headers, text })
    })
  })
  // A test that cuts the connection waits for no answer.
  answer.catch(() => undefined)
  return {
    answer,
    send: (bytes) => new Promise((resolve) => request.write(bytes, () => resolve())),
    close: () => void request.socket?.end(),
    destroy: () => void request.destroy(),
    end: () => void request.end(),
  }
}
