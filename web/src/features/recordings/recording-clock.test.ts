import { expect, test } from 'vitest'
import { startRecordingClock } from './recording-clock.ts'

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
