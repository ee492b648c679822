import { describe, expect, test } from 'vitest'
import type { CalendarEvent, EventType } from '#contract/calendar.ts'
import { eventsOfDay, indexEvents, nextDayOf } from './day-entries.ts'

function anEvent(date: string, type: EventType): CalendarEvent {
  return { id: `${type} ${date}`, title: 'Un jour', date, type, description: '' }
}

function falls(event: CalendarEvent, day: string): boolean {
  return eventsOfDay(indexEvents([event]), day).length > 0
}

describe('an event of a calendar', () => {
  test.each(['birthday', 'anniversary'] as const)('comes back every year: %s', (type) => {
    const event = anEvent('2020-06-15', type)
    expect(falls(event, '2020-06-15')).toBe(true)
    expect(falls(event, '2027-06-15')).toBe(true)
    expect(falls(event, '2027-06-16')).toBe(false)
  })

  test('does not come back before its own day', () => {
    expect(falls(anEvent('2020-06-15', 'birthday'), '2019-06-15')).toBe(false)
  })

  test.each(['holiday', 'other'] as const)('is there once: %s', (type) => {
    const event = anEvent('2026-06-15', type)
    expect(falls(event, '2026-06-15')).toBe(true)
    expect(falls(event, '2027-06-15')).toBe(false)
  })

  test('born on 29 February, is kept on the 28th in the years without one', () => {
    const event = anEvent('2024-02-29', 'birthday')
    expect(falls(event, '2024-02-29')).toBe(true)
    expect(falls(event, '2024-02-28')).toBe(false)
    expect(falls(event, '2025-02-28')).toBe(true)
    expect(falls(event, '2025-03-01')).toBe(false)
    expect(falls(event, '2028-02-28')).toBe(false)
    expect(falls(event, '2028-02-29')).toBe(true)
    // 2100 is divided by four, and no leap year.
    expect(falls(event, '2100-02-28')).toBe(true)
  })
})

describe('the next day of an event', () => {
  test.each([
    ['today', anEvent('2020-11-22', 'birthday'), '2026-11-22', '2026-11-22'],
    ['later this year', anEvent('2020-12-24', 'anniversary'), '2026-11-22', '2026-12-24'],
    ['next year', anEvent('2020-11-21', 'birthday'), '2026-11-22', '2027-11-21'],
    ['its own first day', anEvent('2028-02-29', 'birthday'), '2026-11-22', '2028-02-29'],
    ['28 February', anEvent('2024-02-29', 'birthday'), '2026-11-22', '2027-02-28'],
    ['past, and never again', anEvent('2026-11-21', 'holiday'), '2026-11-22', undefined],
  ])('is %s', (_, event, from, day) => {
    expect(nextDayOf(event, from)).toBe(day)
  })
})
