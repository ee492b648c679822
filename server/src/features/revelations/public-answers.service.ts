import { LIST_DEFAULT_LIMIT, type ListQuery, type Sort } from '#contract/revelations.ts'
import type { AppContext } from '#server/context.ts'
import type { EnvelopeRow } from '#server/features/access/envelopes.rules.ts'
import { findEnvelopes } from '#server/features/access/envelopes.service.ts'
import type { Actor } from '#server/features/auth/auth.session.ts'
import { countListed } from './counts.repository.ts'
import { readBeyondPublic, readTieAndMarks } from './feed.repository.ts'
import { listEnvelopes, orderOfRows, type PlacedRow, placeOf } from './lists.repository.ts'
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
  type Remembered,
  readPublicItems,
  sharedJson,
} from './public-items.service.ts'
import { listMarks, type ReaderMarks } from './reader-marks.repository.ts'
import { loadViews, type RevelationView, rowsShown } from './revelation-views.service.ts'

/** The public part of a page of the feed. */
export interface PublicPart extends Remembered {
  listed: { place: PlacedRow; item: PublicItem }[]
  /** Where it ends, if there may be more: what stands behind it is on none of its pages. */
  end: PlacedRow | undefined
  counts: { found: number; revealed: number }
}

/** A row of a page, in its place as it was found; without `item` where not everybody sees it. */
interface Listed {
  place: PlacedRow
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
): Promise<Buffer | undefined> {
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
  const ids = common.listed.map(({ place }) => place.id)
  const until = common.end && placeOf(sort, common.end)
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
  const items = inOrder(sort, common.listed, beyond.rows)
  const shown = items.slice(0, limit)
  const last = items.length > limit ? shown.at(-1)?.place : common.end
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
): Promise<Buffer> {
  const ids = envelopes.map(({ id }) => id)
  const isShared = ({ visibility, authorId }: EnvelopeRow) =>
    visibility === 'public' && authorId !== actor.userId
  const shared = envelopes.filter(isShared).map(({ id }) => id)
  const [items, marks] = await Promise.all([
    readPublicItems(ctx, rows, shared, now),
    listMarks(ctx.db, actor, ids),
  ])
  // Not everybody sees them any more: the gate decides by what they are now.
  const changed = shared.filter((id) => !items.has(id))
  const anew = new Map((await findEnvelopes(ctx, changed)).map((row) => [row.id, row]))
  const shown = envelopes.flatMap((found): Listed[] => {
    const envelope = changed.includes(found.id) ? anew.get(found.id) : found
    return envelope ? [{ place: found, envelope, item: items.get(found.id) }] : []
  })
  const revelations = await inJsonFor(ctx, { actor, viewer, marks }, shown, now)
  return pageInJson({ revelations, ...page })
}

/** A list as visitors see it: what they see of each row is read once for all their lists. */
export async function viewListForVisitor(
  ctx: AppContext,
  rows: CachedMany<PublicRow>,
  { envelopes, now, nextCursor, counts }: FoundList,
): Promise<RevelationList> {
  const ids = envelopes.map(({ id }) => id)
  const items = await readPublicItems(ctx, rows, ids, now)
  const seen = [...items.values()].map(({ seen }) => ({ ...seen, mine: undefined }))
  return { seen, nextCursor, counts }
}

const BEFORE_ROWS = Buffer.from('{"revelations":[')
const COMMA = Buffer.from(',')

/** What is remembered stays the bytes it is: a page in one string would be encoded anew each time. */
function pageInJson({
  revelations,
  nextCursor,
  counts,
}: Omit<FoundList, 'viewer' | 'envelopes' | 'now'> & { revelations: Buffer[] }): Buffer {
  const rows = revelations.flatMap((json, at) => (at === 0 ? [json] : [COMMA, json]))
  const rest = `],"next_cursor":${JSON.stringify(nextCursor)},"counts":${JSON.stringify(counts)}}`
  return Buffer.concat([BEFORE_ROWS, ...rows, Buffer.from(rest)])
}

/** What became of one audience or the other meanwhile stands once, as it is now. */
function inOrder(
  sort: Sort,
  common: PublicPart['listed'],
  beyond: readonly EnvelopeRow[],
): Listed[] {
  const isMoved = new Set(beyond.map(({ id }) => id))
  return [
    ...common.flatMap(({ place, item }): Listed[] =>
      isMoved.has(place.id) ? [] : [{ place, envelope: item.seen.envelope, item }],
    ),
    ...beyond.map((envelope): Listed => ({ place: envelope, envelope })),
  ].sort((one, other) => orderOfRows(sort, one.place, other.place))
}

interface Reader {
  actor: Actor
  viewer: ListViewer
  marks: ReadonlyMap<string, ReaderMarks>
}

/** What everybody sees, in JSON for this account; what it has a part in, or sees besides, is read for it. */
async function inJsonFor(
  ctx: AppContext,
  reader: Reader,
  shown: readonly Listed[],
  now: Date,
): Promise<Buffer[]> {
  const { actor, viewer, marks } = reader
  const live = shown.flatMap(({ envelope, item }) =>
    item && !hasPart(actor, marks, envelope) ? [] : envelope,
  )
  const seen = live.length > 0 ? await loadViews(ctx, reader, live, now) : []
  const jsonOf = new Map(seen.map((view) => [view.envelope.id, Buffer.from(inJson(view))]))
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
): Promise<Buffer | undefined> {
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
  const items = await readPublicItems(
    ctx,
    cachedRows,
    rows.map(({ id }) => id),
    now,
  )
  const listed = rows.flatMap((row) => {
    const item = items.get(row.id)
    return item ? [{ place: placedRow(row), item }] : []
  })
  const end = rows.length === page.limit ? rows.at(-1) : undefined
  return {
    ...{ listed, end: end && placedRow(end), counts },
    bytes: listed.reduce((sum, { item }) => sum + bytesOf(item), 0),
    rows: rowsShown(listed.map(({ item }) => item.seen)),
    chosenBy: chosenBy({ sort: page.sort }),
  }
}

function placedRow({ id, createdAt, revealAt, reactionsCount }: EnvelopeRow): PlacedRow {
  return { id, createdAt, revealAt, reactionsCount }
}
