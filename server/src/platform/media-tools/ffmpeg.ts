import { type Confinement, runTool, type ToolRun } from './tool-process.ts'

export interface ToolPaths {
  ffmpegPath: string
  ffprobePath: string
}

export interface Tools extends ToolPaths {
  /** Without, a tool runs as the program itself, with what is bounded everywhere. */
  confinement?: Confinement | undefined
}

export interface FfmpegRun extends ToolRun {
  /** Told from 0 to 1, never going back. */
  onProgress?: ((fraction: number) => void) | undefined
}

/** The same run, which tells its progress as that of a part of the work. */
export function portion(run: FfmpegRun, from: number, to: number): FfmpegRun {
  const { onProgress } = run
  return { ...run, onProgress: (fraction) => onProgress?.(from + fraction * (to - from)) }
}

export interface FfmpegWork {
  url: string
  inputArgs?: string[]
  outputArgs: string[]
  /** Length of what is made, to tell the progress. */
  durationSeconds?: number
  maxFileBytes?: number
  /** Lines it writes on its standard output, which are then not kept. */
  onOutputLine?: (line: string) => void
}

/** Frame size above which a video is refused: the largest 8K, with room for portrait. */
export const MAX_FRAME_PIXELS = 50_000_000

/** Few, so that the api keeps a core; and fixed, because x264 gives other bytes with another number. */
const THREADS = '2'

// A playlist named .mp4 makes ffmpeg open the files it names: the formats that hold no path are listed, and
// nothing but our loopback address can be opened.
const GUARDED_INPUT = [
  ['-protocol_whitelist', 'http,tcp'],
  ['-format_whitelist', 'mov,mp4,matroska,webm,avi,ogg,mp3,wav,flac,aac'],
  ['-max_pixels', String(MAX_FRAME_PIXELS)],
].flat()

/** What ffprobe says of a source, as it prints it. */
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
  /** How many pictures, and how much time, were written. */
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
  const tell = (fraction: number) => run.onProgress?.(fraction)
  const onLine = (line: string) => {
    const [key, value] = line.split('=')
    if (key === 'frame') frames = Number(value)
    if (key !== 'out_time_us' || !(Number(value) / 1e6 > seconds)) return
    seconds = Number(value) / 1e6
    // The end is told once the file is whole.
    if (seconds < durationSeconds) tell(seconds / durationSeconds)
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
  tell(1)
  return { stdout, frames, seconds }
}
