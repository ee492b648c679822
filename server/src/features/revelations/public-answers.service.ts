import { LIST_DEFAULT_LIMIT, type ListQuery, type Sort } from '#contract/revelations.ts'
import type { AppContext } from '#server/context.ts'
import type { EnvelopeRow } from '#server/features/access/envelopes.rules.ts'
import type { Actor } from '#server/features/auth/auth.session.ts'
import { countListed } from './counts.repository.ts'
import { readBeyondPublic, readTieAndMarks } from './feed.repository.ts'
import { listEnvelopes, orderOfRows, placeOf } from './lists.repository.ts'
import {
  chosenBy,
  countsOf,
  type ListFilter,
  type ListPage,
  type ListViewer,
  relationInList,
} from './lists.rules.ts'
import { type FoundList, readListCursor, writeListCursor } from './lists.service.ts'
import {
  bytesOf,
  type Cached,
  type CachedMany,
  hasPart,
  inJson,
  inWholeJson,
  loadPublicLetter,
  NOBODY,
  type PublicItem,
  type PublicRow,
  publicItem,
  type Remembered,
  readPublicItems,
  sharedJson,
} from './public-items.service.ts'
import { listMarks, type ReaderMarks } from './reader-marks.repository.ts'
import { loadViews, type RevelationView, rowsShown } from './revelation-views.service.ts'

/** The public part of a page of the feed. */
export interface PublicPart extends Remembered {
  items: PublicItem[]
  counts: { found: number; revealed: number }
}

/** A row of a page; without `item` where not everybody sees it. */
interface Listed {
  envelope: EnvelopeRow
  item?: PublicItem | undefined
}

export interface RevelationList extends Pick<FoundList, 'nextCursor' | 'counts'> {
  seen: RevelationView[]
}

/**
 * The feed of somebody signed in, as JSON: what everybody sees is read once for all as long as nothing changes, what
 * this person sees beyond that is read now. Undefined for what cannot be put together so.
 */
export async function readFeed(
  ctx: AppContext,
  { cached, rows }: { cached: Cached<PublicPart>; rows: CachedMany<PublicRow> },
  actor: Actor,
  query: ListQuery,
): Promise<string | undefined> {
  const {
    visibility = 'all',
    status,
    category,
    kind,
    sort = 'newest',
    cursor,
    limit: wanted,
    ...others
  } = query
  // A filter that this page does not know is left to the list that knows them all.
  if (visibility !== 'all' || Object.values(others).some(Boolean)) return undefined
  const after = cursor === undefined ? undefined : readListCursor(cursor, sort)
  const limit = wanted ?? LIST_DEFAULT_LIMIT
  const page: ListPage = { sort, after, limit: limit + 1 }
  const narrowing = {
    scope: 'all',
    status: status ?? 'all',
    category,
    kind,
  } as const
  const key = JSON.stringify([narrowing, page])
  const common = await cached(key, (still) => readPublicPart(still, rows, narrowing, page))
  const now = ctx.now()
  const ids = common.items.map(({ seen }) => seen.envelope.id)
  // What stands behind a full page is on none.
  const end = common.items.length === page.limit ? common.items.at(-1) : undefined
  const until = end && placeOf(sort, end.seen.envelope)
  const beyond = await readBeyondPublic(
    ctx.db,
    { ...narrowing, now },
    { ...page, until },
    { ...actor, ids },
  )
  const { viewer, marks } = beyond
  // What a blocked person shows is in the public part.
  if (viewer.blocked.length > 0) return undefined
  const filter: ListFilter = { ...narrowing, now, viewer, authorId: undefined }
  const items = inOrder(sort, common.items, beyond.rows)
  const shown = items.slice(0, limit)
  const last = items.length > limit ? shown.at(-1)?.envelope : undefined
  const revelations = await inJsonFor(ctx, { actor, viewer, marks }, shown, now)
  const counts = countsOf(filter, {
    found: common.counts.found + beyond.found,
    revealed: common.counts.revealed + beyond.revealed,
  })
  return pageInJson({
    revelations,
    nextCursor: last ? writeListCursor(sort, last) : null,
    counts,
  })
}

/** Any list of somebody signed in, as JSON: of its rows, what everybody sees alike is read once for all. */
export async function readList(
  ctx: AppContext,
  rows: CachedMany<PublicRow>,
  actor: Actor,
  { viewer, envelopes, now, ...page }: FoundList,
): Promise<string> {
  const ids = envelopes.map(({ id }) => id)
  const isShared = ({ visibility, authorId }: EnvelopeRow) =>
    visibility === 'public' && authorId !== actor.userId
  const [items, marks] = await Promise.all([
    readPublicItems(rows, envelopes.filter(isShared)),
    listMarks(ctx.db, actor, ids),
  ])
  const shown = envelopes.map((envelope) => ({ envelope, item: items.get(envelope.id) }))
  const revelations = await inJsonFor(ctx, { actor, viewer, marks }, shown, now)
  return pageInJson({ revelations, ...page })
}

/** A list as visitors see it: what they see of each row is read once for all their lists. */
export async function viewListForVisitor(
  ctx: AppContext,
  rows: CachedMany<PublicRow>,
  { viewer, envelopes, now, ...page }: FoundList,
): Promise<RevelationList> {
  const items = await readPublicItems(rows, envelopes)
  // Narrowed since it was found: the page is read whole, as it was then.
  const isWhole = envelopes.every(({ id }) => items.has(id))
  const seen = isWhole
    ? [...items.values()].map(({ seen }) => ({ ...seen, mine: undefined }))
    : await loadViews(ctx, { actor: null, viewer }, envelopes, now)
  return { seen, ...page }
}

function pageInJson({
  revelations,
  nextCursor,
  counts,
}: Omit<FoundList, 'viewer' | 'envelopes' | 'now'> & { revelations: string[] }): string {
  return `{"revelations":[${revelations.join()}],"next_cursor":${JSON.stringify(nextCursor)},"counts":${JSON.stringify(counts)}}`
}

/** What became of one audience or the other meanwhile stands once, as it is now. */
function inOrder(
  sort: Sort,
  common: readonly PublicItem[],
  beyond: readonly EnvelopeRow[],
): Listed[] {
  const isMoved = new Set(beyond.map(({ id }) => id))
  return [
    ...common.flatMap((item): Listed[] => {
      const { envelope } = item.seen
      return isMoved.has(envelope.id) ? [] : [{ envelope, item }]
    }),
    ...beyond.map((envelope): Listed => ({ envelope })),
  ].sort((one, other) => orderOfRows(sort, one.envelope, other.envelope))
}

interface Reader {
  actor: Actor
  viewer: ListViewer
  marks: ReadonlyMap<string, ReaderMarks>
}

/** What everybody sees, put into JSON for this account; what it has a part in, or sees besides, is read for it. */
async function inJsonFor(
  ctx: AppContext,
  reader: Reader,
  shown: readonly Listed[],
  now: Date,
): Promise<string[]> {
  const { actor, viewer, marks } = reader
  const live = shown.flatMap(({ envelope, item }) =>
    item && !hasPart(actor, marks, envelope) ? [] : envelope,
  )
  const seen = live.length > 0 ? await loadViews(ctx, reader, live, now) : []
  const jsonOf = new Map(seen.map((view) => [view.envelope.id, inJson(view)]))
  const isLive = new Set(live.map(({ id }) => id))
  return shown.flatMap(({ envelope, item }) => {
    if (!item || isLive.has(envelope.id)) return jsonOf.get(envelope.id) ?? []
    const relationship = relationInList(viewer, envelope.authorId)
    return sharedJson(ctx, { actor, relationship, marks }, item, inJson) ?? []
  })
}

/**
 * The answer about one letter for somebody signed in, as JSON, where it is that of everybody else: read once for all, as the
 * feed is. Undefined for whoever is shown another one, or none.
 */
export async function readPublicLetter(
  ctx: AppContext,
  cached: Cached<PublicRow>,
  actor: Actor,
  id: string,
): Promise<string | undefined> {
  const { item } = await cached(id, (still) => loadPublicLetter(still, id))
  if (!item) return undefined
  const { envelope } = item.seen
  if (hasPart(actor, new Map(), envelope)) return undefined
  const { tie, marks } = await readTieAndMarks(ctx.db, actor, envelope)
  if (hasPart(actor, marks, envelope)) return undefined
  return sharedJson(ctx, { actor, relationship: tie ?? undefined, marks }, item, inWholeJson)
}

async function readPublicPart(
  ctx: AppContext,
  cachedRows: CachedMany<PublicRow>,
  narrowing: Pick<ListFilter, 'scope' | 'status' | 'category' | 'kind'>,
  page: ListPage,
): Promise<PublicPart> {
  const now = ctx.now()
  const filter: ListFilter = { ...narrowing, now, viewer: NOBODY, authorId: undefined }
  const [rows, counts] = await Promise.all([
    listEnvelopes(ctx.db, filter, page),
    countListed(ctx.db, filter),
  ])
  const known = await readPublicItems(cachedRows, rows)
  // Narrowed since it was found: the page is read whole, as it was then.
  const items =
    known.size === rows.length
      ? [...known.values()]
      : (await loadViews(ctx, { actor: null, viewer: NOBODY }, rows, now)).map((view) =>
          publicItem(ctx, view, inJson),
        )
  const bytes = items.reduce((sum, item) => sum + bytesOf(item), 0)
  const shown = rowsShown(items.map(({ seen }) => seen))
  return { items, counts, bytes, rows: shown, chosenBy: chosenBy({ sort: page.sort }) }
}
