import type { Presence } from '#contract/presence.ts'
import type { AppContext } from '#server/context.ts'
import { canViewEnvelope, isRevealed } from '#server/features/access/access.rules.ts'
import { type KnownEnvelope, requireEnvelope } from '#server/features/access/envelopes.service.ts'
import { nameVisitor, type Viewer, type Visit } from '#server/features/access/viewers.service.ts'
import { circleOf } from '#server/features/relationships/relationships.service.ts'
import {
  countReaders,
  deleteReader,
  deleteReadersBefore,
  listNamedReaders,
  type Reader,
  type ReaderKey,
  showsPresence,
  upsertReaders,
} from './presence.repository.ts'

/** Whoever was not seen for longer has left: two calls of a page may be lost. */
const PRESENT_MS = 45_000
const NAMED_MAX = 10

const NOBODY: Presence = { waiting: 0, people: [] }

export interface ReaderPage {
  visit: Visit
  /** Of the pages of this person. */
  page: string
  isLeaving: boolean
}

/**
 * Answers how many others wait with this viewer, and counts the page in, or out as it leaves. `not_found` without the
 * envelope; nobody waits any more once the letter is open.
 */
export function createPresence(ctx: AppContext) {
  const countWaiting = createCrowdCounts(ctx)
  const countedPages = createCountedPages(ctx)
  return async (viewer: Viewer, id: string, { visit, page, isLeaving }: ReaderPage) => {
    const known = await requireEnvelope(ctx, viewer, id)
    const now = ctx.now()
    if (isRevealed(known.envelope, now)) return NOBODY
    const accountId = viewer.actor?.userId
    const reader = { revelationId: id, person: personOf(ctx, viewer, known, visit), page }
    if (isLeaving) {
      await countedPages.remove(reader)
      return NOBODY
    }
    const isAddresseeAlone = seesAsAddresseeAlone(known, now)
    const isCounted = accountId === undefined || (await showsPresence(ctx.db, accountId))
    if (isCounted) {
      const userId = isAddresseeAlone ? null : (accountId ?? null)
      await countedPages.add({ ...reader, userId, isAddresseeAlone, seenAt: now })
    } else {
      // It was counted until the switch was turned off.
      await countedPages.removePerson(reader)
    }
    const isForAuthor = known.relation.isAuthor
    const isInCount = isCounted && !(isForAuthor && isAddresseeAlone)
    const waiting = (await countWaiting(id, now, isForAuthor)) - (isInCount ? 1 : 0)
    // Who is shown to nobody is shown nobody.
    const isAlone = waiting <= 0 || accountId === undefined || !isCounted
    const people = isAlone ? [] : await listNamed(ctx, id, accountId, now)
    return { waiting: Math.max(waiting, people.length), people }
  }
}

/** Well within the time after which a silent page has left. */
const WRITTEN_WITHIN_MS = 5_000

/**
 * The pages that this process counted. A new one is written at once; those that are only seen again are written together,
 * since each commit makes the cached answers of visitors stale.
 */
function createCountedPages(ctx: AppContext) {
  const lastSeen = new Map<string, number>()
  const seenAgain = new Map<string, Reader>()
  let timer: ReturnType<typeof setTimeout> | undefined
  const keyOf = ({ revelationId, person, page }: ReaderKey) => `${revelationId} ${page} ${person}`

  function forget(reader: ReaderKey): void {
    lastSeen.delete(keyOf(reader))
    seenAgain.delete(keyOf(reader))
  }

  async function writeSeenAgain(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    const oldest = presentSince(ctx.now()).getTime()
    // Whoever has left meanwhile was swept already, and would come back.
    const readers = [...seenAgain.values()].filter(({ seenAt }) => seenAt.getTime() > oldest)
    seenAgain.clear()
    for (const [key, seenAt] of lastSeen) if (seenAt <= oldest) lastSeen.delete(key)
    // What is lost comes again with the next call of each page.
    await upsertReaders(ctx.db, readers).catch((err) =>
      ctx.log.warn({ err }, 'who waits is written with the next calls'),
    )
  }

  return {
    async add(reader: Reader): Promise<void> {
      const key = keyOf(reader)
      const seenAt = reader.seenAt.getTime()
      const [oldest] = seenAgain.values()
      if (oldest && seenAt - oldest.seenAt.getTime() >= WRITTEN_WITHIN_MS) await writeSeenAgain()
      const isKnown = (lastSeen.get(key) ?? 0) > presentSince(reader.seenAt).getTime()
      lastSeen.set(key, seenAt)
      if (!isKnown) return upsertReaders(ctx.db, [reader])
      seenAgain.set(key, reader)
      timer ??= setTimeout(() => void writeSeenAgain(), WRITTEN_WITHIN_MS).unref()
    },
    async remove(reader: ReaderKey): Promise<void> {
      forget(reader)
      await deleteReader(ctx.db, reader)
    },
    /** With all of their pages. */
    async removePerson(reader: ReaderKey): Promise<void> {
      forget(reader)
      const { revelationId, person } = reader
      await deleteReader(ctx.db, { revelationId, person })
    },
  }
}

function personOf(
  ctx: AppContext,
  { actor }: Viewer,
  { envelope, keyHolder }: KnownEnvelope,
  visit: Visit,
): string {
  if (actor) return `user:${actor.userId}`
  if (keyHolder?.revelationId === envelope.id) return `delivery:${keyHolder.deliveryId}`
  return nameVisitor(ctx, 'presence', envelope.id, visit)
}

/**
 * Nobody is named who sees the letter only as its addressee: their name beside it would say for whom it is. Nor does its author
 * count them: that would say, live, that the addressee is there.
 */
function seesAsAddresseeAlone({ relation, envelope }: KnownEnvelope, now: Date): boolean {
  const asAnybody = { ...relation, deliveryIds: [] }
  return !canViewEnvelope(asAnybody, envelope, now)
}

async function listNamed(
  ctx: AppContext,
  revelationId: string,
  viewerId: string,
  now: Date,
): Promise<Presence['people']> {
  const { friends, family } = await circleOf(ctx, viewerId)
  const userIds = [...friends, ...family]
  if (userIds.length === 0) return []
  const since = presentSince(now)
  return listNamedReaders(ctx.db, { revelationId, userIds, since, limit: NAMED_MAX })
}

function presentSince(now: Date): Date {
  return new Date(now.getTime() - PRESENT_MS)
}

/** As many make a crowd, whose count may be some seconds old. */
const CROWD = 100
const CROWD_COUNT_FRESH_MS = 2_000
const CROWDS_MAX = 1_000

/** Counts afresh, but a crowd at most every two seconds for all who wait in it. */
function createCrowdCounts(ctx: AppContext) {
  const crowds = new Map<string, { countedAt: number; count: Promise<number> }>()
  return async (revelationId: string, now: Date, isForAuthor: boolean): Promise<number> => {
    const key = isForAuthor ? `${revelationId} for its author` : revelationId
    const known = crowds.get(key)
    const ageMs = known ? now.getTime() - known.countedAt : Number.POSITIVE_INFINITY
    if (known && ageMs >= 0 && ageMs < CROWD_COUNT_FRESH_MS) return known.count
    const counting = countReaders(ctx.db, { revelationId, since: presentSince(now), isForAuthor })
    const entry = { countedAt: now.getTime(), count: counting }
    // Of a crowd, those who come while it is counted have the same count.
    if (known) crowds.set(key, entry)
    const count = await counting.catch((error) => {
      crowds.delete(key)
      throw error
    })
    if (crowds.size >= CROWDS_MAX) crowds.clear()
    if (count < CROWD) crowds.delete(key)
    else crowds.set(key, entry)
    return count
  }
}

/** Deletes who has left. */
export async function deletePastReaders(ctx: AppContext): Promise<void> {
  await deleteReadersBefore(ctx.db, presentSince(ctx.now()))
}
