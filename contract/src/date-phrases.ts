import { dayInWords, instantInWords } from './date-in-words.ts'
import {
  type Day,
  type Needs,
  type PhraseContext,
  readDay,
  type SaidMoment,
} from './phrase-days.ts'
import { type Clock, foldPhrase, readClock } from './phrase-words.ts'
import { addDays, addMonths, dayAt, instantOf, timeAt } from './zoned-time.ts'

/*
 * Dates as people say them, in French: « dans un an », « samedi soir », « à Noël », « pour ses 18 ans ». What is read decides an
 * instant that seals: nothing is guessed, every rule takes the whole phrase, and what was heard is said back. Never in the past:
 * a day without a year is the next one.
 */

export type PhraseReading =
  | (SaidMoment & {
      /** « vendredi 1 janvier 2027 à 00:00 (heure de Bruxelles) ». */
      heard: string
      /** What there is to know about it, in a sentence. */
      note?: string
      /** What else the phrase may mean. */
      other?: SaidMoment & { label: string }
    })
  /** It counts from a birthday that is not known. */
  | Needs
  /** It names an instant that has passed. */
  | { passed: string }

/** Reads a phrase; undefined where it is not understood whole. */
export function readDatePhrase(text: string, context: PhraseContext): PhraseReading | undefined {
  const phrase = foldPhrase(text)
  for (const read of [readSpan, readDayAndClock]) {
    const said = read(phrase, context)
    if (said) return 'needs' in said ? said : present(said, context)
  }
  return undefined
}

/** A moment as `readDatePhrase` reads it back: « vendredi 1 janvier 2027 à 18:30 ». */
export function phraseOfMoment(day: string, time: string): string {
  return `${dayInWords(new Date(`${day}T12:00Z`), 'UTC')}${time ? ` à ${time}` : ''}`
}

interface Said extends SaidMoment {
  isMidnight?: boolean
  note?: string
  other?: SaidMoment & { label: string }
}

function present(said: Said, { now, timeZone }: PhraseContext): PhraseReading | undefined {
  const { day, time, isMidnight = false, note, other } = said
  if (!/^\d{4}-/.test(day)) return undefined
  const instant = instantOf(day, time ?? '00:00', timeZone)
  const heard = instantInWords(instant, timeZone)
  if (instant <= now) return { passed: heard }
  return {
    ...{ day, time, heard },
    ...(isMidnight && midnightOf(day)),
    ...(note && { note }),
    ...(other && { other }),
  }
}

/** « à minuit » of a day is its first instant; people also mean its last. */
function midnightOf(day: string) {
  const [before, after] = [addDays(day, -1), day].map(nightInWords)
  return {
    note: `Dans la nuit du ${before} au ${after}.`,
    other: { day: addDays(day, 1), time: '00:00', label: 'Plutôt la nuit d’après' },
  }
}

/** « jeudi 31 ». */
function nightInWords(day: string): string {
  const [weekday, date] = phraseOfMoment(day, '').split(' ')
  return `${weekday} ${date}`
}

/** « dans un an et demi », « d’ici deux heures », with an hour of that day: « dans 3 jours à 18 h ». */
function readSpan(phrase: string, context: PhraseContext): Said | undefined {
  const [, spans] = /^(?:dans|d ici(?: a)?) (.+)$/.exec(phrase) ?? []
  if (!spans) return undefined
  const counted = { months: 0, days: 0, minutes: 0 }
  let rest = spans
  for (;;) {
    const [whole, half, count, unit = '', and] =
      /^(?:et )?(?:((?:1 )?demie?|1 quart d|3 quarts d) |(\d{1,4}) )?(minutes?|min|heures?|h|jours?|j|semaines?|mois|ans?|annees?|decennies?|siecles?)(?: (et demie?))?(?= |$)/.exec(
        rest,
      ) ?? []
    if (!whole || (!half && !count)) break
    if (!addSpan(counted, unit, half ? 0 : Number(count), half ?? and)) return undefined
    rest = rest.slice(whole.length).trim()
  }
  const { months, days, minutes } = counted
  if (months + days + minutes === 0) return undefined
  const { now, timeZone } = context
  if (minutes > 0) return rest === '' ? inMinutes(counted, context) : undefined
  // The last day there is: one more and it would be too far.
  const isCentury = months === 1200 && days === 0
  const day = addDays(addMonths(dayAt(now, timeZone), months), isCentury ? -1 : days)
  const clock = readClock(rest)
  return clock && moment(day, clock)
}

type Counted = { months: number; days: number; minutes: number }

/** False for what nobody says: « un jour et demi » is left to hours. */
function addSpan(counted: Counted, unit: string, count: number, half: string | undefined): boolean {
  const isHalf = half?.includes('demi')
  if (/^(?:an|annee)/.test(unit)) counted.months += count * 12 + (isHalf ? 6 : 0)
  else if (unit.startsWith('decennie')) counted.months += count * 120 + (isHalf ? 60 : 0)
  else if (unit.startsWith('siecle')) counted.months += count * 1200 + (isHalf ? 600 : 0)
  else if (unit === 'mois') {
    counted.months += count
    counted.days += isHalf ? 15 : 0
  } else if (unit.startsWith('semaine')) counted.days += count * 7
  else if (unit.startsWith('j')) counted.days += count
  else if (unit.startsWith('h')) counted.minutes += count * 60 + minutesOf(half)
  else counted.minutes += count
  return !half || !/^(?:semaine|j|min)/.test(unit)
}

function minutesOf(half: string | undefined): number {
  if (half === '1 quart d') return 15
  return half === '3 quarts d' ? 45 : half ? 30 : 0
}

/** The clocks move on by so much; never to a minute that has begun, nor to one that clocks show twice and that is over. */
function inMinutes(
  { days, months, minutes }: Counted,
  { now, timeZone }: PhraseContext,
): Said | undefined {
  if (months > 0) return undefined
  const wanted = now.getTime() + (days * 1440 + minutes) * 60_000
  for (let extra = 0; extra <= 2; extra += 1) {
    const instant = new Date(Math.ceil(wanted / 60_000) * 60_000 + extra * 3_600_000)
    const said = { day: dayAt(instant, timeZone), time: timeAt(instant, timeZone) }
    if (instantOf(said.day, said.time, timeZone) > now) return said
  }
  return undefined
}

/** A day, then an hour if one is named; or the hour first. */
function readDayAndClock(phrase: string, context: PhraseContext): Said | Needs | undefined {
  const words = phrase.replace(/^(?:ouvre(?:z|r)?(?: la| le)? |vers )/, '').split(' ')
  for (let cut = words.length; cut > 0; cut -= 1) {
    const [first, second] = [words.slice(0, cut).join(' '), words.slice(cut).join(' ')]
    for (const [dayPhrase, clockPhrase] of [
      [first, second],
      [second, first],
    ] as const) {
      const clock = readClock(clockPhrase)
      if (!clock || dayPhrase === '') continue
      const day = readDay(dayPhrase, { ...context, clock })
      if (day) return 'needs' in day ? day : { ...moment(day.day, clock), ...withoutDay(day) }
    }
  }
  const clock = readClock(phrase)
  return clock?.time === undefined ? undefined : nextClock(clock, context)
}

function withoutDay({ note, other }: Day): Pick<Said, 'note' | 'other'> {
  return { ...(note && { note }), ...(other && { other }) }
}

function moment(day: string, { time, isMidnight, isEvening }: Clock): Said {
  if (isMidnight && isEvening) return { day: addDays(day, 1), time }
  return { day, time, isMidnight }
}

/** An hour alone: today, else tomorrow. */
function nextClock(clock: Clock, { now, timeZone }: PhraseContext): Said {
  const today = dayAt(now, timeZone)
  const isToCome = instantOf(today, clock.time ?? '00:00', timeZone) > now
  return { day: isToCome ? today : addDays(today, 1), time: clock.time }
}
