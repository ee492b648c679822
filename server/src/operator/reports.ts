import { parseArgs } from 'node:util'
import type { ReportReason } from '#contract/reports.ts'
import type { AppContext } from '#server/context.ts'
import {
  type Case,
  closeReport,
  getCase,
  hideReported,
  listCases,
  restoreReported,
  type Target,
} from '#server/features/reports/decisions.service.ts'
import { StartError } from '#server/platform/start-error.ts'
import { parseDecision, runCommand } from './command-line.ts'
import { withOperatorContext } from './operator-context.ts'

const USAGE = `Reports, for whoever runs this server:
  npm run reports -- list [--all]
  npm run reports -- show <id>
  npm run reports -- hide <id> --reason "…"      out of everybody’s sight but its author’s, who is told
  npm run reports -- restore <id> --reason "…"   as it was, its author is told
  npm run reports -- close <id> --reason "…"     whoever reported is told
An id may be shortened to its beginning. --operator <name> says who decides, if not the account’s name.
`

const REASONS_IN_WORDS: Record<ReportReason, string> = {
  illegal: 'illegal content',
  harassment: 'harassment',
  privacy: 'private facts',
  minor: 'a minor in danger',
  impersonation: 'impersonation',
  spam: 'spam',
  other: 'something else',
}

interface Values {
  all?: boolean
  reason?: string
  operator?: string
}
type Command = (ctx: AppContext, id: string, values: Values) => Promise<string>

const COMMANDS: Record<string, Command> = {
  list: async (ctx, _id, { all }) => formatCases(await listCases(ctx, all ? 'all' : 'open')),
  show: async (ctx, id) => formatCase(await getCase(ctx, id)),
  async hide(ctx, id, values) {
    const { target } = await hideReported(ctx, id, parseDecision(values))
    return `The ${target?.kind} is hidden; its author will be told. The report stays open until you close it.\n`
  },
  async restore(ctx, id, values) {
    const { target } = await restoreReported(ctx, id, parseDecision(values))
    return `The ${target?.kind} is shown again; its author will be told.\n`
  },
  async close(ctx, id, values) {
    const { outcome, isNotified } = await closeReport(ctx, id, parseDecision(values))
    const consequence = isNotified
      ? 'whoever reported will be told'
      : 'nobody left an address to be told'
    return `The report is closed (${outcome}); ${consequence}.\n`
  },
}

const HEADINGS = ['id', 'since', 'state', 'about', 'whose', 'why', 'from', 'says']
const TEXT_WIDTH = 40
const INDENT = 9

/** A table for a terminal, one line per case. */
export function formatCases(cases: readonly Case[]): string {
  if (cases.length === 0) return 'No report waits.\n'
  const rows = [HEADINGS, ...cases.map(formatRow)]
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

function formatRow({ report, target }: Case): string[] {
  return [
    report.id.slice(0, 8),
    minuteOf(report.createdAt),
    report.state === 'closed' ? `closed, ${report.outcome}` : target?.hiddenAt ? 'hidden' : 'open',
    report.target,
    target ? authorOf(target) : '(gone)',
    REASONS_IN_WORDS[report.reason],
    reporterOf({ report, target }),
    shorten(report.message || (target?.text ?? '')),
  ]
}

/** Everything that an operator may know without opening a letter. */
export function formatCase({ report, target }: Case): string {
  const facts = [
    ['report', report.id],
    ['since', minuteOf(report.createdAt)],
    ['from', reporterOf({ report, target })],
    ['why', REASONS_IN_WORDS[report.reason]],
    ['says', report.message || '–'],
    ['about', `${report.target} ${report.targetId}`],
    ...(target
      ? [
          ['whose', `${authorOf(target)} (${target.authorId ?? 'no account'})`],
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
  return facts.map(([name, value = '']) => `${name?.padEnd(INDENT)}${indent(value)}\n`).join('')
}

function authorOf({ authorPseudo }: Target): string {
  return authorPseudo === null ? 'a personal link' : `@${authorPseudo}`
}

function reporterOf({ report }: Case): string {
  if (report.reporterPseudo) return `@${report.reporterPseudo}`
  return report.reporterEmail ? 'a visitor, with an address' : 'a visitor'
}

function minuteOf(instant: Date): string {
  return instant.toISOString().slice(0, 16).replace('T', ' ')
}

/** A text on one line: it must not move the cursor of a terminal nor reverse its text. */
function shorten(text: string): string {
  const line = printable(text).replaceAll(/\s+/g, ' ').trim()
  const characters = [...line]
  return characters.length > TEXT_WIDTH ? `${characters.slice(0, TEXT_WIDTH - 1).join('')}…` : line
}

/** A text of several lines, indented so that no line of it looks like a fact of the report. */
function indent(text: string): string {
  return printable(text).replaceAll('\n', `\n${' '.repeat(INDENT)}`)
}

function printable(text: string): string {
  return text.replaceAll(/(?!\n)[\p{Cc}\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu, ' ')
}

function widthOf(text: string): number {
  return [...text].length
}

await runCommand(async () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      all: { type: 'boolean' },
      reason: { type: 'string' },
      operator: { type: 'string' },
      help: { type: 'boolean' },
    },
  })
  const [name, id = '', ...more] = positionals
  if (name === undefined || values.help) {
    process.stdout.write(USAGE)
    return
  }
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
  if (!command)
    throw new StartError(`There is no command « ${name} »: list, show, hide, restore, close.`)
  if (more.length > 0) throw new StartError(`One id is enough: what is « ${more[0]} »?`)
  if (name === 'list' && id) throw new StartError('list takes no id: « show » does.')
  if (name !== 'list' && !id)
    throw new StartError(`Say which report: npm run reports -- ${name} <id>.`)
  // A missing reason is reported before anything is opened.
  if (['hide', 'restore', 'close'].includes(name)) parseDecision(values)
  process.stdout.write(await withOperatorContext((ctx) => command(ctx, id.toLowerCase(), values)))
})
