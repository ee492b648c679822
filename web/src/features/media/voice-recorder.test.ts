import { expect, test } from 'vitest'
import { SOUND_MAX_BYTES } from '#contract/sounds.ts'
import {
  AUDIO_BITS_PER_SECOND,
  chooseMimeType,
  RECORDING_MAX_BYTES,
  recordingFileName,
  startRecordingClock,
} from './voice-recorder.ts'

test('pauses do not count, however often one asks for them', () => {
  let now = 1000
  const clock = startRecordingClock(() => now)
  now += 2000
  clock.pause()
  now += 60_000
  clock.pause()
  expect(clock.elapsedMs()).toBe(2000)
  clock.resume()
  now += 500
  clock.resume()
  now += 500
  expect(clock.elapsedMs()).toBe(3000)
})

test.each([
  [
    'opus where the browser has it',
    ['audio/webm;codecs=opus', 'audio/webm'],
    'audio/webm;codecs=opus',
  ],
  ['else any WebM', ['audio/webm', 'audio/mp4'], 'audio/webm'],
  ['MP4 on Safari', ['audio/mp4'], 'audio/mp4'],
  ['what the browser likes, otherwise', [], undefined],
])('it records in %s', (_name, supported: string[], chosen) => {
  expect(chooseMimeType((type) => supported.includes(type))).toBe(chosen)
})

test('two hours of speech fit in what a sound may weigh, and the end leaves room for the last second', () => {
  expect((RECORDING_MAX_BYTES * 8) / AUDIO_BITS_PER_SECOND).toBeGreaterThan(2 * 3600)
  expect(SOUND_MAX_BYTES - RECORDING_MAX_BYTES).toBeGreaterThan(AUDIO_BITS_PER_SECOND)
})

test.each([
  ['audio/webm;codecs=opus', 'message-vocal-2026-11-22-01-09.webm'],
  ['audio/mp4', 'message-vocal-2026-11-22-01-09.m4a'],
  ['audio/ogg;codecs=opus', 'message-vocal-2026-11-22-01-09.ogg'],
])('%s is called %s', (type, name) => {
  expect(recordingFileName(type, Date.parse('2026-11-22T01:09:30Z'))).toBe(name)
})
