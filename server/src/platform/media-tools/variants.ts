import {
  aac,
  affordableKbps,
  EVEN_AUDIO,
  encodeFile,
  type FfmpegRun,
  HOUR_MS,
  MP4_WITHOUT_METADATA,
  runFfmpeg,
  type Tools,
  VARIANT_MAX_BYTES,
  workTimeMs,
} from './ffmpeg.ts'
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
 * Encodes the frames shown in the window again: the bytes do not depend on frames outside. A copy would contain whole
 * groups of pictures, and so frames from outside.
 */
export async function encodeTeaser(
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
  // Frames after the window never enter. A frame within an output frame is shown from its start (round=down, with 2 ms
  // for containers that round instants): one from before the window only shows in a still picture, which is repeated.
  const pictures = [
    `trim=end=${length},setpts=PTS+0.002/TB`,
    `fps=${fps}:round=down`,
    'tpad=stop=-1:stop_mode=clone',
    `fps=${fps}:start_time=0`,
    `trim=end=${length}`,
    fitInside(facts, 1280, 720),
  ]
  const sounds = [`atrim=start=0:end=${length}`, EVEN_AUDIO, `apad=whole_dur=${length}`]
  const outputArgs = [
    ...['-map', '0:V:0', '-vf', pictures.join(','), ...h264(fps, 24, 2_500)],
    ...(facts.hasAudio ? ['-map', '0:a:0', '-af', sounds.join(','), ...aac(128)] : []),
    ...[...MP4_WITHOUT_METADATA, `file:${outputFile}`],
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
 * The picture at an instant, as webp, or the next one if the video has none yet. The poster of a teaser is rendered from
 * the teaser.
 */
export async function encodePoster(
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
export async function encodeMobileVideo(
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
    ...(hasAudio ? ['-map', '0:a:0', '-af', EVEN_AUDIO, ...aac(soundKbps)] : []),
    ...[...MP4_WITHOUT_METADATA, `file:${options.outputFile}`],
  ]
  await encodeFile(tools, { url, outputArgs, durationSeconds }, options.outputFile, run)
}

async function probeVideo(tools: Tools, url: string, run?: ToolRun): Promise<Probe> {
  const facts = await probe(tools, url, { signal: run?.signal })
  if (facts.kind !== 'video') throw new UnreadableMedia('There is no picture in the file')
  return facts
}

/**
 * The rate that phones play smoothly and that fits the video. Not the video's own rate, which ffprobe may guess from
 * pictures outside the window.
 */
function playbackRate(rate: number | undefined): 24 | 25 | 30 {
  const isMultipleOf = (base: number) =>
    [1, 2, 4].some((times) => Math.abs((rate ?? 0) / (base * times) - 1) < 0.002)
  if (isMultipleOf(24)) return 24
  return isMultipleOf(25) ? 25 : 30
}

/** A fixed size, because a recording may change its own on the way; even numbers, because H.264 requires them. */
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
