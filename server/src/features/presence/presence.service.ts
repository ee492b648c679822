import type { Presence } from '#contract/presence.ts'
import type { AppContext } from '#server/context.ts'
import { notFound } from '#server/errors.ts'
import { canViewEnvelope, isRevealed } from '#server/features/access/access.rules.ts'
import { type KnownEnvelope, requireEnvelope } from '#server/features/access/envelopes.service.ts'
import { nameVisitor, type Viewer, type Visit } from '#server/features/access/viewers.service.ts'
import { circleOf } from '#server/features/relationships/relationships.service.ts'
import { isForeignKeyViolation } from '#server/platform/database/sql-errors.ts'
import {
  countReaders,
  deleteReader,
  deleteReadersBefore,
  listNamedReaders,
  upsertReader,
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
  return async (viewer: Viewer, id: string, { visit, page, isLeaving }: ReaderPage) => {
    const known = await requireEnvelope(ctx, viewer, id)
    const now = ctx.now()
    if (isRevealed(known.envelope, now)) return NOBODY
    const accountId = viewer.actor?.userId
    const reader = { revelationId: id, person: personOf(ctx, viewer, known, visit) }
    if (isLeaving) {
      await deleteReader(ctx.db, { ...reader, page })
      return NOBODY
    }
    const isAddresseeAlone = seesAsAddresseeAlone(known, now)
    const isCounted = await upsertReader(ctx.db, {
      ...reader,
      ...{ page, accountId, isAddresseeAlone, seenAt: now },
    }).catch((error) => {
      // The letter, or the account, was deleted meanwhile.
      throw isForeignKeyViolation(error) ? notFound() : error
    })
    // It was counted until the switch was turned off.
    if (!isCounted) await deleteReader(ctx.db, reader)
    const isSeenByCount = isCounted && !(known.relation.isAuthor && isAddresseeAlone)
    const waiting = (await countWaiting(id, now, known.relation.isAuthor)) - (isSeenByCount ? 1 : 0)
    // Who is shown to nobody is shown nobody.
    const isAlone = waiting <= 0 || accountId === undefined || !isCounted
    const people = isAlone ? [] : await listNamed(ctx, id, accountId, now)
    return { waiting: Math.max(waiting, people.length), people }
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
  const asAnybody = { ...relation, isRecipient: false, isSecondRecipient: false }
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
