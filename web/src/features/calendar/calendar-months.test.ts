import { afterEach, describe, expect, test, vi } from 'vitest'
import { addMonths, dayReachedBy, lastDayOf, weeksAround } from './calendar-months.ts'

afterEach(() => void vi.unstubAllEnvs())

describe('a month', () => {
  test('begins on a Monday and ends on a Sunday, whatever days it has', () => {
    expect(weeksAround('2026-11')).toEqual({ first: '2026-10-26', last: '2026-12-06' })
    expect(weeksAround('2027-02')).toEqual({ first: '2027-02-01', last: '2027-02-28' })
  })

  test('follows another across the years', () => {
    expect(addMonths('2026-12', 1)).toBe('2027-01')
    expect(addMonths('2026-01', -1)).toBe('2025-12')
    expect(lastDayOf('2028-02')).toBe('2028-02-29')
  })

  // Where midnight itself is jumped over, and where a day lasts 23 or 25 hours.
  test.each(['America/Santiago', 'Europe/Brussels', 'Africa/Cairo'])(
    'loses no day when the clocks change in %s',
    (there) => {
      vi.stubEnv('TZ', there)
      for (const month of ['2026-03', '2026-04', '2026-09', '2026-10']) {
        let day = weeksAround(month).first
        const seen = [day]
        while (day < weeksAround(month).last) {
          day = dayReachedBy({ key: 'ArrowRight', shiftKey: false }, day) ?? ''
          seen.push(day)
        }
        expect(new Set(seen).size).toBe(seen.length)
        expect(seen.length % 7).toBe(0)
      }
    },
  )
})

describe('the keys of the grid', () => {
  test.each([
    ['ArrowLeft', false, '2026-11-21'],
    ['ArrowRight', false, '2026-11-23'],
    ['ArrowUp', false, '2026-11-15'],
    ['ArrowDown', false, '2026-11-29'],
    ['Home', false, '2026-11-16'],
    ['End', false, '2026-11-22'],
    ['PageUp', false, '2026-10-22'],
    ['PageDown', false, '2026-12-22'],
    ['PageUp', true, '2025-11-22'],
    ['PageDown', true, '2027-11-22'],
    ['Tab', false, undefined],
  ])('%s (shift: %s) leads from 22 November 2026 to %s', (key, shiftKey, day) => {
    expect(dayReachedBy({ key, shiftKey }, '2026-11-22')).toBe(day)
  })

  test('stay in the month they lead to, however short', () => {
    const next = { key: 'PageDown', shiftKey: false }
    expect(dayReachedBy(next, '2027-01-31')).toBe('2027-02-28')
    expect(dayReachedBy({ key: 'PageDown', shiftKey: true }, '2028-02-29')).toBe('2029-02-28')
  })
})
