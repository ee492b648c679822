/*
 * The words of a date phrase (`date-phrases.ts`): folded, with their numbers in digits, and the hour that they name.
 */

/** Lower case, without accents, apostrophes and hyphens; numbers in digits. */
export function foldPhrase(text: string): string {
  const plain = text
    .normalize('NFKD')
    .replace(/\p{Diacritic}/gu, '')
    .toLowerCase()
    .replace(/[’'ʼ`]/g, ' ')
    .replace(/(?<=[a-z])-|-(?=[a-z])/g, ' ')
    .replace(/[,;!?]|\.(?!\d)/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
  return digitsFor(plain)
    .replace(/\b(?:1er|premier)\b/g, '1')
    .replace(/\b(?:st|ste|sainte)\b/g, 'saint')
}

const UNITS: Record<string, number> = {
  ...{ un: 1, une: 1, deux: 2, trois: 3, quatre: 4, cinq: 5, six: 6, sept: 7, huit: 8, neuf: 9 },
  ...{ dix: 10, onze: 11, douze: 12, treize: 13, quatorze: 14, quinze: 15, seize: 16 },
}
const TENS: Record<string, number> = {
  ...{ vingt: 20, trente: 30, quarante: 40, cinquante: 50, soixante: 60, septante: 70 },
  ...{ octante: 80, huitante: 80, nonante: 90 },
}

/** « vingt et un » is 21, up to « cent ». */
function digitsFor(phrase: string): string {
  const words = phrase.split(' ')
  const out: string[] = []
  for (let at = 0; at < words.length; ) {
    const { value, length } = numberAt(words, at)
    out.push(length > 0 ? String(value) : (words[at] ?? ''))
    at += Math.max(1, length)
  }
  return out.join(' ')
}

function numberAt(words: readonly string[], start: number): { value: number; length: number } {
  if (words[start] === 'cent') return { value: 100, length: 1 }
  const isEighty = words[start] === 'quatre' && /^vingts?$/.test(words[start + 1] ?? '')
  const tens = isEighty ? 80 : (TENS[words[start] ?? ''] ?? 0)
  let length = isEighty ? 2 : tens > 0 ? 1 : 0
  const hasAnd =
    length > 0 &&
    words[start + length] === 'et' &&
    /^(?:une?|onze)$/.test(words[start + length + 1] ?? '')
  if (hasAnd) length += 1
  const unit = UNITS[words[start + length] ?? ''] ?? 0
  // « dix sept », as it is written without its hyphen.
  const isTeen = unit === 10 && (UNITS[words[start + length + 1] ?? ''] ?? 99) in TEENS
  const ones = isTeen ? 10 + (UNITS[words[start + length + 1] ?? ''] ?? 0) : unit
  const takesTens = tens === 0 || ones < 10 || [60, 80].includes(tens)
  if (unit === 0 || !takesTens) return { value: tens, length: hasAnd ? length - 1 : length }
  return { value: tens + ones, length: length + (isTeen ? 2 : 1) }
}

const TEENS: Record<number, true> = { 7: true, 8: true, 9: true }

const CLOCK_OF_PART: Record<string, string> = {
  ...{ matin: '08:00', midi: '12:00', 'apres midi': '15:00', soir: '20:00', soiree: '20:00' },
}

export interface Clock {
  time: string | undefined
  isMidnight: boolean
  /** « samedi soir à minuit » ends that day. */
  isEvening: boolean
}

/** « à 18 h », « 18h30 », « 9 heures du soir », « soir », « à midi », « à minuit », or nothing. */
export function readClock(text: string): Clock | undefined {
  if (text === '') return { time: undefined, isMidnight: false, isEvening: false }
  const [, part = '', clock = ''] =
    /^(?:(?:en |dans la |dans l |l |au |le )?(matin|matinee|apres midi|soir|soiree|midi)(?= |$) ?)?(.*)$/.exec(
      text,
    ) ?? []
  const isEvening = part.startsWith('soir')
  if (clock === '') {
    const time = CLOCK_OF_PART[part === 'matinee' ? 'matin' : part]
    return part ? { time, isMidnight: false, isEvening } : undefined
  }
  if (/^(?:a |vers )?minuit$/.test(clock)) return { time: '00:00', isMidnight: true, isEvening }
  const noon = /^(?:a |vers )?midi(?: (et quart|et demie?|30|15|45))?$/.exec(clock)
  if (noon) return { time: `12:${pad(quarterOf(noon[1]))}`, isMidnight: false, isEvening }
  const [, hours, minutes, quarter, ofDay] =
    /^(?:a |vers )?(\d{1,2})(?: ?(?:h|heures?|:) ?(\d{2})?)(?: (et quart|et demie?))?(?: (du matin|de l apres midi|du soir))?$/.exec(
      clock,
    ) ?? []
  if (hours === undefined) return undefined
  const isLate =
    isEvening || part === 'apres midi' || ofDay === 'du soir' || ofDay === 'de l apres midi'
  const hour = Number(hours) + (isLate && Number(hours) < 12 && Number(hours) > 0 ? 12 : 0)
  const minute = minutes === undefined ? quarterOf(quarter) : Number(minutes)
  if (hour > 23 || minute > 59) return undefined
  return { time: `${pad(hour)}:${pad(minute)}`, isMidnight: false, isEvening }
}

function quarterOf(said: string | undefined): number {
  if (!said) return 0
  if (said === 'et quart') return 15
  return said.startsWith('et demi') ? 30 : Number(said)
}

export function pad(value: number, length = 2): string {
  return String(value).padStart(length, '0')
}
