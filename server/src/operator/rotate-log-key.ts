import { parseArgs } from 'node:util'
import { rotateLogKey } from '#server/features/proofs/log-keys.service.ts'
import { parseDecision, runCommand } from './command-line.ts'
import { withOperatorContext } from './operator-context.ts'

const USAGE = `Replaces the key that signs the log of what was sealed; the former one is named with it, and both sign that:
  npm run rotate-log-key -- --reason "…"
Programs that run sign with the new one from the next checkpoint on. Verifiers that were downloaded before know the former one
alone: they say of later proofs that the key is unknown. --operator <name> is kept in the audit log with the reason.
`

await runCommand(async () => {
  const { values } = parseArgs({
    options: {
      reason: { type: 'string' },
      operator: { type: 'string' },
      help: { type: 'boolean' },
    },
  })
  if (values.reason === undefined || values.help) {
    process.stdout.write(USAGE)
    process.exitCode = values.help ? 0 : 1
    return
  }
  const decision = parseDecision(values)
  await withOperatorContext(async (ctx) => {
    process.stdout.write(
      `The log is signed with this key from now on:\n${await rotateLogKey(ctx, decision)}\n`,
    )
  })
})
