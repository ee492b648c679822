import { stat } from 'node:fs/promises'
import { type FfmpegRun, type FfmpegWork, runFfmpeg, type Tools } from './ffmpeg.ts'
import { UnreadableMedia } from './media-errors.ts'

/** A variant is written to memory: a longer source gets fewer bits, so that it is never larger. */
export const VARIANT_MAX_BYTES = 256 * 1024 * 1024

export const HOUR_MS = 3_600_000

const START_MS = 600_000
const SLOWEST = 30

/** How long work on the whole of a film may take: on a slow and busy machine, many times its length. */
export function workTimeMs(durationSeconds: number, mostMs: number): number {
  return Math.min(mostMs, START_MS + durationSeconds * 1000 * SLOWEST)
}

/** Nothing of the source but its pictures and sounds: no tags, chapters, captions (SEI), encoder names. */
export const BARE = [
  ['-map_metadata', '-1', '-map_metadata:s', '-1', '-map_chapters', '-1', '-sn', '-dn'],
  ['-fflags', '+bitexact', '-flags:v', '+bitexact', '-flags:a', '+bitexact'],
].flat()

export const BARE_MP4 = [...BARE, '-movflags', '+faststart', '-f', 'mp4']

/** Fills holes in the sound and a late start with silence, so that it stays with the picture. */
export const EVEN_SOUND = 'aresample=48000:async=1:first_pts=0'

export function aac(kbps: number): string[] {
  return ['-c:a', 'aac', '-b:a', `${kbps}k`, '-ac', '2', '-ar', '48000']
}

export function affordableKbps(durationSeconds: number): number {
  return Math.max(24, Math.floor((VARIANT_MAX_BYTES * 8) / 1000 / durationSeconds))
}

/** Runs ffmpeg for a file, which must not be empty in the end. */
export async function makeFile(
  tools: Tools,
  work: FfmpegWork & { outputArgs: string[] },
  outputFile: string,
  run?: FfmpegRun,
): Promise<void> {
  const limits = { timeoutMs: workTimeMs(work.durationSeconds ?? 0, 6 * HOUR_MS), ...run }
  await runFfmpeg(tools, { maxFileBytes: VARIANT_MAX_BYTES * 1.2, ...work }, limits)
  const { size } = await stat(outputFile)
  if (size === 0) throw new UnreadableMedia('Nothing in the file can be read')
}
