import { expect, test } from 'vitest'
import { formatRevealDelay } from './voice-message.ts'

const NOW = Date.parse('2026-11-20T12:00:00.000Z')
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

function wordsIn(milliseconds: number): string {
  return formatRevealDelay(new Date(NOW + milliseconds).toISOString(), 'Europe/Brussels', NOW)
}

test.each([
  [1000, 'dans 1h'],
  [20 * 60_000, 'dans 1h'],
  [HOUR_MS, 'dans 1h'],
  [2.1 * HOUR_MS, 'dans 2h'],
  [2.6 * HOUR_MS, 'dans 3h'],
  [23.5 * HOUR_MS, 'dans 24h'],
  [DAY_MS, 'dans 24h'],
  [DAY_MS + 60_000, 'dans 1 jour'],
  [1.6 * DAY_MS, 'dans 2 jours'],
  [3 * DAY_MS - 5, 'dans 3 jours'],
  [7 * DAY_MS, 'dans 7 jours'],
])('what opens in %i ms says « %s »', (remaining, words) => {
  expect(wordsIn(remaining)).toBe(words)
})

test('what opens after a week says its full date, by the clocks of its zone', () => {
  expect(wordsIn(7 * DAY_MS + 1)).toMatch(/^le 27 novembre 2026 à 13:00/)
})

test('what should be open already, and is not yet, says the shortest wait', () => {
  expect(wordsIn(-5000)).toBe('dans 1h')
})
