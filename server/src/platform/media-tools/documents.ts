import sharp from 'sharp'
import { decodeInThread } from './decoder-thread.ts'
import type { ToolRun } from './tool-process.ts'

/** A document is opened from memory: of larger ones there is no picture. */
export const DOCUMENT_MAX_BYTES = 100 * 1024 * 1024

/** A plain first page takes a third of a second; whoever waits for a picture waits behind it. */
const LONGEST_MS = 20_000

/**
 * The first page of a PDF as webp, its longer side of `maxSide` pixels. `UnreadableMedia` for one that is broken or asks
 * for a password, `TooMuchWork` for one that takes too long.
 */
export async function encodeFirstPage(
  bytes: Buffer,
  maxSide: number,
  run?: ToolRun,
): Promise<Buffer> {
  const program = new URL('./first-page-worker.ts', import.meta.url)
  const thread = { program, workerData: { bytes, maxSide }, longestMs: LONGEST_MS }
  const { data, width, height } = await decodeInThread(thread, run)
  return sharp(data, { raw: { width, height, channels: 4 } })
    .flatten({ background: '#fff' })
    .webp({ quality: 82 })
    .toBuffer()
}
