import { userInfo } from 'node:os'
import type { Decision } from '#server/features/reports/decisions.service.ts'
import { StartError } from '#server/platform/start-error.ts'
import { isDiskFull } from '#server/platform/storage/storage.ts'

const REASON_MAX_LENGTH = 1_000

/** Who decides and why, as the command says it: both are written down for ever. */
export function decisionOf(values: {
  reason?: string | undefined
  operator?: string | undefined
}): Decision {
  const reason = values.reason?.trim() ?? ''
  if (reason === '') throw new StartError('Say why: --reason "…".')
  if (reason.length > REASON_MAX_LENGTH) {
    throw new StartError(`A reason has at most ${REASON_MAX_LENGTH} characters.`)
  }
  return { reason, operator: values.operator?.trim() || accountName() }
}

function accountName(): string {
  try {
    return userInfo().username
  } catch {
    throw new StartError('This account has no name: say who you are with --operator <name>.')
  }
}

/** Runs a command: an operator’s mistake is one sentence and an exit code of 1, anything else is a bug. */
export async function runCommand(run: () => Promise<void>): Promise<void> {
  try {
    await run()
  } catch (error) {
    process.stderr.write(`${sentenceOf(error)}\n`)
    process.exitCode = 1
  }
}

function sentenceOf(error: unknown): string | undefined {
  if (isDiskFull(error)) return 'The disk is full: make room and run this again.'
  const isOperators = error instanceof StartError || error instanceof TypeError
  return isOperators ? error.message : (error as Error).stack
}
