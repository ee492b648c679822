import { aac, affordableKbps, BARE, BARE_MP4, EVEN_SOUND, makeFile } from './encoding.ts'
import type { FfmpegRun, Tools } from './ffmpeg.ts'
import { probe } from './probe.ts'

/** The sound in AAC, which every phone plays and seeks in; also of a video. */
export async function encodeSound(
  tools: Tools,
  url: string,
  options: { outputFile: string },
  run?: FfmpegRun,
): Promise<void> {
  const { durationSeconds } = await probe(tools, url, { signal: run?.signal })
  const kbps = Math.min(128, affordableKbps(durationSeconds))
  const outputArgs = [
    ...['-map', '0:a:0', '-vn', '-af', EVEN_SOUND, ...aac(kbps)],
    ...[...BARE_MP4, `file:${options.outputFile}`],
  ]
  await makeFile(tools, { url, outputArgs, durationSeconds }, options.outputFile, run)
}

/** Room for the index, beside the packets of the source. */
const INDEX_BYTES = 16 * 1024 * 1024

/** The very packets of a recording, in a container that says its length and where its instants are. */
export async function remuxRecording(
  tools: Tools,
  url: string,
  options: { outputFile: string; sizeBytes: number },
  run?: FfmpegRun,
): Promise<void> {
  const { container, audioCodec, durationSeconds } = await probe(tools, url, {
    signal: run?.signal,
  })
  const outputArgs = [
    ...['-map', '0:a:0', '-vn', '-c', 'copy', ...containerArgs(container, audioCodec)],
    `file:${options.outputFile}`,
  ]
  const maxFileBytes = options.sizeBytes * 1.2 + INDEX_BYTES
  const work = { url, outputArgs, durationSeconds, maxFileBytes }
  await makeFile(tools, work, options.outputFile, run)
}

function containerArgs(container: string, codec: string | undefined): string[] {
  if (!container.startsWith('matroska')) return BARE_MP4
  const isWebm = codec === 'opus' || codec === 'vorbis'
  return [...BARE, '-cues_to_front', '1', '-f', isWebm ? 'webm' : 'matroska']
}
