import http from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { randomToken } from '#server/platform/tokens.ts'

/** Both ends are included, as in `createReadStream`, S3 and HTTP. */
export interface ByteRange {
  start: number
  end: number
}

export interface PlainFile {
  size: number
  mimeType: string
  read(range: ByteRange): Promise<Readable>
}

export interface PlainSource {
  url: string
  /** Removes the address and cuts its readers. Rejects if a read failed. */
  close(): Promise<void>
}

interface OpenFile extends PlainFile {
  failure?: unknown
  responses: Set<http.ServerResponse>
}

const openFiles = new Map<string, OpenFile>()
let starting: Promise<http.Server> | undefined

/** Serves a sealed file at a secret address on loopback, so that ffmpeg reads it without a plain copy on disk. */
export async function openPlainSource(file: PlainFile): Promise<PlainSource> {
  starting ??= startServer()
  const server = await starting
  const token = randomToken()
  const openFile: OpenFile = { ...file, responses: new Set() }
  openFiles.set(token, openFile)
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/${token}`,
    async close() {
      openFiles.delete(token)
      for (const response of openFile.responses) response.destroy()
      if (openFile.failure !== undefined) throw openFile.failure
    },
  }
}

/**
 * Runs `work` on the address of a file. A failed read fails the whole work: ffmpeg treats a cut input as the end of the
 * file and reports success, so that half a video would be stored as a whole one.
 */
export async function withPlainSource<T>(
  file: PlainFile,
  work: (url: string) => Promise<T>,
): Promise<T> {
  const source = await openPlainSource(file)
  try {
    return await work(source.url)
  } finally {
    await source.close()
  }
}

/** Stops the server at the end of the process; the next `openPlainSource` starts it again. */
export async function closePlainSources(): Promise<void> {
  if (starting === undefined) return
  const server = await starting
  starting = undefined
  openFiles.clear()
  await new Promise((resolve) => {
    server.close(resolve)
    server.closeAllConnections()
  })
}

/** Serves the addresses of open files on sockets that the caller passes; it listens nowhere itself. */
export function createPlainServer(): http.Server {
  return http.createServer((request, response) => {
    answer(request, response).catch(() => response.destroy())
  })
}

async function startServer(): Promise<http.Server> {
  const server = createPlainServer()
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen(0, '127.0.0.1', resolve)
    })
  } catch (error) {
    starting = undefined
    throw error
  }
  return server.unref()
}

async function answer(request: http.IncomingMessage, response: http.ServerResponse) {
  const file = openFiles.get(request.url?.slice(1) ?? '')
  if (file === undefined) return void response.writeHead(404).end()
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    return void response.writeHead(405, { allow: 'GET, HEAD' }).end()
  }
  const range = parseRange(request.headers.range, file.size)
  if (range === 'unsatisfiable') {
    return void response.writeHead(416, { 'content-range': `bytes */${file.size}` }).end()
  }
  const { start, end } = range ?? { start: 0, end: file.size - 1 }
  response.writeHead(range ? 206 : 200, {
    'content-type': file.mimeType,
    'content-length': end - start + 1,
    'accept-ranges': 'bytes',
    'cache-control': 'no-store',
    ...(range && { 'content-range': `bytes ${start}-${end}/${file.size}` }),
  })
  if (request.method === 'HEAD' || end < start) return void response.end()
  file.responses.add(response)
  try {
    await pipeline(readExactly(file, { start, end }, response), response)
  } finally {
    file.responses.delete(response)
  }
}

async function* readExactly(file: OpenFile, range: ByteRange, response: http.ServerResponse) {
  let missing = range.end - range.start + 1
  try {
    const readable = await file.read(range)
    response.once('close', () => readable.destroy())
    for await (const chunk of readable as AsyncIterable<Buffer>) {
      missing -= chunk.length
      if (missing < 0) throw new Error('A plain source sent more bytes than requested')
      yield chunk
    }
    if (missing > 0) throw new Error('A plain source sent fewer bytes than requested')
  } catch (error) {
    // A destroyed response means that the reader left, which ffmpeg does at each seek.
    if (!response.destroyed) file.failure ??= error
    throw error
  }
}

/** Parses one range, as ffmpeg sends it; an unknown header is ignored, as RFC 9110 requires. */
export function parseRange(
  header: string | undefined,
  size: number,
): ByteRange | 'unsatisfiable' | undefined {
  const match = /^bytes=(\d*)-(\d*)$/.exec(header ?? '')
  if (!match || (match[1] === '' && match[2] === '')) return undefined
  const last = size - 1
  if (match[1] === '') {
    const length = Number(match[2])
    return length === 0 || size === 0
      ? 'unsatisfiable'
      : { start: Math.max(0, size - length), end: last }
  }
  const start = Number(match[1])
  const end = match[2] === '' ? last : Math.min(Number(match[2]), last)
  if (match[2] !== '' && Number(match[2]) < start) return undefined
  return start > last ? 'unsatisfiable' : { start, end }
}
