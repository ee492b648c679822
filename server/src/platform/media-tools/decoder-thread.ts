import { Worker } from 'node:worker_threads'
import { TooMuchWork, UnreadableMedia } from './media-errors.ts'
import type { ToolRun } from './tool-process.ts'

export interface Bitmap {
  data: Uint8Array
  width: number
  height: number
}

interface DecoderThread {
  /** A program that posts one bitmap, or throws. */
  program: URL
  workerData: object
  longestMs: number
}

/**
 * Decodes in a thread that ends with its work: WebAssembly touches nothing but its own memory there, and one that is busy for
 * ever is ended with the thread. `UnreadableMedia` for what it cannot decode, `TooMuchWork` for what takes too long.
 */
export function decodeInThread(
  { program, workerData, longestMs }: DecoderThread,
  { signal }: ToolRun = {},
): Promise<Bitmap> {
  const worker = new Worker(program, {
    workerData,
    // What a decoder prints about a file is nothing for the log.
    stdout: true,
    stderr: true,
  })
  const limit = AbortSignal.timeout(longestMs)
  const ended = AbortSignal.any([limit, ...(signal ? [signal] : [])])
  const { promise, resolve, reject } = Promise.withResolvers<Bitmap>()
  const end = () =>
    reject(limit.aborted ? new TooMuchWork('The file takes too long', null) : ended.reason)
  if (ended.aborted) end()
  ended.addEventListener('abort', end)
  worker.once('message', resolve)
  worker.once('error', (cause) => reject(new UnreadableMedia('The file cannot be read', { cause })))
  worker.once('exit', () => reject(new UnreadableMedia('The file ended its reader')))
  return promise.finally(() => {
    ended.removeEventListener('abort', end)
    return worker.terminate()
  })
}
