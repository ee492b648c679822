import { FEAST_NAMES, feastOf, weekdayOf } from './feasts.ts'
import { type Clock, pad } from './phrase-words.ts'
import { addDays, addMonths, dayAt, instantOf } from './zoned-time.ts'

/*
 * The day that a folded phrase names (`date-phrases.ts`): near, of the calendar, of a season, of a feast, of an age.
 */

const MONTHS = [
  ...['janvier', 'fevrier', 'mars', 'avril', 'mai', 'juin', 'juillet', 'aout'],
  ...['septembre', 'octobre', 'novembre', 'decembre'],
]
const WEEKDAYS = ['dimanche', 'lundi', 'mardi', 'mercredi', 'jeudi', 'vendredi', 'samedi']
const SEASONS: Record<string, string> = {
  ...{ printemps: '03-21', ete: '06-21', automne: '09-21', hiver: '12-21' },
}
export interface PhraseContext {
  now: Date
  timeZone: string
  /** Of the person whose age is named: « 2008-02-29 ». */
  birthDay?: string | undefined
}

/** A day, and an hour where the phrase names one: « 2027-01-01 », « 18:30 ». */
export interface SaidMoment {
  day: string
  time: string | undefined
}

/** The age of somebody whose birthday is not known. */
export type Needs = { needs: 'birthDay' }

export interface Day {
  day: string
  note?: string
  other?: SaidMoment & { label: string }
}

type DayContext = PhraseContext & { clock: Clock }

/** The day that the whole phrase names; of a day without a year the next one that is to come at that hour. */
export function readDay(phrase: string, context: DayContext): Day | Needs | undefined {
  const plain = phrase.replace(
    /^(?:pour|au|a|a partir de) (?=le |la |l |demain|apres demain|\d{1,2} [a-z])/,
    '',
  )
  const day = readNearDay(plain, context) ?? readDate(plain, context) ?? readSeason(plain, context)
  if (day) return { day }
  return readFeast(plain, context) ?? readAge(phrase, context)
}

/** « demain », « ce soir », « lundi en huit », « la semaine prochaine ». */
function readNearDay(phrase: string, { now, timeZone, clock }: DayContext): string | undefined {
  const today = dayAt(now, timeZone)
  // « ce soir »: the hour is read apart.
  if (phrase === 'aujourd hui' || (/^cet?$/.test(phrase) && clock.time)) return today
  if (phrase === 'demain') return addDays(today, 1)
  if (phrase === 'apres demain') return addDays(today, 2)
  if (phrase === 'hier') return addDays(today, -1)
  if (phrase === 'avant hier') return addDays(today, -2)
  if (phrase === 'la semaine prochaine') return addDays(today, 7)
  if (phrase === 'le mois prochain') return addMonths(today, 1)
  if (/^l (?:an|annee) prochaine?$/.test(phrase)) return addMonths(today, 12)
  if (/^(?:ce|le) week ?end(?: prochain)?$/.test(phrase)) return nextWeekday(today, 6)
  const [, end] = /^(?:(?:a )?la )?fin (du mois|de l annee|de l an|d annee)$/.exec(phrase) ?? []
  if (end) {
    const last = end === 'du mois' ? endOfMonth(today.slice(0, 7)) : `${today.slice(0, 4)}-12-31`
    return last > today
      ? last
      : end === 'du mois'
        ? endOfMonth(addMonths(today, 1).slice(0, 7))
        : addMonths(last, 12)
  }
  const [, name = '', later] =
    /^(?:le |ce )?(lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche)(?: (prochain|en 8|en 15))?$/.exec(
      phrase,
    ) ?? []
  if (!name) return undefined
  const extra = later === 'en 8' ? 7 : later === 'en 15' ? 14 : 0
  return addDays(nextWeekday(today, WEEKDAYS.indexOf(name)), extra)
}

function nextWeekday(today: string, weekday: number): string {
  return addDays(today, ((weekday - weekdayOf(today) + 6) % 7) + 1)
}

/** « le 3 mai 2030 », « 3/5/2030 », « 2030-05-03 », « le 15 », « fin mars », « en 2040 ». */
function readDate(phrase: string, context: DayContext): string | undefined {
  const iso = /^(\d{4})-(\d{2})-(\d{2})$/.exec(phrase)
  if (iso) return exactDay(Number(iso[1]), Number(iso[2]), Number(iso[3]))
  const figures = /^(?:le )?(\d{1,2})([/.-])(\d{1,2})(?:\2(\d{4}|\d{2}))?$/.exec(phrase)
  if (figures) return datedDay(Number(figures[1]), Number(figures[3]), figures[4], context)
  const named = new RegExp(
    `^(?:le )?(?:(${WEEKDAYS.join('|')}) )?(?:le )?(\\d{1,2}) (${MONTHS.join('|')})(?: (\\d{4}|prochain))?$`,
  ).exec(phrase)
  if (named) {
    const day = datedDay(Number(named[2]), MONTHS.indexOf(named[3] ?? '') + 1, named[4], context)
    const isThatWeekday = !named[1] || (day && weekdayOf(day) === WEEKDAYS.indexOf(named[1]))
    return isThatWeekday ? day : undefined
  }
  const ofMonth = /^le (\d{1,2})$/.exec(phrase)
  if (ofMonth) return nextDayOfMonth(Number(ofMonth[1]), context)
  const month = new RegExp(
    `^(?:(?:en|au mois de|au mois d|pour|le mois de|le mois d) |(debut|au debut de|au debut d|mi|(?:a )?la mi|fin|(?:a )?la fin de|(?:a )?la fin d) )(${MONTHS.join('|')})(?: (\\d{4}|prochain))?$`,
  ).exec(phrase)
  if (month)
    return partOfMonth(month[1] ?? '', MONTHS.indexOf(month[2] ?? '') + 1, month[3], context)
  const year = /^(?:en|pour|debut|(?:l )?annee|fin) (\d{4})$/.exec(phrase)
  if (year) return phrase.startsWith('fin') ? `${year[1]}-12-31` : `${year[1]}-01-01`
  return undefined
}

function partOfMonth(
  part: string,
  month: number,
  year: string | undefined,
  context: DayContext,
): string | undefined {
  const isEnd = part.includes('fin')
  return ofYear(year, context, (wanted) => {
    const name = `${pad(wanted, 4)}-${pad(month)}`
    return isEnd ? endOfMonth(name) : `${name}-${part.includes('mi') ? '15' : '01'}`
  })
}

function datedDay(
  day: number,
  month: number,
  year: string | undefined,
  context: DayContext,
): string | undefined {
  const written = year?.length === 2 ? `20${year}` : year
  return ofYear(written, context, (wanted) => exactDay(wanted, month, day))
}

/** What that year has of it, else the first year from now on that has it to come: a 29 February waits for its year. */
function ofYear(
  year: string | undefined,
  { now, timeZone, clock }: DayContext,
  dayOf: (year: number) => string | undefined,
): string | undefined {
  if (year && /^\d{4}$/.test(year)) return dayOf(Number(year))
  const thisYear = Number(dayAt(now, timeZone).slice(0, 4))
  for (let wanted = thisYear; wanted <= thisYear + 8; wanted += 1) {
    const day = dayOf(wanted)
    if (day && instantOf(day, clock.time ?? '00:00', timeZone) > now) return day
  }
  return undefined
}

function exactDay(year: number, month: number, day: number): string | undefined {
  const name = `${pad(year, 4)}-${pad(month)}-${pad(day)}`
  const date = new Date(`${name}T00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(name) ? name : undefined
}

function nextDayOfMonth(day: number, { now, timeZone, clock }: DayContext): string | undefined {
  const today = dayAt(now, timeZone)
  for (let months = 0; months <= 2; months += 1) {
    const [year, month] = addMonths(`${today.slice(0, 7)}-01`, months)
      .split('-')
      .map(Number)
    const wanted = exactDay(year ?? 0, month ?? 0, day)
    if (wanted && instantOf(wanted, clock.time ?? '00:00', timeZone) > now) return wanted
  }
  return undefined
}

function endOfMonth(month: string): string {
  return addDays(addMonths(`${month}-01`, 1), -1)
}

/** « à l’été 2030 », « cet hiver », « au printemps ». */
function readSeason(phrase: string, context: DayContext): string | undefined {
  const [, name = '', year] =
    /^(?:(?:a l|en|au|cet|ce|l|le|pour l|pour le) )(printemps|ete|automne|hiver)(?: (\d{4}|prochain))?$/.exec(
      phrase,
    ) ?? []
  const start = SEASONS[name]
  return start && ofYear(year, context, (wanted) => `${pad(wanted, 4)}-${start}`)
}

const FEAST = new RegExp(
  `^(?:(?:pour|a|au|aux|le|la|l|a la|a l|pour la|pour le|pour l|le jour de(?: la| l)?|le jour du|le soir de) )?(?:(veille|lendemain) (?:de la |de l |de |du |d ))?(${FEAST_NAMES.join('|')})(?: (\\d{4}|prochaine?))?$`,
)

function readFeast(phrase: string, context: DayContext): Day | undefined {
  const [, shift, name = '', year] =
    FEAST.exec(phrase.replace(/^(?:a |pour )?(?:la |le )(?=veille|lendemain)/, '')) ?? []
  const isRepeated = /^prochain/.test(year ?? '')
  const by = shift === 'veille' ? -1 : shift === 'lendemain' ? 1 : 0
  const day =
    name &&
    ofYear(isRepeated ? undefined : year, context, (wanted) => {
      const feast = feastOf(name, wanted, context.timeZone)
      return feast && addDays(feast, by)
    })
  if (!day) return undefined
  if (name !== 'reveillon' || by !== 0) return { day }
  const other = { day: `${day.slice(0, 4)}-12-31`, time: context.clock.time }
  return { day, other: { ...other, label: 'Plutôt celui du 31' } }
}

/** « pour ses 18 ans », « à sa majorité », « pour son anniversaire ». */
function readAge(phrase: string, context: DayContext): Day | Needs | undefined {
  const [, age] =
    /^(?:pour|a|le jour de|quand (?:il|elle) aura) (?:(?:ses |mes |tes |leurs |vos |nos )?(\d{1,3}) ans|(?:sa|ma|ta) majorite)$/.exec(
      phrase,
    ) ?? [undefined, undefined]
  const isAge = age !== undefined || /^(?:pour|a|le jour de) (?:sa|ma|ta) majorite$/.test(phrase)
  const isAnniversary = /^(?:pour|a|le jour de) (?:son|mon|ton) (?:prochain )?anniversaire$/.test(
    phrase,
  )
  if (!isAge && !isAnniversary) return undefined
  const { birthDay } = context
  if (!birthDay) return { needs: 'birthDay' }
  const birthdayIn = (year: number) =>
    addMonths(birthDay, (year - Number(birthDay.slice(0, 4))) * 12)
  const day = isAnniversary
    ? ofYear(undefined, context, birthdayIn)
    : birthdayIn(Number(birthDay.slice(0, 4)) + Number(age ?? 18))
  if (!day) return undefined
  const isMoved = day.slice(5) !== birthDay.slice(5)
  return {
    day,
    ...(isMoved && {
      note: 'Cette année-là n’a pas de 29\u00A0février\u202F: ce sera le\u00A028.',
    }),
  }
}
