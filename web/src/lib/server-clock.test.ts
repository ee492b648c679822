import fc from 'fast-check'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { forgetServerClock, learnServerClock, serverNow } from './server-clock.ts'

const now = Date.parse('2026-11-20T12:00:00.000Z')

beforeEach(() => {
  vi.useFakeTimers({ now })
  forgetServerClock()
})
afterEach(() => vi.useRealTimers())

/** One answer from a server whose clock is `offset` away, seen through a network that takes `there` and `back`. */
function hear(offset: number, sentAt: number, there: number, back: number) {
  const header = new Date(sentAt + there + offset).toUTCString()
  learnServerClock(header, sentAt, sentAt + there + back)
}

test('a clock that may be right is left as it is', () => {
  hear(0, now, 20, 30)
  expect(serverNow()).toBe(now)
})

test('answers together say where the server’s clock is, closer than the second of the header', () => {
  fc.assert(
    fc.property(fc.integer({ min: -5_000_000, max: 5_000_000 }), (offset) => {
      forgetServerClock()
      for (let step = 0; step < 20; step++) hear(offset, now + step * 1070, 15, 15)
      expect(Math.abs(serverNow() - now - offset)).toBeLessThanOrEqual(100)
    }),
  )
})

test('a clock set while the page is open is believed again', () => {
  hear(0, now, 10, 10)
  hear(3_600_000, now, 10, 10)
  expect(Math.abs(serverNow() - now - 3_600_000)).toBeLessThanOrEqual(520)
})

test('an answer without a date teaches nothing', () => {
  learnServerClock(null, now, now + 10)
  expect(serverNow()).toBe(now)
})
