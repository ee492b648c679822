import { MAX_FRAME_PIXELS, runFfmpeg, runFfprobe, type Tools } from './ffmpeg.ts'
import { ToolFailed, UnreadableMedia } from './media-errors.ts'
import type { ToolRun } from './tool-process.ts'

export interface Probe {
  kind: 'video' | 'audio'
  durationSeconds: number
  /** As displayed, turned and with square pixels; 0 for a sound. */
  width: number
  height: number
  rotation: 0 | 90 | 180 | 270
  frameRate: number | undefined
  hasAudio: boolean
  /** ffprobe's name of the format, such as `mov,mp4,m4a,3gp,3g2,mj2`. */
  container: string
  videoCodec: string | undefined
  audioCodec: string | undefined
}

interface ProbedStream {
  codec_type?: string
  codec_name?: string
  width?: number
  height?: number
  sample_aspect_ratio?: string
  r_frame_rate?: string
  channels?: number
  disposition?: { attached_pic?: number }
  tags?: { rotate?: string }
  side_data_list?: { rotation?: number }[]
}

interface ProbedFile {
  format?: { format_name?: string; duration?: string }
  streams?: ProbedStream[]
}

const MAX_SIDE = 16_384
const MAX_SECONDS = 100 * 3_600
/** A recording that declares no more is measured: what is limited by its seconds could lie about them. */
const MEASURED_MAX_SECONDS = 600

/** Throws `UnreadableMedia` for a broken file, a playlist, a file without picture and sound, or one of absurd size. */
export async function probe(tools: Tools, url: string, run?: ToolRun): Promise<Probe> {
  const { format, streams = [] } = await readStreams(tools, url, run)
  // A cover picture inside a song is a video stream for ffprobe, not for people.
  const video = streams.find((s) => s.codec_type === 'video' && s.disposition?.attached_pic !== 1)
  const audio = streams.find((s) => s.codec_type === 'audio')
  const hasAudio = Boolean(audio?.codec_name && audio.channels)
  if (!format?.format_name || (!video && !hasAudio)) {
    throw new UnreadableMedia('There is no picture and no sound in the file')
  }
  const declared = Number(format.duration)
  const isTrusted = video !== undefined || declared > MEASURED_MAX_SECONDS
  const isKnown = declared > 0 && isTrusted && !(await isGuessed(url, format.format_name, run))
  const durationSeconds = isKnown ? declared : await measureDuration(tools, url, run)
  if (!(durationSeconds > 0 && durationSeconds < MAX_SECONDS)) {
    throw new UnreadableMedia('The file has no usable duration')
  }
  return {
    kind: video ? 'video' : 'audio',
    durationSeconds,
    ...(video ? readFrame(video) : { width: 0, height: 0, rotation: 0, frameRate: undefined }),
    hasAudio,
    container: format.format_name,
    videoCodec: video?.codec_name,
    audioCodec: hasAudio ? audio?.codec_name : undefined,
  }
}

async function readStreams(tools: Tools, url: string, run?: ToolRun): Promise<ProbedFile> {
  const args = ['-show_format', '-show_streams', '-of', 'json']
  return JSON.parse(await runFfprobe(tools, url, args, run).catch(rethrowUnreadable))
}

/** Whether ffprobe guesses the duration: of a raw AAC from its first bits, of an mp4 in fragments from the first one. */
async function isGuessed(url: string, container: string, run?: ToolRun): Promise<boolean> {
  if (container === 'aac') return true
  if (!container.startsWith('mov')) return false
  const headers = { range: `bytes=0-${CONTAINER_HEAD_BYTES - 1}` }
  const answer = await fetch(url, { headers, ...(run?.signal && { signal: run.signal }) })
  return isFragmentedMp4(Buffer.from(await answer.arrayBuffer()))
}

/** Recordings of browsers declare no duration: it is measured by reading all packets. */
async function measureDuration(tools: Tools, url: string, run?: ToolRun): Promise<number> {
  const outputArgs = ['-map', '0:V:0?', '-map', '0:a:0?', '-c', 'copy', '-f', 'null', '-']
  const { seconds } = await runFfmpeg(tools, { url, outputArgs }, run).catch(rethrowUnreadable)
  return seconds
}

function rethrowUnreadable(error: unknown): never {
  if (error instanceof ToolFailed && isRejectedByTool(error)) {
    throw new UnreadableMedia('The file cannot be read', { cause: error })
  }
  throw error
}

/** Exit codes of a shell for a command that is missing or cannot run, and of ffmpeg after a signal. */
const EXIT_CODES_OF_OTHERS = [126, 127, 255]
/** Commands of the confinement, which also exit with 1 but name themselves in their message. */
const CONFINEMENT_MESSAGE = /(^|\s)(nsenter|setpriv|env|(\/bin\/)?sh): /

/** Whether the tool itself rejected the file: it was neither killed nor prevented from running. */
function isRejectedByTool({ exitCode, message }: ToolFailed): boolean {
  return (
    exitCode !== null &&
    !EXIT_CODES_OF_OTHERS.includes(exitCode) &&
    !CONFINEMENT_MESSAGE.test(message)
  )
}

function readFrame(video: ProbedStream) {
  const { width = 0, height = 0, codec_name } = video
  const absurd = Math.max(width, height) > MAX_SIDE || width * height > MAX_FRAME_PIXELS
  if (!codec_name || width < 2 || height < 2 || absurd) {
    throw new UnreadableMedia(`The video has no usable picture (${width}×${height})`)
  }
  const shown = Math.max(2, Math.round(width * readPixelAspect(video)))
  const rotation = readRotation(video)
  const turned = rotation === 90 || rotation === 270
  return {
    width: turned ? height : shown,
    height: turned ? shown : height,
    rotation,
    frameRate: readRatio(video.r_frame_rate, '/'),
  }
}

function readPixelAspect(video: ProbedStream): number {
  const aspect = readRatio(video.sample_aspect_ratio, ':') ?? 1
  return aspect >= 0.2 && aspect <= 5 ? aspect : 1
}

function readRotation(video: ProbedStream): Probe['rotation'] {
  const turn = video.side_data_list?.find((data) => data.rotation !== undefined)?.rotation
  // The side data turns counterclockwise, the tag of older versions clockwise.
  const clockwise = turn !== undefined ? -turn : Number(video.tags?.rotate ?? 0)
  const quarter = (((Math.round(clockwise / 90) * 90) % 360) + 360) % 360
  return quarter === 90 || quarter === 180 || quarter === 270 ? quarter : 0
}

function readRatio(text: string | undefined, separator: string): number | undefined {
  const [over, under] = (text ?? '').split(separator).map(Number)
  return over && under ? over / under : undefined
}

/** The number of bytes that `isLiveRecording` reads. */
export const CONTAINER_HEAD_BYTES = 64 * 1024

const EBML = Buffer.from('1a45dfa3', 'hex')
const CLUSTER = Buffer.from('1f43b675', 'hex')
const CUES = Buffer.from('1c53bb6b', 'hex')
// The element with its size, of four or eight bytes.
const DURATIONS = [Buffer.from('448984', 'hex'), Buffer.from('448988', 'hex')]

/**
 * Whether the first bytes are those of a browser's recording, written live: a webm without length or index, an mp4 in
 * fragments. An Ogg never has an index, and declares its length at its end.
 */
export function isLiveRecording(head: Buffer): boolean {
  return isLiveMatroska(head) || isFragmentedMp4(head)
}

function isLiveMatroska(head: Buffer): boolean {
  if (!head.subarray(0, 4).equals(EBML)) return false
  const firstCluster = head.indexOf(CLUSTER)
  // The part before the first packets names the index, wherever it is.
  const front = firstCluster === -1 ? head : head.subarray(0, firstCluster)
  return !front.includes(CUES) || !DURATIONS.some((duration) => front.includes(duration))
}

/** Such a file declares no length, or only that of its first fragment. */
function isFragmentedMp4(head: Buffer): boolean {
  if (head.toString('latin1', 4, 8) !== 'ftyp') return false
  let at = 0
  while (at + 8 <= head.length) {
    const size = head.readUInt32BE(at)
    const box = head.toString('latin1', at + 4, at + 8)
    if (box === 'moof') return true
    if (box === 'moov') return head.subarray(at, at + size).includes('mvex')
    // A size of 0 or 1 means a box too long to precede the index of a recording.
    if (box === 'mdat' || size < 8) return false
    at += size
  }
  return false
}
