import { z } from 'zod'
import { LIST_DEFAULT_LIMIT, type ListQuery, type Sort } from '#contract/revelations.ts'
import { idSchema } from '#contract/text.ts'
import { type AppContext, inTransaction } from '#server/context.ts'
import { cursorInstant, formatCursor, parseCursor } from '#server/cursors.ts'
import type { EnvelopeRow } from '#server/features/access/envelopes.rules.ts'
import type { Actor } from '#server/features/auth/auth.session.ts'
import { listRelatedIds } from '#server/features/relationships/relationships.service.ts'
import { withSearchTimeout } from '#server/search-time.ts'
import { addUp, countListed, countOutcomes, hasUncounted, lockCounts } from './counts.repository.ts'
import { listEnvelopes, type PlacedRow, placeOf } from './lists.repository.ts'
import {
  countsOf,
  type ListCounts,
  type ListCursor,
  type ListFilter,
  type ListPage,
  type ListViewer,
} from './lists.rules.ts'
import { phraseOf, search } from './search.service.ts'

/** Beyond as many of one outcome, finding is not counting. */
const MAX_COUNTED = 500

/** A page of a list that this viewer may know of, not opened yet. */
export interface FoundList {
  viewer: ListViewer
  envelopes: EnvelopeRow[]
  nextCursor: string | null
  counts: ListCounts
  /** The instant of which it is. */
  now: Date
}

/** The feed of this viewer: public, friends’ and own items, never family; or one visibility of it. */
export async function findRevelations(
  ctx: AppContext,
  actor: Actor | null,
  query: ListQuery,
): Promise<FoundList> {
  return find(ctx, actor, query, query.visibility ?? 'all')
}

/** All of one's own; of somebody else, what is public and revealed. */
export async function findRevelationsOfUser(
  ctx: AppContext,
  actor: Actor | null,
  userId: string,
  query: ListQuery,
): Promise<FoundList> {
  const isOwn = actor?.userId === userId
  const page = { ...query, author: userId }
  if (!isOwn) return find(ctx, actor, page, 'profile')
  const scope = query.visibility && query.visibility !== 'all' ? query.visibility : 'own'
  return find(ctx, actor, page, scope)
}

async function find(
  ctx: AppContext,
  actor: Actor | null,
  query: ListQuery,
  scope: ListFilter['scope'],
): Promise<FoundList> {
  const sort = query.sort ?? 'newest'
  const after = query.cursor === undefined ? undefined : readListCursor(query.cursor, sort)
  const limit = query.limit ?? LIST_DEFAULT_LIMIT
  const now = ctx.now()
  const viewer = await listViewerOf(ctx, actor)
  const filter: ListFilter = {
    viewer,
    now,
    scope,
    status: query.status ?? 'all',
    category: query.category,
    kind: query.kind,
    authorId: query.author,
    outcome: query.outcome,
  }
  const page: ListPage = { sort, after, limit: limit + 1 }
  const phrase = phraseOf(query.q)
  const { rows, counts } = phrase
    ? await withSearchTimeout(ctx, (searching) => search(searching, phrase, filter, page))
    : await readRows(ctx, filter, page)
  const envelopes = rows.slice(0, limit)
  const last = rows.length > limit ? envelopes.at(-1) : undefined
  return {
    viewer,
    envelopes,
    nextCursor: last ? writeListCursor(sort, last) : null,
    counts,
    now,
  }
}

async function readRows(ctx: AppContext, filter: ListFilter, page: ListPage) {
  const [rows, counts] = await Promise.all([
    listEnvelopes(ctx.db, filter, page),
    filter.outcome
      ? countPredictions(ctx, filter)
      : countListed(ctx.db, filter).then((counted) => countsOf(filter, counted)),
  ])
  return { rows, counts }
}

async function countPredictions(ctx: AppContext, filter: ListFilter): Promise<ListCounts> {
  const counted = await countOutcomes(ctx.db, filter, MAX_COUNTED + 1)
  const found = Math.min(counted, MAX_COUNTED)
  const counts = { found, revealed: found, pending: 0 }
  return counted > MAX_COUNTED ? { ...counts, is_capped: true } : counts
}

async function listViewerOf(ctx: AppContext, actor: Actor | null): Promise<ListViewer> {
  if (!actor) return { userId: null, friends: [], family: [], blocked: [] }
  return { userId: actor.userId, ...(await listRelatedIds(ctx, actor.userId)) }
}

export function writeListCursor(sort: Sort, last: PlacedRow): string {
  const { value, id } = placeOf(sort, last)
  return formatCursor([sort, value, id])
}

export function readListCursor(cursor: string, sort: Sort): ListCursor {
  const value = sort === 'popular' ? z.int32() : cursorInstant
  const [, after, id] = parseCursor(cursor, z.tuple([z.literal(sort), value, idSchema]))
  return { value: after, id }
}

/** Keeps counting lists cheap, however many changes and reveals there were since. */
export async function addUpCounts(ctx: AppContext): Promise<void> {
  if (!(await hasUncounted(ctx.db, ctx.now()))) return
  await inTransaction(ctx, async (tx) => {
    if (await lockCounts(tx.db)) await addUp(tx.db, tx.now())
  })
}
