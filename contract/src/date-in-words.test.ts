import { expect, test } from 'vitest'
import { dayInWords, instantInWords } from './date-in-words.ts'

test.each([
  [
    '2026-12-31T23:00:00Z',
    'Europe/Brussels',
    'vendredi 1 janvier 2027 à 00:00 (heure de Bruxelles)',
  ],
  ['2026-07-31T22:00:00Z', 'Europe/Brussels', 'samedi 1 août 2026 à 00:00 (heure de Bruxelles)'],
  ['2027-03-27T23:00:00Z', 'Europe/Brussels', 'dimanche 28 mars 2027 à 00:00 (heure de Bruxelles)'],
  ['2027-03-28T00:59:00Z', 'Europe/Brussels', 'dimanche 28 mars 2027 à 01:59 (heure de Bruxelles)'],
  ['2027-03-28T01:00:00Z', 'Europe/Brussels', 'dimanche 28 mars 2027 à 03:00 (heure de Bruxelles)'],
  [
    '2026-10-24T22:00:00Z',
    'Europe/Brussels',
    'dimanche 25 octobre 2026 à 00:00 (heure de Bruxelles)',
  ],
  [
    '2026-10-24T23:59:00Z',
    'Europe/Brussels',
    'dimanche 25 octobre 2026 à 01:59 (heure de Bruxelles)',
  ],
  [
    '2026-10-25T00:30:00Z',
    'Europe/Brussels',
    'dimanche 25 octobre 2026 à 02:30 (heure d’été de Bruxelles)',
  ],
  [
    '2026-10-25T01:30:00Z',
    'Europe/Brussels',
    'dimanche 25 octobre 2026 à 02:30 (heure d’hiver de Bruxelles)',
  ],
  [
    '2026-10-25T02:00:00Z',
    'Europe/Brussels',
    'dimanche 25 octobre 2026 à 03:00 (heure de Bruxelles)',
  ],
  [
    '2026-04-04T14:45:00Z',
    'Australia/Lord_Howe',
    'dimanche 5 avril 2026 à 01:45 (heure d’été de Lord Howe)',
  ],
  [
    '2026-04-04T15:15:00Z',
    'Australia/Lord_Howe',
    'dimanche 5 avril 2026 à 01:45 (heure d’hiver de Lord Howe)',
  ],
  ['2027-01-01T10:05:00Z', 'UTC', 'vendredi 1 janvier 2027 à 10:05 (heure UTC)'],
  ['2027-01-01T10:05:00Z', 'Etc/GMT+3', 'vendredi 1 janvier 2027 à 07:05 (heure UTC−03:00)'],
  [
    '2027-01-01T10:05:00Z',
    'America/Argentina/Buenos_Aires',
    'vendredi 1 janvier 2027 à 07:05 (heure de Buenos Aires)',
  ],
  ['2027-01-01T10:05:00Z', 'africa/cairo', 'vendredi 1 janvier 2027 à 12:05 (heure du Caire)'],
  [
    '2027-01-01T10:05:00Z',
    'Europe/Amsterdam',
    'vendredi 1 janvier 2027 à 11:05 (heure d’Amsterdam)',
  ],
  ['2126-06-01T10:05:00Z', 'Asia/Kolkata', 'samedi 1 juin 2126 à 15:35 (heure de Calcutta)'],
])('%s in %s is « %s »', (instant, timeZone, words) => {
  expect(instantInWords(new Date(instant), timeZone)).toBe(words)
})

test('a day is the one lived in the zone', () => {
  expect(dayInWords(new Date('2026-12-31T23:00:00Z'), 'Europe/Brussels')).toBe(
    'vendredi 1 janvier 2027',
  )
  expect(dayInWords(new Date('2026-12-31T23:00:00Z'), 'UTC')).toBe('jeudi 31 décembre 2026')
})
