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
import { type EnvelopeRow, filesOf } from '#server/features/access/envelopes.rules.ts'
import { findEnvelope } from '#server/features/access/envelopes.service.ts'
import type { Actor } from '#server/features/auth/auth.session.ts'
import type { Relation } from '#server/features/relationships/relationships.rules.ts'
import { countListed } from './counts.repository.ts'
import { readBeyondPublic, readStanding } from './feed.repository.ts'
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
import {
  getRevelation,
  loadViews,
  type RevelationView,
  rowsShown,
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
  envelope: EnvelopeRow
  /** The answer to an account that is neither author nor recipient; undefined with a file, whose links differ. */
  json: string | undefined
  hasLetter: boolean
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
  const ids = common.items.map(({ envelope }) => envelope.id)
  // What stands behind a full page is on none.
  const end = common.items.length === page.limit ? common.items.at(-1) : undefined
  const until = end && placeOf(sort, end.envelope)
  const beyond = await readBeyondPublic(
    ctx.db,
    { ...narrowing, now },
    { ...page, until },
    { userId: actor.userId, ids },
  )
  const { viewer } = beyond
  // What a blocked person shows is in the public part.
  if (viewer.blocked.length > 0) return undefined
  const filter: ListFilter = { ...narrowing, now, viewer, authorId: undefined }
  const items = inOrder(sort, common.items, beyond.rows)
  const shown = items.slice(0, limit)
  const last = items.length > limit ? shown.at(-1)?.envelope : undefined
  const reader = { actor, viewer, actedOn: beyond.actedOn }
  const revelations = await inJsonFor(ctx, reader, shown, now)
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
): PublicItem[] {
  const isMoved = new Set(beyond.map(({ id }) => id))
  return [
    ...common.filter(({ envelope }) => !isMoved.has(envelope.id)),
    ...beyond.map((envelope): PublicItem => ({ envelope, json: undefined, hasLetter: false })),
  ].sort((one, other) => orderOfRows(sort, one.envelope, other.envelope))
}

interface Reader {
  actor: Actor
  viewer: ListViewer
  actedOn: readonly string[]
}

/** The shared JSON where it serves this account too; letters of theirs, and those without shared JSON, rendered for it. */
async function inJsonFor(
  ctx: AppContext,
  { actor, viewer, actedOn }: Reader,
  shown: readonly PublicItem[],
  now: Date,
): Promise<string[]> {
  const hasActed = new Set(actedOn)
  const apart = shown.filter((item) => hasActed.has(item.envelope.id) || !isSharedWith(actor, item))
  const envelopes = apart.map(({ envelope }) => envelope)
  const seen = await loadViews(ctx, actor, viewer, envelopes, now)
  const jsonOf = new Map(seen.map((item) => [item.envelope.id, inJson(item)]))
  const isApart = new Set(envelopes.map(({ id }) => id))
  return shown.flatMap((item) => {
    if (isApart.has(item.envelope.id)) return jsonOf.get(item.envelope.id) ?? []
    const relationship = relationInList(viewer, item.envelope.authorId)
    return mayHave(relationship, item, now) ? (item.json ?? []) : []
  })
}

/** Whether it is shown to this account as to everybody, unless they did something that shows on it. */
function isSharedWith(actor: Actor, { envelope, json }: PublicItem): boolean {
  const isOwn = envelope.authorId === actor.userId
  return json !== undefined && !isOwn && !isAddressee(addresseeRelation(actor, envelope))
}

/** The JSON is for anybody: the gate decides for this very account all the same. */
function mayHave(
  relationship: Relation | undefined,
  { envelope, hasLetter }: PublicItem,
  now: Date,
): boolean {
  const relation = { isAuthor: false, relationship, deliveryIds: [] }
  return hasLetter ? canRead(relation, envelope, now) : canViewEnvelope(relation, envelope, now)
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
  if (!item || !isSharedWith(actor, item)) return undefined
  const { authorId } = item.envelope
  const { tie, hasActed } = await readStanding(ctx.db, { userId: actor.userId, authorId, id })
  return !hasActed && mayHave(tie ?? undefined, item, ctx.now()) ? item.json : undefined
}

async function loadPublicLetter(ctx: AppContext, id: string): Promise<PublicLetter> {
  const envelope = await findEnvelope(ctx, id)
  if (!envelope) throw notFound()
  const shown = { rows: [id], chosenBy: 'row', bytes: 0 } as const
  const relation = { isAuthor: false, relationship: undefined, deliveryIds: [] }
  if (!canViewEnvelope(relation, envelope, ctx.now())) return shown
  const seen = await unlessHidden(getRevelation(ctx, { actor: null, deliveryKey: null }, id))
  if (!seen) return shown
  const item = publicItem(seen, inWholeJson)
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
  const seen = await loadViews(ctx, null, NOBODY, rows, now)
  const items = seen.map((item) => publicItem(item, inJson))
  const bytes = items.reduce((sum, item) => sum + bytesOf(item), 0)
  return { items, counts, bytes, rows: rowsShown(seen), chosenBy: chosenBy({ sort: page.sort }) }
}

/** As an account sees it that has no part in it. The links to files are each reader’s own. */
function publicItem(seen: RevelationView, toJson: (seen: RevelationView) => string): PublicItem {
  const { envelope, letter } = seen
  const hasFiles = filesOf(envelope).length > 0
  const json = hasFiles ? undefined : toJson({ ...seen, mine: [] })
  return { envelope, json, hasLetter: letter !== undefined }
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

function bytesOf({ envelope, json = '' }: PublicItem): number {
  return 1_000 + 500 * envelope.recipients.length + 2 * json.length
}

/** Through the schema, which drops what is not declared. */
function inJson(seen: RevelationView): string {
  return JSON.stringify(revelationSchema.parse(presentRevelation(seen)))
}

function inWholeJson(seen: RevelationView): string {
  return JSON.stringify({ revelation: revelationSchema.parse(presentWhole(seen)) })
}
