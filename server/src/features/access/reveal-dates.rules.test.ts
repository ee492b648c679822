import { describe, expect, it } from 'vitest'
import { resolveMovedRevealDate, resolveNewRevealDate } from './reveal-dates.rules.ts'

// In Brussels it is 00:30 on 29 March 2026, the night the clocks go forward.
const NOW = new Date('2026-03-28T23:30:00Z')

describe('the date of a new revelation', () => {
  it.each([
    [
      'a day opens at midnight in Brussels by default',
      { reveal_date: '2027-01-01' },
      '2026-12-31T23:00:00.000Z',
    ],
    ['the day the clocks go forward', { reveal_date: '2026-03-29' }, '2026-03-28T23:00:00.000Z'],
    ['the day the clocks go back', { reveal_date: '2026-10-25' }, '2026-10-24T22:00:00.000Z'],
    ['the day after they went back', { reveal_date: '2026-10-26' }, '2026-10-25T23:00:00.000Z'],
    [
      'a day in another zone',
      { reveal_date: '2027-01-01', time_zone: 'America/Montreal' },
      '2027-01-01T05:00:00.000Z',
    ],
    [
      'a day whose midnight the clock skips',
      { reveal_date: '2026-09-06', time_zone: 'America/Santiago' },
      '2026-09-06T04:00:00.000Z',
    ],
    ['an exact instant', { reveal_date: '2026-12-24T18:00:00+01:00' }, '2026-12-24T17:00:00.000Z'],
    ['the start of today', { reveal_date: '2026-03-28T23:00:00Z' }, '2026-03-28T23:00:00.000Z'],
  ])('is right for %s', (_case, input, expected) => {
    const resolved = resolveNewRevealDate(input, NOW)
    expect('revealAt' in resolved && resolved.revealAt.toISOString()).toBe(expected)
  })

  it('is refused before the start of today in its zone, and beyond a hundred years', () => {
    expect(resolveNewRevealDate({ reveal_date: '2026-03-28T22:59:59Z' }, NOW)).toEqual({
      refusal: 'La date de révélation ne peut pas être dans le passé',
    })
    expect(resolveNewRevealDate({ reveal_date: '2126-03-30' }, NOW)).toEqual({
      refusal: 'La date de révélation est trop lointaine (100 ans au plus)',
    })
  })
})

describe('a moved date', () => {
  const stored = { revealAt: new Date('2026-03-29T10:00:00Z'), timeZone: 'Europe/Brussels' }

  it('may stay as it is, even if it is today', () => {
    const unchanged = resolveMovedRevealDate(
      { reveal_date: '2026-03-29T10:00:00.000Z' },
      stored,
      NOW,
    )
    expect(unchanged).toEqual(stored)
    expect(resolveMovedRevealDate({}, stored, NOW)).toEqual(stored)
  })

  it('is tomorrow at the earliest', () => {
    expect(resolveMovedRevealDate({ reveal_date: '2026-03-29T12:00:00Z' }, stored, NOW)).toEqual({
      refusal: 'La date de révélation doit être au plus tôt demain',
    })
    // The 29th lasts 23 hours: tomorrow starts at 22:00 UTC.
    const tomorrow = resolveMovedRevealDate({ reveal_date: '2026-03-30' }, stored, NOW)
    expect('revealAt' in tomorrow && tomorrow.revealAt.toISOString()).toBe(
      '2026-03-29T22:00:00.000Z',
    )
  })
})
