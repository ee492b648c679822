import { lengthInWords } from '#contract/date-in-words.ts'
import { pluralize } from '#contract/plural.ts'

const plain = new Intl.NumberFormat('fr')
const whole = new Intl.NumberFormat('fr', { maximumFractionDigits: 0 })
const tenth = new Intl.NumberFormat('fr', { maximumFractionDigits: 1 })
const compact = new Intl.NumberFormat('fr', { notation: 'compact' })
const compactTenth = new Intl.NumberFormat('fr', { notation: 'compact', maximumFractionDigits: 1 })

/** « 1 234 ». */
export function formatCount(count: number): string {
  return plain.format(count)
}

/** « 12 345 », then « 123,5 k »: for narrow places. */
export function formatShortCount(count: number): string {
  return count < 100_000 ? plain.format(count) : compactTenth.format(count)
}

/** « 950 », « 1,2 k », « 12 k »: for the narrowest places. */
export function formatCompactCount(count: number): string {
  return compact.format(count)
}

/** « 2 », « 2,5 ». */
export function formatTenth(value: number): string {
  return tenth.format(value)
}

const wholePercent = new Intl.NumberFormat('fr', { style: 'percent', maximumFractionDigits: 0 })

/** « 12 % », of a share from 0 to 1. */
export function formatShare(share: number): string {
  return wholePercent.format(share)
}

const change = new Intl.NumberFormat('fr', { style: 'percent', signDisplay: 'exceptZero' })

/** « +12 % », « -3 % », « 0 % ». */
export function formatChange(percent: number): string {
  return change.format(percent / 100)
}

/** « 0 vue », « 1 vue », « 1 234 vues ». */
export function counted(count: number, one: string, many: string): string {
  return `${formatCount(count)}\u00A0${pluralize(count, one, many)}`
}

const conjunction = new Intl.ListFormat('fr', { type: 'conjunction' })

/** « Léa, Papa et Tom ». */
export function formatList(parts: readonly string[]): string {
  return conjunction.format(parts)
}

/** For comparing: « Évènement » is found by « evenement ». */
export function foldText(text: string): string {
  return text
    .normalize('NFD')
    .replace(/\p{Diacritic}/gu, '')
    .toLowerCase()
}

/** The first letter of a name, as a capital. */
export function initialOf(name: string): string {
  const [first = '?'] = name
  return first.toLocaleUpperCase('fr')
}

const euroCents = new Intl.NumberFormat('fr', { style: 'currency', currency: 'EUR' })
const wholeEuros = new Intl.NumberFormat('fr', {
  style: 'currency',
  currency: 'EUR',
  maximumFractionDigits: 0,
})

/** « 2,99 € », « 0 € ». */
export function formatPrice(euros: number): string {
  return (Number.isInteger(euros) ? wholeEuros : euroCents).format(euros)
}

const KB = 1024
const MB = 1024 * KB
const GB = 1024 * MB

const oneTenth = new Intl.NumberFormat('fr', {
  minimumFractionDigits: 1,
  maximumFractionDigits: 1,
})

/** Storage, which the server counts in MB with -1 for no limit: « 500 Mo », « 5,0 Go », « Illimité ». */
export function formatStorage(megabytes: number): string {
  if (megabytes < 0) return 'Illimité'
  if (megabytes < 1024) return `${tenth.format(megabytes)}\u00A0Mo`
  return `${oneTenth.format(megabytes / 1024)}\u00A0Go`
}

/** « 12,4 Mo »: what a file weighs, in a French reader's words. */
export function formatBytes(bytes: number): string {
  if (bytes < KB) return `${whole.format(bytes)}\u00A0o`
  if (bytes < MB) return `${whole.format(bytes / KB)}\u00A0Ko`
  if (bytes < GB) return `${tenth.format(bytes / MB)}\u00A0Mo`
  return `${tenth.format(bytes / GB)}\u00A0Go`
}

/** « 1:05 », « 1:02:09 »: how long something plays. */
export function formatDuration(seconds: number): string {
  const whole = Math.round(seconds)
  const hours = Math.floor(whole / 3600)
  const minutes = Math.floor(whole / 60) % 60
  const rest = padded(whole % 60)
  return hours > 0 ? `${hours}:${padded(minutes)}:${rest}` : `${minutes}:${rest}`
}

/** « 45 s », « 15 min », « 2 h 05 »: what many of them last together. */
export function formatTotal(seconds: number): string {
  return lengthInWords(seconds < 60 ? seconds : seconds - (seconds % 60))
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
  const spokenRest = `${tenth.format(rest)} ${pluralize(rest, 'seconde', 'secondes')}`
  if (minutes === 0) return spokenRest
  return `${minutes} ${pluralize(minutes, 'minute', 'minutes')} ${spokenRest}`
}

/** « 12,5 s »: how long a short thing lasts. */
export function formatSeconds(seconds: number): string {
  return `${tenth.format(seconds)}\u00A0s`
}

function padded(value: number): string {
  return String(value).padStart(2, '0')
}
