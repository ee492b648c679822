import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { addDays, dayAt, instantOf, startOfDay, timeAt } from './zoned-time.ts'

const zones = [
  'Europe/Brussels',
  'Europe/London',
  'America/New_York',
  'America/St_Johns',
  'America/Havana',
  'Africa/Cairo',
  'Asia/Beirut',
  'Asia/Kolkata',
  'Australia/Lord_Howe',
  'Pacific/Apia',
  'Pacific/Kiritimati',
  'UTC',
]
const anyZone = fc.constantFrom(...zones)
const anyDay = fc.integer({ min: 0, max: 365 * 110 }).map((count) => addDays('2020-01-01', count))
const anyTime = fc
  .tuple(fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 59 }))
  .map(([hour, minute]) => `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`)

describe('the start of a day', () => {
  test('belongs to that day, and the millisecond before it does not', () => {
    fc.assert(
      fc.property(anyDay, anyZone, (day, zone) => {
        const start = startOfDay(day, zone)
        expect(dayAt(start, zone)).toBe(day)
        expect(dayAt(new Date(start.getTime() - 1), zone)).toBe(addDays(day, -1))
      }),
      { numRuns: 400 },
    )
  })

  test.each([
    ['a winter day in Brussels', '2027-01-01', 'Europe/Brussels', '2026-12-31T23:00:00.000Z'],
    ['the day summer time begins', '2027-03-28', 'Europe/Brussels', '2027-03-27T23:00:00.000Z'],
    ['the day after', '2027-03-29', 'Europe/Brussels', '2027-03-28T22:00:00.000Z'],
    ['the day summer time ends', '2027-10-31', 'Europe/Brussels', '2027-10-30T22:00:00.000Z'],
    ['the day after', '2027-11-01', 'Europe/Brussels', '2027-10-31T23:00:00.000Z'],
    ['a day without midnight', '2027-04-30', 'Africa/Cairo', '2027-04-29T22:00:00.000Z'],
    ['29 February', '2028-02-29', 'Europe/Brussels', '2028-02-28T23:00:00.000Z'],
  ])('%s', (_name, day, zone, instant) => {
    expect(startOfDay(day, zone).toISOString()).toBe(instant)
  })
})

describe('the instant of a day and an hour', () => {
  test('shows that day and hour on the clocks there, or the first hour after a jump', () => {
    fc.assert(
      fc.property(anyDay, anyTime, anyZone, (day, time, zone) => {
        const instant = instantOf(day, time, zone)
        const shown = Date.parse(`${dayAt(instant, zone)}T${timeAt(instant, zone)}Z`)
        const late = (shown - Date.parse(`${day}T${time}Z`)) / 60_000
        expect([0, 30, 60]).toContain(late)
      }),
      { numRuns: 400 },
    )
  })

  test.each([
    ['an ordinary evening', '2026-12-24', '18:30', '2026-12-24T17:30:00.000Z'],
    ['an hour the clocks jump over', '2027-03-28', '02:30', '2027-03-28T01:30:00.000Z'],
    ['an hour that happens twice', '2027-10-31', '02:30', '2027-10-31T00:30:00.000Z'],
  ])('%s in Brussels', (_name, day, time, instant) => {
    expect(instantOf(day, time, 'Europe/Brussels').toISOString()).toBe(instant)
  })
})
