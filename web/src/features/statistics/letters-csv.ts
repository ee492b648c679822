import type { LetterStatistics } from '#contract/statistics.ts'
import { dayAt } from '#contract/zoned-time.ts'

const HEADS = ['Titre', 'Date', 'Vues', 'Ouvertures', 'Réponses', 'Commentaires', 'Réactions']

/** As the spreadsheets of this language read a table: semicolons, and a mark that it is UTF-8. */
export function lettersAsCsv(letters: readonly LetterStatistics[]): string {
  const rows = letters.map((letter) => [
    letter.title,
    dayAt(new Date(letter.reveal_date), letter.time_zone),
    ...[letter.views, letter.openings, letter.replies, letter.comments, letter.reactions],
  ])
  return `\uFEFF${[HEADS, ...rows].map((cells) => cells.map(cellOf).join(';')).join('\r\n')}\r\n`
}

/** A title is a text, never a formula of the spreadsheet that opens it. */
function cellOf(value: string | number): string {
  if (typeof value === 'number') return String(value)
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value
  return /[";\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
