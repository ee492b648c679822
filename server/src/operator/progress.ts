import { StartError } from '#server/platform/start-error.ts'

const LINE_EVERY_MS = 5_000

interface Progress {
  say(sentence: string): void
  count(done: number, total: number, bytes: number): void
  signal: AbortSignal
}

/** What a long command says on its way, a line every few seconds; Ctrl+C ends it where it can go on later. */
export async function withProgress(work: (progress: Progress) => Promise<void>): Promise<void> {
  const stop = new AbortController()
  const stopping = () => stop.abort()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, stopping)
  let saidAt = Date.now()
  const say = (sentence: string) => process.stdout.write(`${sentence}\n`)
  try {
    await work({
      say,
      count(done, total, bytes) {
        if (Date.now() < saidAt + LINE_EVERY_MS) return
        saidAt = Date.now()
        say(`${inDigits(done)} of ${inDigits(total)} files, ${inMegabytes(bytes)}`)
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

export function inDigits(count: number): string {
  return count.toLocaleString('en')
}

export function inMegabytes(bytes: number): string {
  return `${(bytes / 1e6).toLocaleString('en', { maximumFractionDigits: 1 })} MB`
}

/** The first few keys of many. */
export function inShort(keys: readonly string[]): string {
  return `${keys.slice(0, 5).join(', ')}${keys.length > 5 ? '…' : ''}`
}
