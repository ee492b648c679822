import { formatCount } from './counts.ts'

const tenths = new Intl.NumberFormat('fr', { maximumFractionDigits: 1 })

/** « 1:05 », « 1:02:09 »: how long something plays. */
export function formatDuration(seconds: number): string {
  const whole = Math.round(seconds)
  const hours = Math.floor(whole / 3600)
  const minutes = Math.floor(whole / 60) % 60
  const rest = padded(whole % 60)
  return hours > 0 ? `${hours}:${padded(minutes)}:${rest}` : `${minutes}:${rest}`
}

/** « 45 s », « 1 min 12 s », « 3 min », « 2 h 05 min »: how long something lasts, in words. */
export function formatLength(seconds: number): string {
  const whole = Math.round(seconds)
  const hours = Math.floor(whole / 3600)
  const minutes = Math.floor(whole / 60) % 60
  const rest = whole % 60
  if (hours > 0) return `${hours}\u00A0h ${padded(minutes)}\u00A0min`
  if (minutes === 0) return `${rest}\u00A0s`
  return rest > 0 ? `${minutes}\u00A0min ${rest}\u00A0s` : `${minutes}\u00A0min`
}

/** « 45 s », « 15 min », « 2 h 05 »: what many of them last together. */
export function formatTotal(seconds: number): string {
  if (seconds < 60) return formatLength(seconds)
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return `${minutes}\u00A0min`
  return `${formatCount(Math.floor(minutes / 60))}\u00A0h\u00A0${padded(minutes % 60)}`
}

/** « 1:05,3 »: a place in a video, to the tenth of a second. */
export function formatPlace(seconds: number): string {
  const total = Math.round(seconds * 10)
  return `${formatDuration(Math.floor(total / 10))},${total % 10}`
}

/** Reads « 65 », « 65,3 », « 1:05,3 » or « 1:02:05 »; undefined when it is none of these. */
export function parsePlace(text: string): number | undefined {
  const match = /^(?:(?:(\d{1,3}):)?(\d{1,3}):)?(\d{1,5})(?:[.,](\d{1,3}))?$/.exec(text.trim())
  if (!match) return undefined
  const [, hours = '0', minutes = '0', seconds = '0', fraction = '0'] = match
  return Number(hours) * 3600 + Number(minutes) * 60 + Number(`${seconds}.${fraction}`)
}

/** « 1 minute 5,3 secondes »: a place in a video, to be spoken. */
export function speakPlace(seconds: number): string {
  const minutes = Math.floor(seconds / 60)
  const rest = Math.round((seconds - minutes * 60) * 10) / 10
  const spokenRest = `${tenths.format(rest)} ${rest >= 2 ? 'secondes' : 'seconde'}`
  if (minutes === 0) return spokenRest
  return `${minutes} ${minutes > 1 ? 'minutes' : 'minute'} ${spokenRest}`
}

/** « 12,5 s »: how long a short thing lasts. */
export function formatSeconds(seconds: number): string {
  return `${tenths.format(seconds)}\u00A0s`
}

function padded(value: number): string {
  return String(value).padStart(2, '0')
}
