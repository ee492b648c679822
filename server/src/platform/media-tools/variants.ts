import {
  aac,
  affordableKbps,
  BARE_MP4,
  EVEN_SOUND,
  HOUR_MS,
  makeFile,
  VARIANT_MAX_BYTES,
  workTimeMs,
} from './encoding.ts'
import { type FfmpegRun, runFfmpeg, type Tools } from './ffmpeg.ts'
import { encodePicture } from './images.ts'
import { UnreadableMedia } from './media-errors.ts'
import { type Probe, probe } from './probe.ts'
import type { ToolRun } from './tool-process.ts'

export interface TeaserWindow {
  startSeconds: number
  endSeconds: number
}

const POSTER_SIDE = 960
/**
 * Re-encodes what is shown in the window, and nothing else: the bytes do not depend on what lies outside it.
 * A copy would keep whole groups of pictures, hence frames from outside.
 */
export async function makeTeaser(
  tools: Tools,
  url: string,
  options: TeaserWindow & { outputFile: string },
  run?: FfmpegRun,
): Promise<void> {
  const { startSeconds, endSeconds, outputFile } = options
  const facts = await probeVideo(tools, url, run)
  if (startSeconds < 0 || endSeconds <= startSeconds || endSeconds > facts.durationSeconds + 1) {
    throw new RangeError('The window of the teaser is outside the video')
  }
  const length = endSeconds - startSeconds
  const fps = playbackRate(facts.frameRate)
  // Frames from the window's end on never enter. A frame that comes during an image is shown from its start
  // (round=down, with 2 ms for containers that round their instants); so one from before the window is only
  // seen where the picture stands still. A still picture is repeated to the end.
  const pictures = [
    `trim=end=${length},setpts=PTS+0.002/TB`,
    `fps=${fps}:round=down`,
    'tpad=stop=-1:stop_mode=clone',
    `fps=${fps}:start_time=0`,
    `trim=end=${length}`,
    fitInside(facts, 1280, 720),
  ]
  const sounds = [`atrim=start=0:end=${length}`, EVEN_SOUND, `apad=whole_dur=${length}`]
  const outputArgs = [
    ...['-map', '0:V:0', '-vf', pictures.join(','), ...h264(fps, 24, 2_500)],
    ...(facts.hasAudio ? ['-map', '0:a:0', '-af', sounds.join(','), ...aac(128)] : []),
    ...[...BARE_MP4, `file:${outputFile}`],
  ]
  const inputArgs = ['-noaccurate_seek', '-ss', String(startSeconds)]
  const work = {
    url,
    inputArgs,
    outputArgs,
    durationSeconds: length,
    maxFileBytes: VARIANT_MAX_BYTES,
  }
  const { frames } = await runFfmpeg(tools, work, {
    timeoutMs: workTimeMs(facts.durationSeconds, HOUR_MS),
    ...run,
  })
  if (frames === 0) throw new UnreadableMedia('No picture of the window can be read')
}

/**
 * The picture shown at an instant, as webp. A teaser's poster is made from the teaser: where the video has no
 * picture yet at that instant, the next one is taken.
 */
export async function makePoster(
  tools: Tools,
  url: string,
  options: { atSeconds: number },
  run?: ToolRun,
): Promise<Buffer> {
  const facts = await probeVideo(tools, url, run)
  const atSeconds = Math.max(0, Math.min(options.atSeconds, facts.durationSeconds))
  const pictures = [
    'fps=30:round=up',
    'tpad=stop=-1:stop_mode=clone',
    'fps=30:start_time=0',
    fitInside(facts, POSTER_SIDE, POSTER_SIDE),
  ]
  const outputArgs = [
    ...['-map', '0:V:0', '-vf', pictures.join(','), '-frames:v', '1', '-pix_fmt', 'rgb24'],
    ...['-c:v', 'png', '-f', 'image2pipe', 'pipe:1'],
  ]
  const inputArgs = ['-noaccurate_seek', '-ss', String(atSeconds)]
  const { stdout } = await runFfmpeg(
    tools,
    { url, inputArgs, outputArgs },
    { timeoutMs: 600_000, ...run },
  )
  if (stdout.length === 0) throw new UnreadableMedia('No picture of the video can be read')
  return encodePicture(stdout, POSTER_SIDE)
}

/** The whole video for small screens and slow lines: 480p, 800 kb/s at most. */
export async function makeMobileVideo(
  tools: Tools,
  url: string,
  options: { outputFile: string },
  run?: FfmpegRun,
): Promise<void> {
  const facts = await probeVideo(tools, url, run)
  const { durationSeconds, hasAudio } = facts
  const fps = playbackRate(facts.frameRate)
  const kbps = Math.min(800, affordableKbps(durationSeconds))
  const soundKbps = Math.min(64, Math.floor(kbps / 4))
  const pictures = [`fps=${fps}`, fitInside(facts, 854, 480)]
  const outputArgs = [
    ...['-map', '0:V:0', '-vf', pictures.join(','), ...h264(fps, 27, kbps - soundKbps)],
    ...(hasAudio ? ['-map', '0:a:0', '-af', EVEN_SOUND, ...aac(soundKbps)] : []),
    ...[...BARE_MP4, `file:${options.outputFile}`],
  ]
  await makeFile(tools, { url, outputArgs, durationSeconds }, options.outputFile, run)
}

async function probeVideo(tools: Tools, url: string, run?: ToolRun): Promise<Probe> {
  const facts = await probe(tools, url, { signal: run?.signal })
  if (facts.kind !== 'video') throw new UnreadableMedia('There is no picture in the file')
  return facts
}

/**
 * Of the rates phones play smoothly, the one the video falls on. Not its own rate, which ffprobe may guess
 * from pictures outside the window.
 */
function playbackRate(rate: number | undefined): 24 | 25 | 30 {
  const isMultipleOf = (base: number) =>
    [1, 2, 4].some((times) => Math.abs((rate ?? 0) / (base * times) - 1) < 0.002)
  if (isMultipleOf(24)) return 24
  return isMultipleOf(25) ? 25 : 30
}

/** A fixed size, since a recording may change its own on the way; even, since H.264 wants it. */
function fitInside(facts: Probe, longSide: number, shortSide: number): string {
  const { width, height } = facts
  const ratio = Math.min(1, longSide / Math.max(width, height), shortSide / Math.min(width, height))
  const even = (side: number) => Math.max(2, Math.round((side * ratio) / 2) * 2)
  return `scale=${even(width)}:${even(height)}:flags=bicubic+accurate_rnd+bitexact,setsar=1,format=yuv420p`
}

function h264(fps: number, crf: number, maxKbps: number): string[] {
  return [
    ['-c:v', 'libx264', '-preset', 'veryfast', '-profile:v', 'main', '-crf', String(crf)],
    ['-maxrate', `${maxKbps}k`, '-bufsize', `${maxKbps * 2}k`, '-g', String(fps * 2)],
    ['-bsf:v', 'filter_units=remove_types=6'],
  ].flat()
}
