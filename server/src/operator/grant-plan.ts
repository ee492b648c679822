import { parseArgs } from 'node:util'
import { PLANS, type Plan } from '#contract/subscriptions.ts'
import { grantPlan } from '#server/features/subscriptions/subscriptions.service.ts'
import { StartError } from '#server/platform/start-error.ts'
import { parseDecision, runCommand } from './command-line.ts'
import { withOperatorContext } from './operator-context.ts'

const USAGE = `Puts an account on a plan, for whoever runs this server (with SIMULATED_PLANS=off nobody else does):
  npm run grant-plan -- --email <address> --plan ${PLANS.join('|')} [--until 2027-12-31]
The plan takes the place of the one the account has; --until names its last day (UTC), and without it the plan has no end.
--operator <name> and --reason "…" are kept in the audit log, the name of this account if no other is said.
`

await runCommand(async () => {
  const { values } = parseArgs({
    options: {
      email: { type: 'string' },
      plan: { type: 'string' },
      until: { type: 'string' },
      reason: { type: 'string' },
      operator: { type: 'string' },
      help: { type: 'boolean' },
    },
  })
  const { email, plan, until } = values
  if (email === undefined || plan === undefined || values.help) {
    process.stdout.write(USAGE)
    process.exitCode = values.help ? 0 : 1
    return
  }
  const grant = { email: email.trim(), plan: parsePlan(plan), endsAt: parseEnd(until) }
  const decision = parseDecision({
    ...values,
    reason: values.reason ?? `npm run grant-plan: ${plan}`,
  })
  await withOperatorContext(async (ctx) => {
    const granted = await grantPlan(ctx, grant, decision)
    if (!granted) throw new StartError(`No account has the address ${grant.email}.`)
    const end = until === undefined ? 'without an end' : `until ${until}`
    process.stdout.write(`@${granted.pseudo} is on the plan ${plan}, ${end}.\n`)
    if (granted.awaitsVerification) {
      process.stdout.write('Its address is not verified: until it is, its files have 100 MB.\n')
    }
  })
})

function parsePlan(name: string): Plan {
  const plan = PLANS.find((each) => each === name)
  if (!plan) throw new StartError(`There is no plan « ${name} »: ${PLANS.join(', ')}.`)
  return plan
}

/** The end of a day in UTC. */
function parseEnd(day: string | undefined): Date | null {
  if (day === undefined) return null
  const end = new Date(`${day}T23:59:59.999Z`)
  // The 31st of a month that has 30 days would be the first of the next one.
  const isDay = !Number.isNaN(end.getTime()) && end.toISOString().startsWith(`${day}T`)
  if (!isDay) throw new StartError(`« ${day} » is no day: --until 2027-12-31.`)
  if (end < new Date()) throw new StartError(`${day} is over already.`)
  return end
}
