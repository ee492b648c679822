import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { resetServerClock } from '#web/lib/clock.ts'
import {
  dayFromNow,
  furthestDay,
  instantOfMoment,
  isPastMoment,
  revealDateOf,
  validateMoment,
} from './reveal-moment.ts'

const zone = 'Europe/Brussels'
const rule = { firstDay: '2026-11-20', tooEarly: 'trop tôt' }

beforeEach(() => {
  resetServerClock()
  vi.useFakeTimers({ now: new Date('2026-11-20T12:00:00Z') })
})
afterEach(() => vi.useRealTimers())

test('a day without an hour is sent as a day, and opens at its start', () => {
  const moment = { day: '2027-01-01', time: '' }
  expect(revealDateOf(moment, zone)).toBe('2027-01-01')
  expect(instantOfMoment(moment, zone).toISOString()).toBe('2026-12-31T23:00:00.000Z')
})

test('an hour makes it an instant, by the clocks of the zone', () => {
  const moment = { day: '2027-07-14', time: '18:30' }
  expect(revealDateOf(moment, zone)).toBe('2027-07-14T16:30:00.000Z')
})

test.each([
  ['today without an hour', { day: '2026-11-20', time: '' }, true],
  ['an hour ago', { day: '2026-11-20', time: '12:00' }, true],
  ['in an hour', { day: '2026-11-20', time: '14:00' }, false],
  ['tomorrow', { day: '2026-11-21', time: '' }, false],
])('%s: already past is %s', (_name, moment, isPast) => {
  expect(isPastMoment(moment, zone)).toBe(isPast)
})

describe('a moment is refused', () => {
  test('before the first day', () => {
    expect(validateMoment({ day: '2026-11-19', time: '' }, zone, rule)).toBe('trop tôt')
    expect(validateMoment({ day: '2026-11-20', time: '' }, zone, rule)).toBeUndefined()
  })

  test('beyond a hundred years', () => {
    const last = furthestDay(zone)
    expect(last).toBe('2126-11-19')
    expect(validateMoment({ day: last, time: '23:59' }, zone, rule)).toBeUndefined()
    expect(validateMoment({ day: '2126-11-20', time: '' }, zone, rule)).toBe(
      'La date de révélation est trop lointaine (100 ans au plus)',
    )
  })

  test('never when it is the one already stored', () => {
    const stored = { ...rule, firstDay: '2026-11-21', storedInstant: '2026-11-20T17:30:00.000Z' }
    expect(validateMoment({ day: '2026-11-20', time: '18:30' }, zone, stored)).toBeUndefined()
    expect(validateMoment({ day: '2026-11-20', time: '18:31' }, zone, stored)).toBe('trop tôt')
  })
})

test.each([
  ['2027-01-31T12:00:00Z', 1, '2027-02-28'],
  ['2028-02-29T12:00:00Z', 12, '2029-02-28'],
  ['2026-11-20T12:00:00Z', 120, '2036-11-20'],
  ['2026-12-31T12:00:00Z', 2, '2027-02-28'],
])('from %s, %i months later is %s', (now, months, day) => {
  vi.setSystemTime(new Date(now))
  expect(dayFromNow(0, zone, months)).toBe(day)
})
