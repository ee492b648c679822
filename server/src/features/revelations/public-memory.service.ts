import type { AppContext } from '#server/context.ts'
import { ticketRoundOf } from '#server/features/media/file-serving.service.ts'
import { findNextPublicReveal } from './lists.repository.ts'

const MAX_AGE_MS = 60_000

interface Remembered<Value> {
  value: Value
  builtAt: number
  /** The first reveal since, at which anything may change. */
  nextRevealAt: number
  ticketRound: number
}

/** Gives what `build` made of `key`, or makes it, with a context whose clock stands still. */
type Remember<Value> = (key: string, build: (still: AppContext) => Promise<Value>) => Promise<Value>

interface Options<Value> {
  /** What the database shows now, asked anew. */
  currentSnapshot(): Promise<string>
  sizeOf(value: Value): number
  maxBytes: number
}

/**
 * Keeps what is the same for everybody in memory, and never gives it stale: each time the database says that nothing
 * was written since, and the clock that nothing was revealed.
 */
export function createPublicMemory<Value>(
  ctx: AppContext,
  { currentSnapshot, sizeOf, maxBytes }: Options<Value>,
): Remember<Value> {
  const building = new Map<string, Promise<Remembered<Value>>>()
  const remembered = new Map<string, Remembered<Value>>()
  let snapshotOfAll = ''
  let nextReveal: { snapshot: string; after: Date; at: Date | undefined } | undefined
  let bytes = 0

  function forget(key: string): void {
    const known = remembered.get(key)
    if (known) bytes -= sizeOf(known.value)
    remembered.delete(key)
  }

  function keep(key: string, made: Remembered<Value>): void {
    forget(key)
    remembered.set(key, made)
    bytes += sizeOf(made.value)
    for (const oldest of remembered.keys()) {
      if (bytes <= maxBytes) break
      forget(oldest)
    }
  }

  /** Asked once for all that is made before it, as long as nothing is written. */
  async function findNextReveal(snapshot: string, now: Date): Promise<Date | undefined> {
    const known = nextReveal
    if (known?.snapshot === snapshot && known.after <= now && (!known.at || now < known.at)) {
      return known.at
    }
    const at = await findNextPublicReveal(ctx.db, now)
    nextReveal = { snapshot, after: now, at }
    return at
  }

  async function make(
    key: string,
    snapshot: string,
    build: (still: AppContext) => Promise<Value>,
  ): Promise<Remembered<Value>> {
    const now = ctx.now()
    const still = { ...ctx, now: () => new Date(now) }
    const [value, nextRevealAt] = await Promise.all([build(still), findNextReveal(snapshot, now)])
    const made = {
      value,
      builtAt: now.getTime(),
      nextRevealAt: nextRevealAt?.getTime() ?? Number.POSITIVE_INFINITY,
      ticketRound: ticketRoundOf(now),
    }
    if (snapshot === snapshotOfAll) keep(key, made)
    return made
  }

  return async (key, build) => {
    // Asked at each request, so that what commits before it comes is in its answer.
    const snapshot = await currentSnapshot()
    if (snapshot !== snapshotOfAll) {
      remembered.clear()
      bytes = 0
      snapshotOfAll = snapshot
    }
    const known = remembered.get(key)
    if (known && isCurrent(known, ctx.now())) {
      // The last used is the last to go.
      remembered.delete(key)
      remembered.set(key, known)
      return known.value
    }
    const work = `${snapshot} ${key}`
    let made = building.get(work)
    if (!made) {
      made = make(key, snapshot, build).finally(() => building.delete(work))
      building.set(work, made)
    }
    const shared = await made
    // Something may have been revealed while it was made.
    return (isCurrent(shared, ctx.now()) ? shared : await make(key, snapshot, build)).value
  }
}

function isCurrent(
  { builtAt, nextRevealAt, ticketRound }: Remembered<unknown>,
  now: Date,
): boolean {
  const age = now.getTime() - builtAt
  // A clock that went back makes nothing young again.
  if (age < 0 || age >= MAX_AGE_MS) return false
  return now.getTime() < nextRevealAt && ticketRound === ticketRoundOf(now)
}
