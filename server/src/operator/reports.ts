import { parseArgs } from 'node:util'
import type { AppContext } from '#server/context.ts'
import {
  closeReport,
  getCase,
  hideReported,
  listCases,
  restoreReported,
} from '#server/features/reports/decisions.service.ts'
import { StartError } from '#server/platform/start-error.ts'
import { decisionOf, runCommand } from './command-line.ts'
import { withOperatorContext } from './operator-context.ts'
import { caseInFull, caseTable } from './report-tables.ts'

const USAGE = `Reports, for whoever runs this server:
  npm run reports -- list [--all]
  npm run reports -- show <id>
  npm run reports -- hide <id> --reason "…"      out of everybody’s sight but its author’s, who is told
  npm run reports -- restore <id> --reason "…"   as it was, its author is told
  npm run reports -- close <id> --reason "…"     whoever reported is told
An id may be shortened to its beginning. --operator <name> says who decides, if not the account’s name.
`

interface Values {
  all?: boolean
  reason?: string
  operator?: string
}
type Command = (ctx: AppContext, id: string, values: Values) => Promise<string>

const COMMANDS: Record<string, Command> = {
  list: async (ctx, _id, { all }) => caseTable(await listCases(ctx, all ? 'all' : 'open')),
  show: async (ctx, id) => caseInFull(await getCase(ctx, id)),
  async hide(ctx, id, values) {
    const { target } = await hideReported(ctx, id, decisionOf(values))
    return `The ${target?.kind} is hidden; its author will be told. The report stays open until you close it.\n`
  },
  async restore(ctx, id, values) {
    const { target } = await restoreReported(ctx, id, decisionOf(values))
    return `The ${target?.kind} is shown again; its author will be told.\n`
  },
  async close(ctx, id, values) {
    const { outcome, isTold } = await closeReport(ctx, id, decisionOf(values))
    const told = isTold ? 'whoever reported will be told' : 'nobody left an address to be told'
    return `The report is closed (${outcome}); ${told}.\n`
  },
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
  // What is missing is said before anything is opened.
  if (['hide', 'restore', 'close'].includes(name)) decisionOf(values)
  process.stdout.write(await withOperatorContext((ctx) => command(ctx, id.toLowerCase(), values)))
})
