import { HOUR_MS, workTimeMs } from './encoding.ts'
import { type FfmpegRun, runFfmpeg, type Tools } from './ffmpeg.ts'

export const WAVEFORM_POINTS = 400

const SAMPLE_RATE = 16_000
const WINDOWS = WAVEFORM_POINTS * 4
const SHORTEST_WINDOW_SECONDS = 0.005
const LEVEL = 'lavfi.astats.Overall.RMS_level'
/** A whisper is drawn up to sixteen times louder; the noise of an empty room stays small. */
const LARGEST_GAIN = 16

/**
 * How loud a sound is along its length, from 0 (silence) to 1. ffmpeg tells the level of each window; the length it is
 * given only sets their size, so that a file that lies about it takes no more memory.
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

/** Keeps a bounded number of means: whenever it is full, two neighbours become one. */
function createFold() {
  let kept: number[] = []
  let span = 1
  let sum = 0
  let count = 0
  return {
    add(energy: number) {
      sum += energy
      count += 1
      if (count < span) return
      kept.push(sum / count)
      sum = 0
      count = 0
      if (kept.length < WINDOWS * 2) return
      kept = Array.from({ length: WINDOWS }, (_, at) => mean(kept.slice(at * 2, at * 2 + 2)))
      span *= 2
    },
    energies: () => (count > 0 ? [...kept, sum / count] : kept),
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
