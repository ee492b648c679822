import { parseArgs } from 'node:util'
import { inBatches } from '#server/context.ts'
import { recordRequeue } from '#server/features/deliveries/delivery-outcomes.service.ts'
import { requeueFailedMails } from '#server/platform/mail/mail-queue.ts'
import { runCommand } from './command-line.ts'
import { withOperatorContext } from './operator-context.ts'

const USAGE = `Queues again the mails that could not leave for three days, once the mail server works; beside the running program:
  npm run resend-failed-mails
Not those whose address does not exist, or wants no mail. Where there is nothing to say any more, nothing is sent.
`
const BATCH_SIZE = 500

await runCommand(async () => {
  const { values } = parseArgs({ options: { help: { type: 'boolean' } } })
  if (values.help) {
    process.stdout.write(USAGE)
    return
  }
  const count = await withOperatorContext((ctx) =>
    inBatches(ctx, BATCH_SIZE, async (tx) => {
      const ids = await requeueFailedMails(tx, BATCH_SIZE)
      await recordRequeue(tx, ids)
      return ids.length
    }),
  )
  const subject = count === 1 ? '1 mail is' : `${count} mails are`
  process.stdout.write(`${subject} queued again; the worker sends them now.\n`)
})
