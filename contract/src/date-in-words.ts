/** « vendredi 1 janvier 2027 à 00:00 (heure de Bruxelles) », as the clocks of that zone show it. */
export function instantInWords(instant: Date, timeZone: string): string {
  return `${dayInWords(instant, timeZone)} à ${clockOf(instant, timeZone)} (${zoneInWords(instant, timeZone)})`
}

/** « vendredi 1 janvier 2027 ». */
export function dayInWords(instant: Date, timeZone: string): string {
  return formatterOf('day', timeZone).format(instant)
}

/** « 1 janvier 2027 à 00:00:09 », where a second matters: in what a proof says. */
export function secondInWords(instant: Date, timeZone: string): string {
  return formatterOf('second', timeZone).format(instant)
}

/**
 * « 1 janvier 2027 à 00:00:09 (heure de Bruxelles ; 31 décembre 2026 à 23:00:09 UTC) »: an instant of a proof, by the clocks
 * of its reader and as the log holds it.
 */
export function provedInstantInWords(instant: Date, timeZone: string): string {
  const here = secondInWords(instant, timeZone)
  const utc = secondInWords(instant, 'UTC')
  if (here === utc) return `${utc} UTC`
  const isSameDay = here.split(' à ')[0] === utc.split(' à ')[0]
  const inUtc = isSameDay ? (utc.split(' à ')[1] ?? utc) : utc
  return `${here} (${zoneInWords(instant, timeZone)}\u202F; ${inUtc} UTC)`
}

/** « 45 s », « 1 min 12 s », « 3 min », « 5 h 44 »: how long something lasts. */
export function lengthInWords(seconds: number): string {
  const whole = Math.round(seconds)
  const hours = Math.floor(whole / 3600)
  const minutes = Math.floor(whole / 60) % 60
  const rest = whole % 60
  if (hours > 0) return spaced(hours.toLocaleString('fr'), 'h', minutes > 0 && padded(minutes))
  if (minutes > 0) return `${spaced(minutes, 'min')}${rest > 0 ? ` ${spaced(rest, 's')}` : ''}`
  return spaced(rest, 's')
}

/** « 3 j 04 h », « 04 h 12 min », « 12 min 09 s », « 9 s »: the digits of a countdown (behaviour.md 4.1). */
export function tickingInWords(seconds: number): string {
  const hours = Math.floor(seconds / 3600) % 24
  const minutes = Math.floor(seconds / 60) % 60
  const rest = seconds % 60
  if (seconds >= 86_400) {
    return `${spaced(Math.floor(seconds / 86_400), 'j')} ${spaced(padded(hours), 'h')}`
  }
  if (hours > 0) return `${spaced(padded(hours), 'h')} ${spaced(padded(minutes), 'min')}`
  if (minutes > 0) return `${spaced(padded(minutes), 'min')} ${spaced(padded(rest), 's')}`
  return spaced(rest, 's')
}

/** Parts of one figure, which no line breaks. */
function spaced(...parts: (string | number | false)[]): string {
  return parts.filter((part) => part !== false).join('\u00A0')
}

function padded(value: number): string {
  return String(value).padStart(2, '0')
}

const FORMATS = {
  day: { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' },
  clock: { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
  second: { dateStyle: 'long', timeStyle: 'medium' },
  offset: { timeZoneName: 'longOffset' },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>

const formatters = new Map<string, Intl.DateTimeFormat>()

/** To make one costs a hundred times what it costs to use it, and a page of a list words many instants. */
function formatterOf(format: keyof typeof FORMATS, timeZone: string): Intl.DateTimeFormat {
  const key = `${format} ${timeZone}`
  const formatter =
    formatters.get(key) ?? new Intl.DateTimeFormat('fr-FR', { timeZone, ...FORMATS[format] })
  formatters.set(key, formatter)
  return formatter
}

function clockOf(instant: Date, timeZone: string): string {
  return formatterOf('clock', timeZone).format(instant)
}

/** « heure de Bruxelles », « heure d’hiver du Caire » in the hour that clocks live twice. */
export function zoneInWords(instant: Date, timeZone: string): string {
  const place = placeOf(timeZone)
  return place
    ? `heure${seasonOf(instant, timeZone)} ${place}`
    : `heure ${offsetNameOf(instant, timeZone)}`
}

/** When clocks go back, by an hour or by half of one, what they show is lived twice: the season tells which. */
function seasonOf(instant: Date, timeZone: string): string {
  const offset = offsetOf(instant, timeZone)
  for (const minutes of [60, 30]) {
    const before = new Date(instant.getTime() - minutes * 60_000)
    const after = new Date(instant.getTime() + minutes * 60_000)
    if (offsetOf(after, timeZone) === offset - minutes) return ' d’été'
    if (offsetOf(before, timeZone) === offset + minutes) return ' d’hiver'
  }
  return ''
}

function offsetOf(instant: Date, timeZone: string): number {
  const [, sign, hours = '0', minutes = '0'] =
    /^UTC([+−-])(\d+):(\d+)/.exec(offsetNameOf(instant, timeZone)) ?? []
  return (sign === '+' ? 1 : -1) * (Number(hours) * 60 + Number(minutes))
}

function offsetNameOf(instant: Date, timeZone: string): string {
  const name = formatterOf('offset', timeZone)
    .formatToParts(instant)
    .find(({ type }) => type === 'timeZoneName')?.value
  return name === undefined || name === 'UTC+00:00' ? 'UTC' : name
}

// Intl has no French name for the city of a zone. Those whose name differs from the zone's are here.
const PLACES: Record<string, string> = {
  'America/New_York': 'de New York',
  'Africa/Abidjan': 'd’Abidjan',
  'Africa/Algiers': 'd’Alger',
  'Africa/Cairo': 'du Caire',
  'Africa/Djibouti': 'de Djibouti',
  'America/Cayenne': 'de Cayenne',
  'America/Guadeloupe': 'de la Guadeloupe',
  'America/Martinique': 'de la Martinique',
  'America/Mexico_City': 'de Mexico',
  'America/Montreal': 'de Montréal',
  'America/Sao_Paulo': 'de São Paulo',
  'Asia/Calcutta': 'de Calcutta',
  'Asia/Kolkata': 'de Calcutta',
  'Asia/Beirut': 'de Beyrouth',
  'Asia/Jerusalem': 'de Jérusalem',
  'Asia/Saigon': 'd’Hô Chi Minh-Ville',
  'Asia/Ho_Chi_Minh': 'd’Hô Chi Minh-Ville',
  'Asia/Seoul': 'de Séoul',
  'Asia/Singapore': 'de Singapour',
  'Atlantic/Azores': 'des Açores',
  'Atlantic/Canary': 'des Canaries',
  'Europe/Athens': 'd’Athènes',
  'Europe/Brussels': 'de Bruxelles',
  'Europe/Bucharest': 'de Bucarest',
  'Europe/Copenhagen': 'de Copenhague',
  'Europe/Kiev': 'de Kyïv',
  'Europe/Kyiv': 'de Kyïv',
  'Europe/Lisbon': 'de Lisbonne',
  'Europe/London': 'de Londres',
  'Europe/Moscow': 'de Moscou',
  'Europe/Vienna': 'de Vienne',
  'Europe/Warsaw': 'de Varsovie',
  'Indian/Mayotte': 'de Mayotte',
  'Indian/Reunion': 'de La Réunion',
  'Pacific/Noumea': 'de Nouméa',
}

const CITY =
  /^(?:Africa|America|Antarctica|Arctic|Asia|Atlantic|Australia|Europe|Indian|Pacific)\/(?:.*\/)?(.+)$/

function placeOf(timeZone: string): string | undefined {
  const zone = formatterOf('offset', timeZone).resolvedOptions().timeZone
  const city = CITY.exec(zone)?.[1]?.replaceAll('_', ' ')
  return PLACES[zone] ?? (city && (/^[AEIOUY]/.test(city) ? `d’${city}` : `de ${city}`))
}
