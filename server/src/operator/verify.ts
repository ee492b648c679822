import { parseArgs } from 'node:util'
import { grantInstallationCheck } from '#server/features/access/operator-grants.service.ts'
import { checkFiles, checkUploads } from '#server/features/media/media-checks.service.ts'
import { checkNotes } from '#server/features/notes/note-checks.service.ts'
import { checkAvatars } from '#server/features/profiles/avatar-checks.service.ts'
import { checkLog } from '#server/features/proofs/log-checks.service.ts'
import { checkReplies } from '#server/features/replies/reply-checks.service.ts'
import { checkLetters } from '#server/features/revelations/operator-letters.service.ts'
import { checkVoiceMessages } from '#server/features/voice-messages/voice-message-checks.service.ts'
import type { Checked } from '#server/platform/sealing/checked.ts'
import { StartError } from '#server/platform/start-error.ts'
import {
  formatCount,
  formatMegabytes,
  parseDecision,
  runCommand,
  withProgress,
} from './command-line.ts'
import { openInstalledDatabase, withOperatorContext } from './operator-context.ts'

const USAGE = `Opens everything that is sealed in an installation, running or not, and says how much does not open:
  npm run verify
It shows nothing of what it opens. Who ran it stays in the audit log, under --operator <name> if not the account’s name.
`

await runCommand(async () => {
  const { values } = parseArgs({
    options: { operator: { type: 'string' }, help: { type: 'boolean' } },
  })
  if (values.help) {
    process.stdout.write(USAGE)
    return
  }
  const decision = parseDecision({ ...values, reason: 'npm run verify' })
  await withProgress(async (progress) => {
    await withOperatorContext(async (ctx) => {
      const right = await grantInstallationCheck(ctx, decision)
      const kinds: [string, AsyncIterable<Checked>][] = [
        ['letters', checkLetters(ctx, right)],
        ['leaves of the log and its checkpoint', checkLog(ctx)],
        ['sounds', checkVoiceMessages(ctx, right)],
        ['replies', checkReplies(ctx, right)],
        ['notes of mails', checkNotes(ctx, right)],
        ['pictures of people', checkAvatars(ctx)],
        ['stored files', checkFiles(ctx, right)],
        ['uploads under way and their pieces', checkUploads(ctx)],
      ]
      let broken = 0
      for (const [kind, checks] of kinds) broken += await count(kind, checks, progress)
      if (broken > 0) throw new StartError(`${formatCount(broken)} of them do not open.`)
      progress.print('Everything opens.')
    }, openInstalledDatabase)
  })
})

/** Prints how many there are and which do not open, never their content. */
async function count(
  kind: string,
  checks: AsyncIterable<Checked>,
  { print, signal }: { print(sentence: string): void; signal: AbortSignal },
): Promise<number> {
  let [all, bytes, broken] = [0, 0, 0]
  for await (const { name, sizeBytes, problem } of checks) {
    signal.throwIfAborted()
    all += 1
    bytes += sizeBytes
    if (problem === undefined) continue
    broken += 1
    print(`${name}: ${problem}`)
  }
  print(
    `${formatCount(all)} ${kind} (${formatMegabytes(bytes)}), ${formatCount(broken)} that do not open`,
  )
  return broken
}
