import { afterAll, expect, test } from 'vitest'
import { recordedAudio, renderSound, TOOLS } from '#testing/media-files.ts'
import { plainFile } from '#testing/media-probe.ts'
import { measureWaveform, WAVEFORM_POINTS } from './audio.ts'
import { closePlainSources, withPlainSource } from './plain-source.ts'

afterAll(closePlainSources)

function waveform(sound: Buffer, durationSeconds: number): Promise<number[]> {
  return withPlainSource(plainFile(sound), (url) =>
    measureWaveform(TOOLS, url, { durationSeconds }),
  )
}

/** Where the first loud point stands, from 0 to 1. */
function stepOf(peaks: number[]): number {
  return peaks.findIndex((peak) => peak > 0.5) / peaks.length
}

const HALF_SILENT = [
  'sine=frequency=440:sample_rate=48000:d=8',
  '-af',
  "volume='gte(t,4)':eval=frame",
]

test.for(['flac', 'ogg', 'm4a', 'webm'] as const)(
  'half silence, half tone as %s has its step at the middle',
  async (format) => {
    const peaks = await waveform(await renderSound(format, HALF_SILENT), 8)
    expect(peaks).toHaveLength(WAVEFORM_POINTS)
    expect(Math.abs(stepOf(peaks) - 0.5)).toBeLessThan(0.01)
    expect(Math.max(...peaks.slice(0, 190))).toBeLessThan(0.02)
    expect(Math.min(...peaks.slice(210, 390))).toBeGreaterThan(0.9)
  },
)

test('a recording of a browser, which says no length, is drawn like any other', async () => {
  const peaks = await waveform(await recordedAudio('webm', 6), 6)
  expect(peaks).toHaveLength(WAVEFORM_POINTS)
  expect(Math.min(...peaks.slice(5, 395))).toBeGreaterThan(0.9)
})

test('silence is zeros', async () => {
  const silence = await renderSound('flac', ['anullsrc=r=48000:cl=stereo', '-t', '3'])
  expect(await waveform(silence, 3)).toEqual(Array.from({ length: WAVEFORM_POINTS }, () => 0))
})

test('a whisper is seen, louder than it is, and no value is above 1', async () => {
  const tone = 'sine=frequency=440:sample_rate=48000:d=4'
  const whisper = await waveform(await renderSound('flac', [tone, '-af', 'volume=-20dB']), 4)
  expect(whisper[200]).toBeGreaterThan(0.05)
  const square = await waveform(await renderSound('flac', [tone, '-af', 'volume=40dB']), 4)
  expect(Math.max(...square)).toBeLessThanOrEqual(1)
})

test('both sides of a stereo sound count, even when they are opposite', async () => {
  const args = ['sine=frequency=440:sample_rate=48000:d=2', '-af', 'pan=stereo|c0=c0|c1=-1*c0']
  expect((await waveform(await renderSound('flac', args), 2))[200]).toBeGreaterThan(0.9)
})

test('a sound too short for all the points still has them all', async () => {
  const peaks = await waveform(await renderSound('wav', ['sine=frequency=440:d=0.1']), 0.1)
  expect(peaks).toHaveLength(WAVEFORM_POINTS)
})

test.for([
  ['a hundredth', 0.08],
  ['a thousandfold', 36_000],
] as const)('a length that is said to be %s changes nothing but the detail', async ([, said]) => {
  const peaks = await waveform(await renderSound('flac', HALF_SILENT), said)
  expect(peaks).toHaveLength(WAVEFORM_POINTS)
  if (said < 8) expect(Math.abs(stepOf(peaks) - 0.5)).toBeLessThan(0.01)
})

test('two hours are folded into as many points in bounded memory', async () => {
  const long = await renderSound('flac', ['anullsrc=r=8000:cl=mono', '-t', '7200'])
  const before = process.memoryUsage().rss
  // Said to last six minutes: twenty times more windows come than were expected.
  expect(await waveform(long, 360)).toHaveLength(WAVEFORM_POINTS)
  expect(process.memoryUsage().rss - before).toBeLessThan(100 * 1024 * 1024)
})
