import { describe, expect, test } from 'vitest'
import {
  formatCountdown,
  formatDaysUntil,
  formatElapsed,
  formatRelative,
  formatShortInstant,
} from './dates.ts'

const now = Date.parse('2026-11-20T12:00:00Z')

test('a short instant names the zone only to whoever lives in another one', () => {
  const here = Intl.DateTimeFormat().resolvedOptions().timeZone
  expect(formatShortInstant('2026-12-31T23:00:00.000Z', here)).not.toContain('heure')
  expect(formatShortInstant('2026-12-31T23:00:00.000Z', 'Pacific/Kiritimati')).toBe(
    '1 janvier 2027 à 13:00 (heure de Kiritimati)',
  )
})

describe('a relative date', () => {
  test.each([
    ['2026-11-20T11:59:40Z', 'à l’instant'],
    ['2026-11-20T11:57:00Z', 'il y a 3 minutes'],
    ['2026-11-20T09:00:00Z', 'il y a 3 heures'],
    ['2026-11-19T10:00:00Z', 'hier'],
    ['2026-11-15T10:00:00Z', 'il y a 5 jours'],
    ['2026-11-05T10:00:00Z', 'il y a 2 semaines'],
    ['2026-08-01T10:00:00Z', 'il y a 3 mois'],
    ['2024-11-01T10:00:00Z', 'il y a 2 ans'],
    ['2025-08-01T10:00:00Z', 'il y a 1 an et 3 mois'],
    ['2026-11-21T13:00:00Z', 'demain'],
    ['2026-11-23T13:00:00Z', 'dans 3 jours'],
  ])('%s is « %s »', (instant, words) => {
    expect(formatRelative(instant, now).replaceAll('\u00A0', ' ')).toBe(words)
  })
})

describe('the days until an instant, as the calendar counts them', () => {
  test.each([
    // 35 hours later, and already the day after tomorrow in that zone.
    ['2026-11-21T23:30:00Z', 'après-demain'],
    ['2026-11-21T20:00:00Z', 'demain'],
    ['2026-12-08T13:00:00Z', 'dans 18 jours'],
    ['2026-12-20T13:00:00Z', 'dans 4 semaines'],
    ['2027-02-19T13:00:00Z', 'dans 3 mois'],
    ['2027-11-20T13:00:00Z', 'dans 1 an'],
    ['2028-02-21T13:00:00Z', 'dans 1 an et 3 mois'],
    ['2028-09-20T13:00:00Z', 'dans 1 an et 10 mois'],
    ['2038-11-20T13:00:00Z', 'dans 12 ans'],
  ])('%s is « %s »', (instant, words) => {
    expect(formatDaysUntil(instant, now, 'Europe/Brussels').replaceAll('\u00A0', ' ')).toBe(words)
  })
})

describe('how long something lasts', () => {
  test.each([
    ['2026-11-20T09:00:00Z', undefined],
    ['2026-11-19T10:00:00Z', '1 jour'],
    ['2026-11-05T10:00:00Z', '2 semaines'],
    ['2026-08-01T10:00:00Z', '3 mois'],
    ['2024-11-01T10:00:00Z', '2 ans'],
    ['2025-08-01T10:00:00Z', '1 an et 3 mois'],
  ])('since %s is « %s »', (instant, words) => {
    expect(formatElapsed(instant, now)?.replaceAll('\u00A0', ' ')).toBe(words)
  })
})

const SECOND = 1000
const HOUR = 3600 * SECOND

describe('a countdown', () => {
  test.each([
    [3 * 24 * HOUR + 4 * HOUR + 59 * 60 * SECOND, '3 j 04 h'],
    [24 * HOUR, '1 j 00 h'],
    [24 * HOUR - SECOND, '23 h 59 min'],
    [4 * HOUR + 12 * 60 * SECOND, '04 h 12 min'],
    [12 * 60 * SECOND + 9 * SECOND, '12 min 09 s'],
    [59 * SECOND, '59 s'],
    [9 * SECOND, '9 s'],
    [1, '1 s'],
    [0, 'Révélé !'],
    [-5 * HOUR, 'Révélé !'],
    [60 * 24 * HOUR, '60 j 00 h'],
    [61 * 24 * HOUR, '2 mois'],
    [365 * 24 * HOUR, '1 an'],
    [4379 * 24 * HOUR, '12 ans'],
  ])('%i ms is « %s »', (remaining, text) => {
    expect(formatCountdown(now + remaining, now).replaceAll('\u00A0', ' ')).toBe(text)
  })
})
