import { browserTimeZone } from './calendar-days.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

const STEPS = [
  ['year', 365 * DAY],
  ['month', 30 * DAY],
  ['week', 7 * DAY],
  ['day', DAY],
  ['hour', HOUR],
  ['minute', MINUTE],
] as const

const relative = new Intl.RelativeTimeFormat('fr', { numeric: 'auto' })

/** « il y a 3 jours », « dans 2 heures », « à l’instant ». */
export function formatRelative(instant: string | Date, nowMs: number): string {
  const difference = new Date(instant).getTime() - nowMs
  for (const [unit, size] of STEPS) {
    const count = Math.trunc(difference / size)
    if (count !== 0) return relative.format(count, unit)
  }
  return 'à l’instant'
}

/** « vendredi 1 janvier 2027 à 00:00 (heure de Bruxelles) ». */
export function formatInstant(instant: string | Date, timeZone: string): string {
  const date = new Date(instant)
  const day = new Intl.DateTimeFormat('fr', { timeZone, dateStyle: 'full' }).format(date)
  const time = new Intl.DateTimeFormat('fr', { timeZone, timeStyle: 'short' }).format(date)
  return `${day} à ${time} (${zoneInWords(timeZone)})`
}

/** « 1 janvier 2027 à 00:00 », with the zone's name only for whoever lives by other clocks. */
export function formatShortInstant(instant: string | Date, timeZone: string): string {
  const date = new Date(instant)
  const day = new Intl.DateTimeFormat('fr', { timeZone, dateStyle: 'long' }).format(date)
  const time = new Intl.DateTimeFormat('fr', { timeZone, timeStyle: 'short' }).format(date)
  const sameClocks = timeZone === browserTimeZone()
  return `${day} à ${time}${sameClocks ? '' : ` (${zoneInWords(timeZone)})`}`
}

/** « 1 janvier 2027 ». */
export function formatDay(instant: string | Date, timeZone: string): string {
  return new Intl.DateTimeFormat('fr', { timeZone, dateStyle: 'long' }).format(new Date(instant))
}

const CITIES: Record<string, string> = {
  Algiers: 'Alger',
  Athens: 'Athènes',
  Beirut: 'Beyrouth',
  Brussels: 'Bruxelles',
  Cairo: 'Le Caire',
  Copenhagen: 'Copenhague',
  Dublin: 'Dublin',
  Geneva: 'Genève',
  Jerusalem: 'Jérusalem',
  Kiev: 'Kiev',
  Lisbon: 'Lisbonne',
  London: 'Londres',
  Mexico_City: 'Mexico',
  Montreal: 'Montréal',
  Moscow: 'Moscou',
  New_York: 'New York',
  Noumea: 'Nouméa',
  Reunion: 'La Réunion',
  Singapore: 'Singapour',
  Tokyo: 'Tokyo',
  Vienna: 'Vienne',
  Warsaw: 'Varsovie',
}

/** « heure de Bruxelles », « heure d’Alger », « heure du Caire », « temps universel ». */
export function zoneInWords(timeZone: string): string {
  const name = timeZone.split('/').at(-1) ?? timeZone
  if (!timeZone.includes('/') || timeZone.startsWith('Etc/')) {
    return ['UTC', 'GMT', 'UCT', 'Zulu', 'Universal'].includes(name) ? 'temps universel' : name
  }
  const city = CITIES[name] ?? name.replaceAll('_', ' ')
  if (city.startsWith('Le ')) return `heure du ${city.slice(3)}`
  return /^[AEIOUYÉÈ]/i.test(city) ? `heure d’${city}` : `heure de ${city}`
}
