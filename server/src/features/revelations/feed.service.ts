import {
  LIST_DEFAULT_LIMIT,
  type ListQuery,
  revelationSchema,
  type Sort,
} from '#contract/revelations.ts'
import type { AppContext } from '#server/context.ts'
import {
  addresseeRelation,
  canRead,
  canViewEnvelope,
  isAddressee,
} from '#server/features/access/access.rules.ts'
import type { EnvelopeRow } from '#server/features/access/envelopes.rules.ts'
import type { Actor } from '#server/features/auth/auth.session.ts'
import { countListed } from './counts.repository.ts'
import { readBeyondPublic } from './feed.repository.ts'
import { listEnvelopes, orderOfRows } from './lists.repository.ts'
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
import { loadViews, type RevelationView, rowsShown } from './revelation-views.service.ts'
import { presentRevelation } from './revelations.presenter.ts'

/** The public part of a page of the feed. */
export interface PublicPart extends Shown {
  items: PublicItem[]
  counts: { found: number; revealed: number }
  bytes: number
}

interface PublicItem {
  envelope: EnvelopeRow
  /** The answer to an account that is neither author nor recipient; undefined with a file, whose links differ. */
  json: string | undefined
  hasLetter: boolean
}

type CachedPublicPart = (
  key: string,
  build: (still: AppContext) => Promise<PublicPart>,
) => Promise<PublicPart>

const NOBODY = { userId: null, friends: [], family: [], blocked: [] }

/**
 * The feed of somebody signed in, as JSON: what everybody sees is read once for all as long as nothing changes, what
 * this person sees beyond that is read now. Undefined for what cannot be put together so.
 */
export async function readFeed(
  ctx: AppContext,
  cached: CachedPublicPart,
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
  const beyond = await readBeyondPublic(ctx.db, { ...narrowing, now }, page, {
    userId: actor.userId,
    ids,
  })
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
  const apart = shown.filter(
    ({ envelope, json }) =>
      json === undefined ||
      hasActed.has(envelope.id) ||
      isAddressee(addresseeRelation(actor, envelope)) ||
      envelope.authorId === actor.userId,
  )
  const envelopes = apart.map(({ envelope }) => envelope)
  const seen = await loadViews(ctx, actor, viewer, envelopes, now)
  const jsonOf = new Map(seen.map((item) => [item.envelope.id, inJson(item)]))
  const isApart = new Set(envelopes.map(({ id }) => id))
  return shown.flatMap(({ envelope, json, hasLetter }) => {
    if (isApart.has(envelope.id)) return jsonOf.get(envelope.id) ?? []
    const relationship = relationInList(viewer, envelope.authorId)
    const relation = { isAuthor: false, relationship, deliveryIds: [] }
    // The JSON is for anybody: the gate decides for this very account all the same.
    const rule = hasLetter ? canRead : canViewEnvelope
    return json !== undefined && rule(relation, envelope, now) ? json : []
  })
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
  const items = seen.map((item) => ({
    envelope: item.envelope,
    json: item.envelope.mediaId === null ? inJson({ ...item, mine: [] }) : undefined,
    hasLetter: item.letter !== undefined,
  }))
  const bytes = items.reduce((sum, { json = '' }) => sum + 1_000 + json.length, 0)
  return { items, counts, bytes, rows: rowsShown(seen), chosenBy: chosenBy({ sort: page.sort }) }
}

/** Through the schema, which drops what is not declared. */
function inJson(seen: RevelationView): string {
  return JSON.stringify(revelationSchema.parse(presentRevelation(seen)))
}
