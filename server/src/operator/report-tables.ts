import type { Case } from '#server/features/reports/decisions.service.ts'
import { REASONS_IN_WORDS } from '#server/features/reports/reports.rules.ts'

const HEADINGS = ['id', 'since', 'state', 'about', 'whose', 'why', 'from', 'says']
const TEXT_WIDTH = 40
const INDENT = 9

/** One line for each, as a terminal shows it. */
export function caseTable(cases: readonly Case[]): string {
  if (cases.length === 0) return 'No report waits.\n'
  const rows = [HEADINGS, ...cases.map(rowOf)]
  const widths = HEADINGS.map((_, column) =>
    Math.max(...rows.map((row) => widthOf(row[column] ?? ''))),
  )
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell + ' '.repeat((widths[column] ?? 0) - widthOf(cell)))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
    .concat('\n')
}

function rowOf({ report, target }: Case): string[] {
  return [
    report.id.slice(0, 8),
    minuteOf(report.createdAt),
    report.state === 'closed' ? `closed, ${report.outcome}` : target?.hiddenAt ? 'hidden' : 'open',
    report.target,
    target ? `@${target.authorPseudo}` : '(gone)',
    REASONS_IN_WORDS[report.reason],
    reporterOf({ report, target }),
    shortened(report.message || (target?.text ?? '')),
  ]
}

/** Everything an operator may know without opening a letter. */
export function caseInFull({ report, target }: Case): string {
  const facts = [
    ['report', report.id],
    ['since', minuteOf(report.createdAt)],
    ['from', reporterOf({ report, target })],
    ['why', REASONS_IN_WORDS[report.reason]],
    ['says', report.message || '–'],
    ['about', `${report.target} ${report.targetId}`],
    ...(target
      ? [
          ['whose', `@${target.authorPseudo} (${target.authorId})`],
          ['text', target.text || '–'],
          ['made', minuteOf(target.createdAt)],
          ['hidden', target.hiddenAt ? minuteOf(target.hiddenAt) : 'no'],
        ]
      : [['whose', 'it is gone']]),
    ...(report.closedAt
      ? [
          ['closed', `${minuteOf(report.closedAt)}, ${report.outcome}`],
          ['because', report.closingReason ?? ''],
        ]
      : []),
  ]
  return facts.map(([name, value = '']) => `${name?.padEnd(INDENT)}${indented(value)}\n`).join('')
}

function reporterOf({ report }: Case): string {
  if (report.reporterPseudo) return `@${report.reporterPseudo}`
  return report.reporterEmail ? 'a visitor, with an address' : 'a visitor'
}

function minuteOf(instant: Date): string {
  return instant.toISOString().slice(0, 16).replace('T', ' ')
}

/** On one line: what people write must not move the cursor of a terminal nor turn its text around. */
function shortened(text: string): string {
  const line = printable(text).replaceAll(/\s+/g, ' ').trim()
  const characters = [...line]
  return characters.length > TEXT_WIDTH ? `${characters.slice(0, TEXT_WIDTH - 1).join('')}…` : line
}

/** What people write must not look like a fact of ours. */
function indented(text: string): string {
  return printable(text).replaceAll('\n', `\n${' '.repeat(INDENT)}`)
}

function printable(text: string): string {
  return text.replaceAll(/(?!\n)[\p{Cc}\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu, ' ')
}

function widthOf(text: string): number {
  return [...text].length
}
