import { addDays } from './zoned-time.ts'

/*
 * The days that people name without a date. Names are written as `date-phrases.ts` folds them: lower case, no accents, no hyphens.
 */

/** Easter Sunday of that year, by the Gregorian rule (Meeus, Jones and Butcher). */
export function easterOf(year: number): string {
  const golden = year % 19
  const century = Math.floor(year / 100)
  const ofCentury = year % 100
  const skipped = Math.floor((century - Math.floor((century + 8) / 25) + 1) / 3)
  const epact = (19 * golden + century - Math.floor(century / 4) - skipped + 15) % 30
  const weekday =
    (32 + 2 * (century % 4) + 2 * Math.floor(ofCentury / 4) - epact - (ofCentury % 4)) % 7
  const late = Math.floor((golden + 11 * epact + 22 * weekday) / 451)
  const shift = epact + weekday - 7 * late + 114
  return dayOf(year, Math.floor(shift / 31), (shift % 31) + 1)
}

/** The day of a feast in that year; its name is folded. Undefined where nobody calls a day so. */
export function feastOf(name: string, year: number, timeZone: string): string | undefined {
  const fixed = FIXED[name]
  if (fixed) return `${String(year).padStart(4, '0')}-${fixed}`
  const afterEaster = AFTER_EASTER[name]
  if (afterEaster !== undefined) return addDays(easterOf(year), afterEaster)
  const isBelgian = timeZone === 'Europe/Brussels'
  if (name === 'fete des peres') return nthSunday(year, 6, isBelgian ? 2 : 3)
  if (name !== 'fete des meres') return undefined
  if (isBelgian) return nthSunday(year, 5, 2)
  // In France the last Sunday of May, and the next one where that is Pentecost.
  const last = lastSunday(year, 5)
  return last === addDays(easterOf(year), 49) ? addDays(last, 7) : last
}

const FIXED: Record<string, string> = {
  noel: '12-25',
  'jour de noel': '12-25',
  reveillon: '12-24',
  'reveillon de noel': '12-24',
  'veillee de noel': '12-24',
  'reveillon du nouvel an': '12-31',
  'reveillon de la saint sylvestre': '12-31',
  'saint sylvestre': '12-31',
  'nouvel an': '01-01',
  'jour de l an': '01-01',
  epiphanie: '01-06',
  'fete des rois': '01-06',
  chandeleur: '02-02',
  'saint valentin': '02-14',
  'poisson d avril': '04-01',
  'fete du travail': '05-01',
  'fete de la musique': '06-21',
  'saint jean': '06-24',
  assomption: '08-15',
  halloween: '10-31',
  toussaint: '11-01',
  armistice: '11-11',
  'saint nicolas': '12-06',
}

const AFTER_EASTER: Record<string, number> = {
  'mardi gras': -47,
  'vendredi saint': -2,
  paques: 0,
  'dimanche de paques': 0,
  'lundi de paques': 1,
  ascension: 39,
  pentecote: 49,
  'lundi de pentecote': 50,
}

export const FEAST_NAMES: readonly string[] = [
  ...Object.keys(FIXED),
  ...Object.keys(AFTER_EASTER),
  'fete des meres',
  'fete des peres',
]

function nthSunday(year: number, month: number, nth: number): string {
  const first = dayOf(year, month, 1)
  return addDays(first, ((7 - weekdayOf(first)) % 7) + 7 * (nth - 1))
}

function lastSunday(year: number, month: number): string {
  const last = addDays(dayOf(year, month + 1, 1), -1)
  return addDays(last, -weekdayOf(last))
}

/** From Sunday, 0. */
export function weekdayOf(day: string): number {
  return new Date(`${day}T00:00Z`).getUTCDay()
}

function dayOf(year: number, month: number, day: number): string {
  const padded = [
    String(year).padStart(4, '0'),
    ...[month, day].map((n) => String(n).padStart(2, '0')),
  ]
  return padded.join('-')
}
