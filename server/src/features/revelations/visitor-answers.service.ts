import type { AppContext } from '#server/context.ts'
import { ticketRoundOf } from '#server/features/media/media-tickets.service.ts'
import { watchSnapshots } from '#server/platform/database/snapshots.ts'
import { findNextPublicReveal } from './lists.repository.ts'

const MAX_BYTES = 32 * 1024 * 1024
const MAX_AGE_MS = 60_000

interface Answer {
  bytes: Buffer
  builtAt: number
  /** The first reveal since, at which any answer may change. */
  nextRevealAt: number
  ticketRound: number
}

/** Answers `key` from memory, or else with the bytes that `build` makes with a context whose clock stands still. */
export type VisitorAnswers = (
  key: string,
  build: (still: AppContext) => Promise<string>,
) => Promise<Buffer>

/**
 * What visitors are answered, kept in memory and never stale: at each request the database says that nothing
 * was written since, and the clock that nothing was revealed. Nobody who is signed in is answered from here.
 */
export function createVisitorAnswers(ctx: AppContext, maxBytes = MAX_BYTES): VisitorAnswers {
  const currentSnapshot = watchSnapshots(ctx.pool)
  const building = new Map<string, Promise<Answer>>()
  const answers = new Map<string, Answer>()
  let snapshotOfAnswers = ''
  let size = 0

  function forgetAll(): void {
    answers.clear()
    size = 0
  }

  function forget(key: string): void {
    size -= answers.get(key)?.bytes.length ?? 0
    answers.delete(key)
  }

  function keep(key: string, answer: Answer): void {
    forget(key)
    answers.set(key, answer)
    size += answer.bytes.length
    for (const oldest of answers.keys()) {
      if (size <= maxBytes) break
      forget(oldest)
    }
  }

  async function make(
    key: string,
    snapshot: string,
    build: (still: AppContext) => Promise<string>,
  ): Promise<Answer> {
    const now = ctx.now()
    const still = { ...ctx, now: () => new Date(now) }
    const [text, nextRevealAt] = await Promise.all([
      build(still),
      findNextPublicReveal(ctx.db, now),
    ])
    const answer = {
      bytes: Buffer.from(text),
      builtAt: now.getTime(),
      nextRevealAt: nextRevealAt?.getTime() ?? Number.POSITIVE_INFINITY,
      ticketRound: ticketRoundOf(now),
    }
    if (snapshot === snapshotOfAnswers) keep(key, answer)
    return answer
  }

  return async (key, build) => {
    // Asked at each request, so that what commits before it comes is in its answer.
    const snapshot = await currentSnapshot()
    if (snapshot !== snapshotOfAnswers) forgetAll()
    snapshotOfAnswers = snapshot
    const known = answers.get(key)
    if (known && isCurrent(known, ctx.now())) {
      answers.delete(key)
      answers.set(key, known)
      return known.bytes
    }
    const work = `${snapshot} ${key}`
    let made = building.get(work)
    if (!made) {
      made = make(key, snapshot, build).finally(() => building.delete(work))
      building.set(work, made)
    }
    const answer = await made
    // Something may have been revealed while it was made.
    return (isCurrent(answer, ctx.now()) ? answer : await make(key, snapshot, build)).bytes
  }
}

function isCurrent({ builtAt, nextRevealAt, ticketRound }: Answer, now: Date): boolean {
  const age = now.getTime() - builtAt
  // A clock that went back makes nothing young again.
  if (age < 0 || age >= MAX_AGE_MS) return false
  return now.getTime() < nextRevealAt && ticketRound === ticketRoundOf(now)
}
