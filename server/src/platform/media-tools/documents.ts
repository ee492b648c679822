import { Worker } from 'node:worker_threads'
import sharp from 'sharp'
import { TooMuchWork, UnreadableMedia } from './media-errors.ts'
import type { ToolRun } from './tool-process.ts'

/** A document is opened from memory: of larger ones there is no picture. */
export const DOCUMENT_MAX_BYTES = 100 * 1024 * 1024

/** A plain first page takes a third of a second; whoever waits for a picture waits behind it. */
const LONGEST_MS = 20_000

interface Bitmap {
  data: Uint8Array
  width: number
  height: number
}

/**
 * The first page of a PDF as webp, its longer side of `maxSide` pixels. `UnreadableMedia` for one that is broken or asks
 * for a password, `TooMuchWork` for one that takes too long.
 */
export async function encodeFirstPage(
  bytes: Buffer,
  maxSide: number,
  { signal }: ToolRun = {},
): Promise<Buffer> {
  const { data, width, height } = await renderFirstPage(bytes, maxSide, signal)
  return sharp(data, { raw: { width, height, channels: 4 } })
    .flatten({ background: '#fff' })
    .webp({ quality: 82 })
    .toBuffer()
}

function renderFirstPage(
  bytes: Buffer,
  maxSide: number,
  signal: AbortSignal | undefined,
): Promise<Bitmap> {
  const worker = new Worker(new URL('./first-page-worker.ts', import.meta.url), {
    workerData: { bytes, maxSide },
    // What PDFium prints about a document is nothing for the log.
    stdout: true,
    stderr: true,
  })
  const limit = AbortSignal.timeout(LONGEST_MS)
  const ended = AbortSignal.any([limit, ...(signal ? [signal] : [])])
  const { promise, resolve, reject } = Promise.withResolvers<Bitmap>()
  const end = () =>
    reject(limit.aborted ? new TooMuchWork('The document takes too long', null) : ended.reason)
  if (ended.aborted) end()
  ended.addEventListener('abort', end)
  worker.once('message', resolve)
  worker.once('error', (cause) =>
    reject(new UnreadableMedia('The document cannot be read', { cause })),
  )
  worker.once('exit', () => reject(new UnreadableMedia('The document ended its reader')))
  return promise.finally(() => {
    ended.removeEventListener('abort', end)
    return worker.terminate()
  })
}
