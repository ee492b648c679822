import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { createReadStream, createWriteStream } from 'node:fs'
import { copyFile, open } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import type { UploadResult } from '#contract/media.ts'
import { UPLOADS_URL } from '#contract/uploads.ts'
import type { AtEnd } from './clean-up.ts'
import type { TransferOrder, TransferResult } from './transfer-client.ts'

export interface TransferClient {
  /** Seconds from the first byte requested or sent to the last one answered. */
  transfer(order: TransferOrder): Promise<{ seconds: number; answer: string }>
}

export interface PlainServer {
  pid: number
  /** Where ranges of the plain file are read. */
  reads: string
  /** Where a form is received. */
  uploads: string
}

interface FileToSend {
  origin: string
  token: string
  kind: 'upload' | 'resumable'
  file: string
  fileBytes: number
}

/** The clients, in a process of their own. */
export function startClient(atEnd: AtEnd): TransferClient {
  const child = fork(new URL('./transfer-client.ts', import.meta.url))
  atEnd(() => child.disconnect())
  return {
    async transfer(order) {
      const result = await messageOf<TransferResult>(child, () => child.send(order))
      if ('failure' in result) throw new Error(result.failure)
      return result
    },
  }
}

/** One file to the program, in one form or in parts. */
export async function sendFile(
  client: TransferClient,
  { origin, token, kind, ...file }: FileToSend,
): Promise<{ seconds: number; upload: UploadResult }> {
  const url = `${origin}${kind === 'upload' ? '/api/upload' : UPLOADS_URL}`
  const headers = { authorization: `Bearer ${token}` }
  const { seconds, answer } = await client.transfer({ ...file, kind, url, headers })
  return { seconds, upload: JSON.parse(answer) as UploadResult }
}

export async function startPlainServer(
  served: string,
  received: string,
  atEnd: AtEnd,
): Promise<PlainServer> {
  const child = fork(new URL('./plain-server.ts', import.meta.url), [served, received])
  atEnd(() => child.disconnect())
  const addresses = await messageOf<{ reads: string; uploads: string }>(child)
  return { ...addresses, pid: child.pid ?? 0 }
}

/** The next message of a process of the benchmark. */
export async function messageOf<T>(child: ChildProcess, send?: () => void): Promise<T> {
  const settled = new AbortController()
  const { signal } = settled
  const ended = once(child, 'exit', { signal }).then(() => {
    throw new Error('A process of the benchmark ended too soon')
  })
  ended.catch(() => undefined)
  try {
    const message = once(child, 'message', { signal })
    send?.()
    return (await Promise.race([message, ended]))[0] as T
  } finally {
    settled.abort()
  }
}

export async function secondsOf(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now()
  await work()
  return (performance.now() - startedAt) / 1000
}

/** Durable like everything it is compared with. */
export async function copyDurably(from: string, to: string): Promise<void> {
  await copyFile(from, to)
  const copy = await open(to, 'r+')
  await copy.sync()
  await copy.close()
}

export async function streamDurably(from: string, to: string, readBytes: number): Promise<void> {
  const source = createReadStream(from, { highWaterMark: readBytes })
  await pipeline(source, createWriteStream(to, { highWaterMark: readBytes, flush: true }))
}
