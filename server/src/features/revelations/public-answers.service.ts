import {
  LIST_DEFAULT_LIMIT,
  type ListQuery,
  revelationSchema,
  type Sort,
} from '#contract/revelations.ts'
import type { AppContext } from '#server/context.ts'
import { AppError, notFound } from '#server/errors.ts'
import {
  addresseeRelation,
  canRead,
  canViewEnvelope,
  isAddressee,
} from '#server/features/access/access.rules.ts'
import type { EnvelopeRow } from '#server/features/access/envelopes.rules.ts'
import { findEnvelope } from '#server/features/access/envelopes.service.ts'
import { sessionTicketHolder } from '#server/features/access/media-gate.service.ts'
import type { Actor } from '#server/features/auth/auth.session.ts'
import {
  splitAtTickets,
  type TicketedJson,
  ticketedFor,
} from '#server/features/media/file-serving.service.ts'
import type { Relation } from '#server/features/relationships/relationships.rules.ts'
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
  type Shown,
} from './lists.rules.ts'
import { readListCursor, writeListCursor } from './lists.service.ts'
import type { ReaderMarks } from './reader-marks.repository.ts'
import {
  getRevelation,
  loadViews,
  type RevelationView,
  rowsShown,
  showMarks,
} from './revelation-views.service.ts'
import { presentRevelation, presentWhole } from './revelations.presenter.ts'

/** What is kept in memory, and about how many bytes it is. */
export interface Remembered extends Shown {
  bytes: number
}

/** The public part of a page of the feed. */
export interface PublicPart extends Remembered {
  items: PublicItem[]
  counts: { found: number; revealed: number }
}

interface PublicItem {
  /** As an account sees it that has no part in it and did nothing about it, but for its tickets. */
  seen: RevelationView
  json: TicketedJson
}

/** A row of a page; without `item` where not everybody sees it. */
interface Listed {
  envelope: EnvelopeRow
  item?: PublicItem
}

/** The value of a key that is current, or a new one that `build` returns in a context whose clock stands still. */
export type Cached<Value> = (
  key: string,
  build: (still: AppContext) => Promise<Value>,
) => Promise<Value>

const NOBODY = { userId: null, friends: [], family: [], blocked: [] }

/**
 * The feed of somebody signed in, as JSON: what everybody sees is read once for all as long as nothing changes, what
 * this person sees beyond that is read now. Undefined for what cannot be put together so.
 */
export async function readFeed(
  ctx: AppContext,
  cached: Cached<PublicPart>,
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
  const common = await cached(key, (still) => readPublicPart(still, narrowing, page))
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
  const next = last ? writeListCursor(sort, last) : null
  return `{"revelations":[${revelations.join()}],"next_cursor":${JSON.stringify(next)},"counts":${JSON.stringify(counts)}}`
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

/** Whether somebody wrote it, or it was sealed for them: they are shown more of it than everybody. */
function hasPart(actor: Actor, marks: Reader['marks'], envelope: EnvelopeRow): boolean {
  const savedDeliveryId = marks.get(envelope.id)?.savedDeliveryId ?? undefined
  if (envelope.authorId === actor.userId) return true
  return isAddressee(addresseeRelation(actor, envelope, { savedDeliveryId }))
}

/**
 * What everybody sees, for an account that has no part in it: with what it did about it, and with its own tickets. It is
 * for anybody; the gate decides for this very account all the same, and undefined is what it refuses.
 */
function sharedJson(
  ctx: AppContext,
  { actor, relationship, marks }: Omit<Reader, 'viewer'> & { relationship: Relation | undefined },
  { seen, json }: PublicItem,
  toJson: (seen: RevelationView) => string,
): string | undefined {
  const { envelope, letter } = seen
  const now = ctx.now()
  const relation = { isAuthor: false, relationship, deliveryIds: [] }
  const isAllowed = letter
    ? canRead(relation, envelope, now)
    : canViewEnvelope(relation, envelope, now)
  if (!isAllowed) return undefined
  const own = marks.has(envelope.id)
    ? splitAtTickets(ctx, toJson({ ...seen, relation, ...showMarks(marks, envelope, seen.now) }))
    : json
  return ticketedFor(ctx, own, sessionTicketHolder(actor))
}

/** A letter that everybody may see, for accounts; without `item` for others. */
export interface PublicLetter extends Remembered {
  item?: PublicItem
}

/**
 * The answer about one letter for somebody signed in, as JSON, where it is that of everybody else: read once for all, as the
 * feed is. Undefined for whoever is shown another one, or none.
 */
export async function readPublicLetter(
  ctx: AppContext,
  cached: Cached<PublicLetter>,
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

async function loadPublicLetter(ctx: AppContext, id: string): Promise<PublicLetter> {
  const envelope = await findEnvelope(ctx, id)
  if (!envelope) throw notFound()
  const shown = { rows: [id], chosenBy: 'row', bytes: 0 } as const
  const relation = { isAuthor: false, relationship: undefined, deliveryIds: [] }
  if (!canViewEnvelope(relation, envelope, ctx.now())) return shown
  const seen = await unlessHidden(getRevelation(ctx, { actor: null, deliveryKey: null }, id))
  if (!seen) return shown
  const item = publicItem(ctx, seen, inWholeJson)
  return { rows: rowsShown([seen]), chosenBy: 'row', bytes: bytesOf(item), item }
}

async function readPublicPart(
  ctx: AppContext,
  narrowing: Pick<ListFilter, 'scope' | 'status' | 'category' | 'kind'>,
  page: ListPage,
): Promise<PublicPart> {
  const now = ctx.now()
  const filter: ListFilter = { ...narrowing, now, viewer: NOBODY, authorId: undefined }
  const [rows, counts] = await Promise.all([
    listEnvelopes(ctx.db, filter, page),
    countListed(ctx.db, filter),
  ])
  const seen = await loadViews(ctx, { actor: null, viewer: NOBODY }, rows, now)
  const items = seen.map((item) => publicItem(ctx, item, inJson))
  const bytes = items.reduce((sum, item) => sum + bytesOf(item), 0)
  return { items, counts, bytes, rows: rowsShown(seen), chosenBy: chosenBy({ sort: page.sort }) }
}

function publicItem(
  ctx: AppContext,
  view: RevelationView,
  toJson: (seen: RevelationView) => string,
): PublicItem {
  // A small buffer keeps the whole pool that it is a part of.
  const commitment = Buffer.from(Uint8Array.from(view.envelope.commitment).buffer)
  const seen = { ...view, envelope: { ...view.envelope, commitment }, mine: [] }
  return { seen, json: splitAtTickets(ctx, toJson(seen)) }
}

/** It may have been narrowed meanwhile, and be for this very reader all the same. */
async function unlessHidden<T>(read: Promise<T>): Promise<T | undefined> {
  try {
    return await read
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_found') return undefined
    throw error
  }
}

/** Its letter is in memory twice, as what was opened and as JSON. */
function bytesOf({ seen, json }: PublicItem): number {
  const length = json.pieces.reduce((sum, piece) => sum + piece.length, 0)
  return 2_000 + 500 * seen.envelope.recipients.length + 800 * json.tickets.length + 4 * length
}

/** Through the schema, which drops what is not declared. */
function inJson(seen: RevelationView): string {
  return JSON.stringify(revelationSchema.parse(presentRevelation(seen)))
}

function inWholeJson(seen: RevelationView): string {
  return JSON.stringify({ revelation: revelationSchema.parse(presentWhole(seen)) })
}
