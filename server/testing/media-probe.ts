import { execFile } from 'node:child_process'
import { Readable } from 'node:stream'
import type { PlainFile } from '#server/platform/media-tools/plain-source.ts'
import { paletteColour, TOOLS } from './media-files.ts'

/** A decrypted file, over bytes in memory. */
export function plainFile(bytes: Buffer, mimeType = 'video/mp4'): PlainFile {
  return {
    size: bytes.length,
    mimeType,
    read: async ({ start, end }) => Readable.from(slices(bytes.subarray(start, end + 1))),
  }
}

function* slices(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += 65_536) yield bytes.subarray(at, at + 65_536)
}

/** The palette colour of each frame of a `colourVideo`, or of a variant of one. */
export async function framesOf(video: Buffer): Promise<number[]> {
  const args = ['-vf', 'scale=1:1', '-fps_mode', 'passthrough', '-pix_fmt', 'rgb24']
  const pixels = await pipeThrough(
    TOOLS.ffmpegPath,
    ['-v', 'error', '-i', 'pipe:0', ...args, '-f', 'rawvideo', '-'],
    video,
  )
  return Array.from({ length: pixels.length / 3 }, (_, frame) =>
    nearestColour(pixels.subarray(frame * 3, frame * 3 + 3)),
  )
}

export function nearestColour(pixel: Uint8Array): number {
  const distances = Array.from({ length: 27 }, (_, index) =>
    paletteColour(index).reduce((sum, level, at) => sum + (level - (pixel[at] ?? 0)) ** 2, 0),
  )
  return distances.indexOf(Math.min(...distances))
}

export interface MediaFacts {
  format: { duration?: string; tags?: Record<string, string> }
  streams: {
    codec_type: string
    codec_name: string
    profile?: string
    pix_fmt?: string
    width?: number
    height?: number
    tags?: Record<string, string>
  }[]
}

/** Everything ffprobe reports, without confinement. */
export async function factsOf(media: Buffer): Promise<MediaFacts> {
  const args = ['-v', 'error', '-show_format', '-show_streams', '-show_chapters', '-of', 'json']
  return JSON.parse((await pipeThrough(TOOLS.ffprobePath, [...args, 'pipe:0'], media)).toString())
}

function pipeThrough(path: string, args: string[], input: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const options = { encoding: 'buffer', maxBuffer: 256 * 1024 * 1024 } as const
    const child = execFile(path, args, options, (error, stdout) =>
      error ? reject(error) : resolve(stdout),
    )
    // The tool may close its input before the end, once it knows enough.
    child.stdin?.on('error', () => undefined)
    child.stdin?.end(input)
  })
}
