import { userInfo } from 'node:os'
import type { Decision } from '#server/features/reports/decisions.service.ts'
import { StartError } from '#server/platform/start-error.ts'
import { isDiskFull } from '#server/platform/storage/storage.ts'

const REASON_MAX_LENGTH = 1_000

/** The operator and the reason of a decision: the audit log stores both for ever. */
export function parseDecision(values: {
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

/** Runs a command. A mistake of the operator is one sentence and exit code 1; anything else is a bug. */
export async function runCommand(run: () => Promise<void>): Promise<void> {
  try {
    await run()
  } catch (error) {
    process.stderr.write(`${formatError(error)}\n`)
    process.exitCode = 1
  }
}

function formatError(error: unknown): string | undefined {
  if (isDiskFull(error)) return 'The disk is full: make room and run this again.'
  const isMistake = error instanceof StartError || error instanceof TypeError
  return isMistake ? error.message : (error as Error).stack
}

const LINE_EVERY_MS = 5_000

interface Progress {
  print(sentence: string): void
  count(done: number, total: number, bytes: number): void
  signal: AbortSignal
}

/** Runs a long command that prints its progress every few seconds; after Ctrl+C, it can continue later. */
export async function withProgress(work: (progress: Progress) => Promise<void>): Promise<void> {
  const stop = new AbortController()
  const stopping = () => stop.abort()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, stopping)
  let printedAt = Date.now()
  const print = (sentence: string) => process.stdout.write(`${sentence}\n`)
  try {
    await work({
      print,
      count(done, total, bytes) {
        if (Date.now() < printedAt + LINE_EVERY_MS) return
        printedAt = Date.now()
        print(`${formatCount(done)} of ${formatCount(total)} files, ${formatMegabytes(bytes)}`)
      },
      signal: stop.signal,
    })
  } catch (error) {
    if (!stop.signal.aborted) throw error
    throw new StartError('Stopped: run the same command again, it goes on from here.')
  } finally {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, stopping)
  }
}

export function formatCount(count: number): string {
  return count.toLocaleString('en')
}

export function formatMegabytes(bytes: number): string {
  return `${(bytes / 1e6).toLocaleString('en', { maximumFractionDigits: 1 })} MB`
}

/** The first five keys of many. */
export function formatFirst(keys: readonly string[]): string {
  return `${keys.slice(0, 5).join(', ')}${keys.length > 5 ? '…' : ''}`
}
