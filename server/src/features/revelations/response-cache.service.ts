import type { ListQuery } from '#contract/revelations.ts'
import type { AppContext } from '#server/context.ts'
import type { Actor } from '#server/features/auth/auth.session.ts'
import { ticketRoundOf } from '#server/features/media/file-serving.service.ts'
import { watchSnapshots } from '#server/platform/database/database.ts'
import { type PublicPart, readFeed } from './feed.service.ts'
import { findNextPublicReveal } from './lists.repository.ts'

/** For the answers to visitors, and as much for the public part of the feeds of all others. */
const CACHE_BYTES = 16 * 1024 * 1024
/** What an entry occupies beside its answer: anybody may request any number of empty pages. */
const ENTRY_BYTES = 1_000

/** Answers as JSON that went through its schema, from what this process cached where that is current. */
export function createResponseCache(ctx: AppContext) {
  const currentSnapshot = watchSnapshots(ctx.pool)
  const maxBytes = CACHE_BYTES
  const visitorAnswers = createSnapshotCache<Buffer>(ctx, {
    currentSnapshot,
    sizeOf: (bytes) => ENTRY_BYTES + bytes.length,
    maxBytes,
  })
  const publicParts = createSnapshotCache<PublicPart>(ctx, {
    currentSnapshot,
    sizeOf: (part) => ENTRY_BYTES + part.bytes,
    maxBytes,
  })
  return {
    /** `query` is all that the answer depends on: no session and no key may be in it. */
    cachedForVisitor: (
      query: object,
      build: (still: AppContext) => Promise<string>,
    ): Promise<Buffer> =>
      visitorAnswers(JSON.stringify(query), async (still) => Buffer.from(await build(still))),
    /** Undefined for lists that are read live. */
    cachedFeed: (actor: Actor, query: ListQuery): Promise<string | undefined> =>
      readFeed(ctx, publicParts, actor, query),
  }
}

const MAX_AGE_MS = 60_000

interface CacheEntry<Value> {
  value: Value
  builtAt: number
  /** The first reveal since, at which anything may change. */
  nextRevealAt: number
  ticketRound: number
}

/** The entry of `key`, or a new one that `build` returns in a context whose clock stands still. */
type Cached<Value> = (key: string, build: (still: AppContext) => Promise<Value>) => Promise<Value>

interface Options<Value> {
  /** The snapshot that the database shows now, read anew. */
  currentSnapshot(): Promise<string>
  sizeOf(value: Value): number
  maxBytes: number
}

/**
 * Caches answers that are the same for everybody, and returns none stale: at each call the database shows that nothing was
 * written since, and the clock that nothing was revealed.
 */
export function createSnapshotCache<Value>(
  ctx: AppContext,
  { currentSnapshot, sizeOf, maxBytes }: Options<Value>,
): Cached<Value> {
  const building = new Map<string, Promise<CacheEntry<Value>>>()
  const entries = new Map<string, CacheEntry<Value>>()
  let snapshotOfAll = ''
  let nextReveal: { snapshot: string; after: Date; at: Date | undefined } | undefined
  let bytes = 0

  function remove(key: string): void {
    const known = entries.get(key)
    if (known) bytes -= sizeOf(known.value)
    entries.delete(key)
  }

  function store(key: string, entry: CacheEntry<Value>): void {
    remove(key)
    entries.set(key, entry)
    bytes += sizeOf(entry.value)
    for (const oldest of entries.keys()) {
      if (bytes <= maxBytes) break
      remove(oldest)
    }
  }

  /** Read once for all entries before that reveal, as long as nothing is written. */
  async function findNextReveal(snapshot: string, now: Date): Promise<Date | undefined> {
    const known = nextReveal
    if (known?.snapshot === snapshot && known.after <= now && (!known.at || now < known.at)) {
      return known.at
    }
    const at = await findNextPublicReveal(ctx.db, now)
    nextReveal = { snapshot, after: now, at }
    return at
  }

  async function createEntry(
    key: string,
    snapshot: string,
    build: (still: AppContext) => Promise<Value>,
  ): Promise<CacheEntry<Value>> {
    const now = ctx.now()
    const still = { ...ctx, now: () => new Date(now) }
    const [value, nextRevealAt] = await Promise.all([build(still), findNextReveal(snapshot, now)])
    const entry = {
      value,
      builtAt: now.getTime(),
      nextRevealAt: nextRevealAt?.getTime() ?? Number.POSITIVE_INFINITY,
      ticketRound: ticketRoundOf(now),
    }
    if (snapshot === snapshotOfAll) store(key, entry)
    return entry
  }

  return async (key, build) => {
    // Read at each request, so that a change that commits before the request is in its answer.
    const snapshot = await currentSnapshot()
    if (snapshot !== snapshotOfAll) {
      entries.clear()
      bytes = 0
      snapshotOfAll = snapshot
    }
    const known = entries.get(key)
    if (known && isCurrent(known, ctx.now())) {
      // The last used is the last to go.
      entries.delete(key)
      entries.set(key, known)
      return known.value
    }
    const work = `${snapshot} ${key}`
    let started = building.get(work)
    if (!started) {
      started = createEntry(key, snapshot, build).finally(() => building.delete(work))
      building.set(work, started)
    }
    const shared = await started
    // A letter may have been revealed meanwhile.
    return (isCurrent(shared, ctx.now()) ? shared : await createEntry(key, snapshot, build)).value
  }
}

function isCurrent(
  { builtAt, nextRevealAt, ticketRound }: CacheEntry<unknown>,
  now: Date,
): boolean {
  const age = now.getTime() - builtAt
  // A clock that went back makes no entry current again.
  if (age < 0 || age >= MAX_AGE_MS) return false
  return now.getTime() < nextRevealAt && ticketRound === ticketRoundOf(now)
}
