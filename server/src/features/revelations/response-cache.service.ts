import type { ListQuery } from '#contract/revelations.ts'
import type { AppContext } from '#server/context.ts'
import type { Actor } from '#server/features/auth/auth.session.ts'
import { ticketRoundOf } from '#server/features/media/file-serving.service.ts'
import type { FreshnessCheck } from '#server/http/page-calls.ts'
import { findNextPublicReveal } from './lists.repository.ts'
import type { Shown } from './lists.rules.ts'
import type { FoundList } from './lists.service.ts'
import {
  type PublicPart,
  type RevelationList,
  readFeed,
  readList,
  readPublicLetter,
  viewListForVisitor,
} from './public-answers.service.ts'
import { followPublicChanges, type PublicChanges } from './public-changes.service.ts'
import type { Cached, CachedMany, PublicRow, Remembered } from './public-items.service.ts'

/** For the answers to visitors; as much each for rows of lists, for the public part of feeds, and for the letters that accounts read. */
const CACHE_BYTES = 16 * 1024 * 1024
/** What an entry occupies beside its answer: anybody may request any number of empty pages. */
const ENTRY_BYTES = 1_000
/** And for each row that it shows. */
const ROW_BYTES = 100

/** An answer to everybody, as JSON that went through its schema. */
export interface PublicAnswer extends Shown {
  json: string
}

/** Answers from what this process cached where that is current. */
export function createResponseCache(ctx: AppContext) {
  const changes = followPublicChanges(ctx)
  const visitorAnswers = createAnswerCache<Remembered & { json: Buffer }>(ctx, changes, CACHE_BYTES)
  const publicParts = createAnswerCache<PublicPart>(ctx, changes, CACHE_BYTES)
  const publicRows = createAnswerCache<PublicRow>(ctx, changes, CACHE_BYTES)
  const publicLetters = createAnswerCache<PublicRow>(ctx, changes, CACHE_BYTES)
  return {
    /** `query` is all that the answer depends on: no session and no key may be in it. */
    async cachedForVisitor(
      query: object,
      build: (still: AppContext) => Promise<PublicAnswer>,
    ): Promise<Pick<Shown, 'chosenBy'> & { json: Buffer; isCurrent: FreshnessCheck }> {
      const key = JSON.stringify(query)
      const answer = await visitorAnswers.get(key, async (still) => {
        const built = await build(still)
        const json = Buffer.from(built.json)
        return { ...built, json, bytes: json.length }
      })
      const { json, chosenBy } = answer
      return { json, chosenBy, isCurrent: visitorAnswers.checkOf(key, answer) }
    },
    /** Undefined for lists that are found live. */
    cachedFeed: (actor: Actor, query: ListQuery): Promise<Buffer | undefined> =>
      readFeed(ctx, { cached: publicParts.get, rows: publicRows.getMany }, actor, query),
    /** A list that was found live. */
    readList: (actor: Actor, found: FoundList): Promise<Buffer> =>
      readList(ctx, publicRows.getMany, actor, found),
    viewListForVisitor: (still: AppContext, found: FoundList): Promise<RevelationList> =>
      viewListForVisitor(still, publicRows.getMany, found),
    /** Undefined for a letter that is read live. */
    cachedLetter: (actor: Actor, id: string): Promise<Buffer | undefined> =>
      readPublicLetter(ctx, publicLetters.get, actor, id),
  }
}

function sizeOf({ bytes, rows }: Remembered): number {
  return ENTRY_BYTES + ROW_BYTES * rows.length + bytes
}

const MAX_AGE_MS = 60_000

interface CacheEntry<Value> {
  value: Value
  /** The revision of the changes after which it was begun. */
  revision: number
  builtAt: number
  /** The first reveal since, at which anything may change. */
  nextRevealAt: number
  ticketRound: number
}

/** The next reveal depends on which letters there are, and shows none of them. */
const ALL_LETTERS: Shown = { rows: [], chosenBy: 'list' }

/**
 * Caches answers that are the same for everybody, and returns none stale: at each call the database says what was changed
 * since, and the clock that nothing was revealed.
 */
export function createAnswerCache<Value extends Remembered>(
  ctx: AppContext,
  changes: PublicChanges,
  maxBytes: number,
): {
  get: Cached<Value>
  getMany: CachedMany<Value>
  /** Says later whether the cache has this very value still, and it is current. */
  checkOf: (key: string, value: Value) => FreshnessCheck
} {
  const building = new Map<string, { revision: number; entry: Promise<CacheEntry<Value>> }>()
  const entries = new Map<string, CacheEntry<Value>>()
  let nextReveal: { revision: number; after: Date; at: Date | undefined } | undefined
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

  /** Read once for all entries before that reveal, as long as no letter is added, changed or removed. */
  async function findNextReveal(revision: number, now: Date): Promise<Date | undefined> {
    const known = nextReveal
    if (known && known.after <= now && (!known.at || now < known.at)) {
      if (!changes.hasChanged(ALL_LETTERS, known.revision)) return known.at
    }
    const at = await findNextPublicReveal(ctx.db, now)
    nextReveal = { revision, after: now, at }
    return at
  }

  async function createEntries(
    revision: number,
    build: (still: AppContext) => Promise<Map<string, Value>>,
  ): Promise<Map<string, CacheEntry<Value>>> {
    const now = ctx.now()
    const still = { ...ctx, now: () => new Date(now) }
    const [values, nextRevealAt] = await Promise.all([build(still), findNextReveal(revision, now)])
    const created = new Map<string, CacheEntry<Value>>()
    for (const [key, value] of values) {
      const entry = {
        value,
        revision,
        builtAt: now.getTime(),
        nextRevealAt: nextRevealAt?.getTime() ?? Number.POSITIVE_INFINITY,
        ticketRound: ticketRoundOf(now),
      }
      if ((entries.get(key)?.revision ?? 0) <= revision) store(key, entry)
      created.set(key, entry)
    }
    return created
  }

  async function createEntry(
    key: string,
    revision: number,
    build: (still: AppContext) => Promise<Value>,
  ): Promise<CacheEntry<Value>> {
    const created = await createEntries(
      revision,
      async (still) => new Map([[key, await build(still)]]),
    )
    return created.get(key) as CacheEntry<Value>
  }

  function findCurrent(key: string): Value | undefined {
    const known = entries.get(key)
    if (!known || !isTimely(known, ctx.now())) return undefined
    if (changes.hasChanged(known.value, known.revision)) return undefined
    // The last used is the last to go.
    entries.delete(key)
    entries.set(key, known)
    return known.value
  }

  // All ask at each call what changed, so that a change that commits before the call is in its answer.
  const get: Cached<Value> = async (key, build) => {
    const revision = await changes.readRevision()
    const known = findCurrent(key)
    if (known) return known
    let started = building.get(key)
    if (started?.revision !== revision) {
      started = { revision, entry: createEntry(key, revision, build) }
      building.set(key, started)
      const end = () => {
        if (building.get(key)?.revision === revision) building.delete(key)
      }
      started.entry.then(end, end)
    }
    const shared = await started.entry
    // A letter may have been revealed meanwhile.
    return (isTimely(shared, ctx.now()) ? shared : await createEntry(key, revision, build)).value
  }

  const getMany: CachedMany<Value> = async (keys, build) => {
    const revision = await changes.readRevision()
    const values = new Map<string, Value>()
    const missing: string[] = []
    for (const key of keys) {
      const known = findCurrent(key)
      if (known) values.set(key, known)
      else missing.push(key)
    }
    if (missing.length === 0) return values
    const created = await createEntries(revision, (still) => build(still, missing))
    for (const [key, { value }] of created) values.set(key, value)
    return values
  }

  const checkOf = (key: string, value: Value) => async () => {
    await changes.readRevision()
    return findCurrent(key) === value
  }

  return { get, getMany, checkOf }
}

function isTimely({ builtAt, nextRevealAt, ticketRound }: CacheEntry<unknown>, now: Date): boolean {
  const age = now.getTime() - builtAt
  // A clock that went back makes no entry current again.
  if (age < 0 || age >= MAX_AGE_MS) return false
  return now.getTime() < nextRevealAt && ticketRound === ticketRoundOf(now)
}
