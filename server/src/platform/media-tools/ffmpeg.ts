import { stat } from 'node:fs/promises'
import { StartError } from '#server/platform/start-error.ts'
import { ToolFailed, UnreadableMedia } from './media-errors.ts'
import { type Confinement, runTool, type ToolRun } from './tool-process.ts'

export interface ToolPaths {
  ffmpegPath: string
  ffprobePath: string
}

export interface Tools extends ToolPaths {
  /** Undefined for a tool that runs as the program itself, with the limits that apply everywhere. */
  confinement?: Confinement | undefined
}

export interface FfmpegRun extends ToolRun {
  /** Called with 0 to 1, never decreasing. */
  onProgress?: ((fraction: number) => void) | undefined
}

/** The same run, whose progress is that of a part of the work. */
export function withPartialProgress(run: FfmpegRun, from: number, to: number): FfmpegRun {
  const { onProgress } = run
  return { ...run, onProgress: (fraction) => onProgress?.(from + fraction * (to - from)) }
}

export interface FfmpegWork {
  url: string
  inputArgs?: string[]
  outputArgs: string[]
  /** Length of the output, for the progress. */
  durationSeconds?: number
  maxFileBytes?: number
  /** Receives the lines of the standard output, which is then not returned. */
  onOutputLine?: (line: string) => void
}

/** Frame size above which a video is refused: the largest 8K, with room for portrait. */
export const MAX_FRAME_PIXELS = 50_000_000

/** Few, so that the api has a core; and fixed, because the bytes of x264 depend on the number. */
const THREADS = '2'

// A playlist named .mp4 makes ffmpeg open the files it names: only formats without paths are allowed, and only the
// loopback address can be opened.
const GUARDED_INPUT = [
  ['-protocol_whitelist', 'http,tcp'],
  ['-format_whitelist', 'mov,mp4,matroska,webm,avi,ogg,mp3,wav,flac,aac'],
  ['-max_pixels', String(MAX_FRAME_PIXELS)],
].flat()

/** The output of ffprobe for a source. */
export async function runFfprobe(
  tools: Tools,
  url: string,
  args: string[],
  run?: ToolRun,
): Promise<string> {
  const { confinement } = tools
  const address = confinement?.addressOf(url) ?? url
  const stdout = await runTool(
    {
      path: tools.ffprobePath,
      args: ['-hide_banner', '-loglevel', 'error', ...GUARDED_INPUT, ...args, address],
      confinement,
      secret: address,
    },
    run,
  )
  return stdout.toString()
}

export interface FfmpegResult {
  stdout: Buffer
  /** Number of pictures, and length, of the output. */
  frames: number
  seconds: number
}

export async function runFfmpeg(
  tools: Tools,
  work: FfmpegWork,
  run: FfmpegRun = {},
): Promise<FfmpegResult> {
  const { inputArgs = [], outputArgs, durationSeconds = 0, maxFileBytes, onOutputLine } = work
  const { confinement } = tools
  const url = confinement?.addressOf(work.url) ?? work.url
  let frames = 0
  let seconds = 0
  const report = (fraction: number) => run.onProgress?.(fraction)
  const onLine = (line: string) => {
    const [key, value] = line.split('=')
    if (key === 'frame') frames = Number(value)
    if (key !== 'out_time_us' || !(Number(value) / 1e6 > seconds)) return
    seconds = Number(value) / 1e6
    // The end is reported once the file is whole.
    if (seconds < durationSeconds) report(seconds / durationSeconds)
  }
  const stdout = await runTool(
    {
      path: tools.ffmpegPath,
      args: [
        ['-nostdin', '-hide_banner', '-nostats', '-loglevel', 'error', '-progress', 'pipe:3', '-y'],
        ['-filter_threads', '1', ...GUARDED_INPUT, '-threads', THREADS, ...inputArgs, '-i', url],
        ['-threads', THREADS, ...outputArgs],
      ].flat(),
      confinement,
      secret: url,
      maxStdoutBytes: 32 * 1024 * 1024,
      ...(maxFileBytes !== undefined && { maxFileBytes }),
      ...(onOutputLine && { onOutputLine }),
      onLine,
    },
    run,
  )
  report(1)
  return { stdout, frames, seconds }
}

/** A variant is written to memory: a longer source gets fewer bits, so that no variant is larger. */
export const VARIANT_MAX_BYTES = 256 * 1024 * 1024

export const HOUR_MS = 3_600_000

const START_MS = 600_000
const MAX_SLOWNESS = 30

/** The time limit of work on a whole film: on a slow and busy machine, many times its length. */
export function workTimeMs(durationSeconds: number, maxMs: number): number {
  return Math.min(maxMs, START_MS + durationSeconds * 1000 * MAX_SLOWNESS)
}

/** Removes everything but pictures and sound: tags, chapters, captions (SEI), encoder names. */
export const WITHOUT_METADATA = [
  ['-map_metadata', '-1', '-map_metadata:s', '-1', '-map_chapters', '-1', '-sn', '-dn'],
  ['-fflags', '+bitexact', '-flags:v', '+bitexact', '-flags:a', '+bitexact'],
].flat()

export const MP4_WITHOUT_METADATA = [...WITHOUT_METADATA, '-movflags', '+faststart', '-f', 'mp4']

/** Fills gaps in the sound and a late start with silence, so that it stays in sync with the picture. */
export const EVEN_AUDIO = 'aresample=48000:async=1:first_pts=0'

export function aac(kbps: number): string[] {
  return ['-c:a', 'aac', '-b:a', `${kbps}k`, '-ac', '2', '-ar', '48000']
}

export function affordableKbps(durationSeconds: number): number {
  return Math.max(24, Math.floor((VARIANT_MAX_BYTES * 8) / 1000 / durationSeconds))
}

/** Runs ffmpeg for an output file, which must not be empty. */
export async function encodeFile(
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

const NEEDED_ENCODERS = ['libx264', 'aac', 'png']

/** Refuses to start without the tools that render variants: a video would be accepted and never shown. */
export async function checkTools(tools: ToolPaths): Promise<void> {
  await query(tools.ffprobePath, '-version', 'ffprobe', 'FFPROBE_PATH')
  const encoders = await query(tools.ffmpegPath, '-encoders', 'ffmpeg', 'FFMPEG_PATH')
  const known = new Set(Array.from(encoders.matchAll(/^ [VAS]\S{5} (\S+)/gm), (match) => match[1]))
  const missing = NEEDED_ENCODERS.filter((encoder) => !known.has(encoder))
  if (missing.length > 0) {
    throw new StartError(
      `The ffmpeg at « ${tools.ffmpegPath} » was built without ${missing.join(', ')}: install a complete ffmpeg (for example « apt install ffmpeg ») or set FFMPEG_PATH to one.`,
    )
  }
}

/** Tools yield to everything else: while a machine boots they may wait for long. */
export const ANSWER_WITHIN_MS = 120_000

async function query(
  path: string,
  option: string,
  tool: string,
  variable: string,
): Promise<string> {
  try {
    const args = ['-hide_banner', option]
    return (await runTool({ path, args }, { timeoutMs: ANSWER_WITHIN_MS })).toString()
  } catch (error) {
    const missing =
      error instanceof ToolFailed && (error.exitCode === 127 || error.exitCode === 126)
    const what = missing ? 'cannot be found or run' : 'does not work'
    throw new StartError(
      `${tool} ${what} at « ${path} »: install it (for example « apt install ffmpeg ») or set ${variable} to its path.`,
      { cause: error },
    )
  }
}
