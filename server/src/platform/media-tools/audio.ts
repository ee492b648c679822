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
  WITHOUT_METADATA,
  workTimeMs,
} from './ffmpeg.ts'
import { probe } from './probe.ts'

/** Encodes the sound of a recording or a video as AAC, which every phone plays and seeks in. */
export async function encodeSound(
  tools: Tools,
  url: string,
  options: { outputFile: string },
  run?: FfmpegRun,
): Promise<void> {
  const { durationSeconds } = await probe(tools, url, { signal: run?.signal })
  const kbps = Math.min(128, affordableKbps(durationSeconds))
  const outputArgs = [
    ...['-map', '0:a:0', '-vn', '-af', EVEN_AUDIO, ...aac(kbps)],
    ...[...MP4_WITHOUT_METADATA, `file:${options.outputFile}`],
  ]
  await encodeFile(tools, { url, outputArgs, durationSeconds }, options.outputFile, run)
}

/** Space for the index, beside the packets of the source. */
const INDEX_BYTES = 16 * 1024 * 1024

/** Copies the packets of a recording into a container with a length and an index. */
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
  await encodeFile(tools, work, options.outputFile, run)
}

function containerArgs(container: string, codec: string | undefined): string[] {
  if (!container.startsWith('matroska')) return MP4_WITHOUT_METADATA
  const isWebm = codec === 'opus' || codec === 'vorbis'
  return [...WITHOUT_METADATA, '-cues_to_front', '1', '-f', isWebm ? 'webm' : 'matroska']
}

export const WAVEFORM_POINTS = 400

const SAMPLE_RATE = 16_000
const WINDOWS = WAVEFORM_POINTS * 4
const SHORTEST_WINDOW_SECONDS = 0.005
const LEVEL = 'lavfi.astats.Overall.RMS_level'
/** A whisper is drawn up to sixteen times louder; background noise stays small. */
const LARGEST_GAIN = 16

/**
 * The loudness of a sound along its length, from 0 (silence) to 1. ffmpeg prints the level of each window; the declared
 * length only sets the window size, so that a false length costs no memory.
 */
export async function measureWaveform(
  tools: Tools,
  url: string,
  options: { durationSeconds: number },
  run?: FfmpegRun,
): Promise<number[]> {
  const seconds = Math.max(SHORTEST_WINDOW_SECONDS, options.durationSeconds / WINDOWS)
  const filters = [
    `aresample=${SAMPLE_RATE}:async=1:first_pts=0`,
    `asetnsamples=n=${Math.round(seconds * SAMPLE_RATE)}:p=0`,
    'astats=metadata=1:reset=1:measure_perchannel=none:measure_overall=RMS_level',
    `ametadata=mode=print:key=${LEVEL}:file=-`,
  ]
  const outputArgs = ['-map', '0:a:0', '-vn', '-af', filters.join(','), '-f', 'null', '-']
  const fold = createFold()
  const onOutputLine = (line: string) => {
    if (line.startsWith(LEVEL)) fold.add(energyOf(line.slice(LEVEL.length + 1)))
  }
  await runFfmpeg(
    tools,
    { url, outputArgs, onOutputLine, durationSeconds: options.durationSeconds },
    {
      timeoutMs: workTimeMs(options.durationSeconds, HOUR_MS),
      ...run,
    },
  )
  return evenly(fold.energies())
}

/** The mean square of a level in decibels; silence is « -inf ». */
function energyOf(decibels: string): number {
  const energy = 10 ** (Number(decibels.replace('inf', 'Infinity')) / 10)
  return Number.isFinite(energy) ? energy : 0
}

/** A bounded number of means: when it is full, pairs of neighbours are merged. */
function createFold() {
  let means: number[] = []
  let span = 1
  let sum = 0
  let count = 0
  return {
    add(energy: number) {
      sum += energy
      count += 1
      if (count < span) return
      means.push(sum / count)
      sum = 0
      count = 0
      if (means.length < WINDOWS * 2) return
      means = Array.from({ length: WINDOWS }, (_, at) => mean(means.slice(at * 2, at * 2 + 2)))
      span *= 2
    },
    energies: () => (count > 0 ? [...means, sum / count] : means),
  }
}

function evenly(energies: readonly number[]): number[] {
  const levels = Array.from({ length: energies.length > 0 ? WAVEFORM_POINTS : 0 }, (_, point) => {
    const from = Math.floor((point * energies.length) / WAVEFORM_POINTS)
    const to = Math.floor(((point + 1) * energies.length) / WAVEFORM_POINTS)
    return Math.sqrt(mean(energies.slice(from, Math.max(from + 1, to))))
  })
  const gain = Math.min(LARGEST_GAIN, 1 / Math.max(...levels))
  return levels.map((level) => (level === 0 ? 0 : Math.round(level * gain * 1_000) / 1_000))
}

function mean(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0) / numbers.length
}
