import { dayInWords } from '#contract/date-in-words.ts'

/** What a picture shows: night around what is sealed, day around what is open. */
export interface Card {
  sky: 'night' | 'day'
  /** The letter in the wax. */
  initial: string
  title: string
  byline: string
  /** What the day below is. */
  label: string
  day: string
}

/** The part of an envelope that a picture shows; nothing of the letter. */
interface Shown {
  title: string
  authorPseudo: string
  revealAt: Date
  timeZone: string
}

const TITLE_WITHOUT_WORDS = 'Une révélation'

export const GENERIC_CARD: Card = {
  sky: 'night',
  initial: 'R',
  title: 'Écrit cette nuit. Dévoilé le jour dit.',
  byline: '',
  label: 'Annonces, prédictions, lettres, vidéos',
  day: 'Scellées jusqu’à leur date',
}

export function cardOf(
  { title, authorPseudo, revealAt, timeZone }: Shown,
  isRevealed: boolean,
): Card {
  return {
    sky: isRevealed ? 'day' : 'night',
    initial: capitalOf(authorPseudo),
    title: spaced(title),
    byline: `de @${authorPseudo}`,
    label: isRevealed ? 'Dévoilée le' : 'Scellée jusqu’au',
    day: dayInWords(revealAt, timeZone),
  }
}

function capitalOf(pseudo: string): string {
  return (graphemesOf(pseudo)[0] ?? '').toLocaleUpperCase('fr')
}

/** One line, whose spaces break where French lets them; the narrow ones, which fonts lack, are ordinary ones. */
function spaced(text: string): string {
  return text
    .replaceAll(/[\n\r\t ]+/g, ' ')
    .replaceAll(/[\u2000-\u200a\u202f]/g, '\u00a0')
    .replaceAll(/ (?=[:;?!»])|(?<=«) /g, '\u00a0')
}

/**
 * The same without what no font can draw. Emojis and signs are left out; words that would lose letters are left
 * out whole: the rest of them would be somebody else’s words.
 */
export function drawable(card: Card, missing: readonly string[]): Card {
  const lost = new Set(missing.flatMap(graphemesOf))
  const rest = (text: string, instead: string) => restOf(text, lost) ?? instead
  return {
    ...card,
    initial: rest(card.initial, ''),
    title: rest(card.title, TITLE_WITHOUT_WORDS),
    byline: rest(card.byline, ''),
  }
}

function restOf(text: string, lost: ReadonlySet<string>): string | undefined {
  const graphemes = graphemesOf(text)
  const left = graphemes.filter((grapheme) => !lost.has(grapheme))
  if (left.length === graphemes.length) return text
  const rest = left
    .join('')
    .replaceAll(/ +(?=[ \u00a0])/g, '')
    .trim()
  const hasWords = /[\p{L}\p{N}]/u.test(rest)
  return hasWords && !graphemes.some((one) => lost.has(one) && isOfWords(one)) ? rest : undefined
}

function isOfWords(grapheme: string): boolean {
  return /[\p{L}\p{N}]/u.test(grapheme) && !/\p{Emoji_Presentation}|\u20e3/u.test(grapheme)
}

const segmenter = new Intl.Segmenter('fr')

export function graphemesOf(text: string): string[] {
  return Array.from(segmenter.segment(text), ({ segment }) => segment)
}
