import { revelationSchema } from '#contract/revelations.ts'
import type { AppContext } from '#server/context.ts'
import { AppError, notFound } from '#server/errors.ts'
import {
  addresseeRelation,
  canRead,
  canViewEnvelope,
  isAddressee,
} from '#server/features/access/access.rules.ts'
import type { EnvelopeRow } from '#server/features/access/envelopes.rules.ts'
import { findEnvelope, findEnvelopes } from '#server/features/access/envelopes.service.ts'
import { sessionTicketHolder } from '#server/features/access/media-gate.service.ts'
import type { Actor } from '#server/features/auth/auth.session.ts'
import {
  splitAtTickets,
  type TicketedJson,
  ticketedFor,
} from '#server/features/media/file-serving.service.ts'
import type { Relation } from '#server/features/relationships/relationships.rules.ts'
import type { Shown } from './lists.rules.ts'
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

/** A letter that everybody may see, in lists or whole; without `item` for others. */
export interface PublicRow extends Remembered {
  item?: PublicItem
}

export interface PublicItem {
  /** As an account sees it that has no part in it and did nothing about it, but for its tickets. */
  seen: RevelationView
  json: TicketedJson
}

/** The current values of these keys; `build` returns those of the ones that are missing. */
export type CachedMany<Value> = (
  keys: readonly string[],
  build: (still: AppContext, missing: readonly string[]) => Promise<Map<string, Value>>,
) => Promise<Map<string, Value>>

/** The value of a key that is current, or a new one that `build` returns in a context whose clock stands still. */
export type Cached<Value> = (
  key: string,
  build: (still: AppContext) => Promise<Value>,
) => Promise<Value>

export const NOBODY = { userId: null, friends: [], family: [], blocked: [] }

type Marks = ReadonlyMap<string, ReaderMarks>

/** Those of these rows that everybody may see, in their order. */
export async function readPublicItems(
  rows: CachedMany<PublicRow>,
  envelopes: readonly EnvelopeRow[],
): Promise<Map<string, PublicItem>> {
  if (envelopes.length === 0) return new Map()
  const ids = envelopes.map(({ id }) => id)
  const known = await rows(ids, loadPublicRows)
  return new Map(
    ids.flatMap((id) => {
      const item = known.get(id)?.item
      return item ? [[id, item]] : []
    }),
  )
}

/** Reads them anew: what a list found may have changed before the cache began to look. */
async function loadPublicRows(
  ctx: AppContext,
  ids: readonly string[],
): Promise<Map<string, PublicRow>> {
  const now = ctx.now()
  const envelopes = await findEnvelopes(ctx, ids)
  const views = await loadViews(ctx, { actor: null, viewer: NOBODY }, envelopes, now)
  const seen = new Map(views.map((view) => [view.envelope.id, view]))
  return new Map(
    ids.map((id) => {
      const view = seen.get(id)
      if (!view) return [id, { rows: [id], chosenBy: 'row', bytes: 0 }]
      const item = publicItem(ctx, view, inJson)
      return [id, { rows: rowsShown([view]), chosenBy: 'row', bytes: bytesOf(item), item }]
    }),
  )
}

export async function loadPublicLetter(ctx: AppContext, id: string): Promise<PublicRow> {
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

/** It may have been narrowed meanwhile, and be for this very reader all the same. */
async function unlessHidden<T>(read: Promise<T>): Promise<T | undefined> {
  try {
    return await read
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_found') return undefined
    throw error
  }
}

export function publicItem(
  ctx: AppContext,
  view: RevelationView,
  toJson: (seen: RevelationView) => string,
): PublicItem {
  // A small buffer keeps the whole pool that it is a part of.
  const commitment = Buffer.from(Uint8Array.from(view.envelope.commitment).buffer)
  const seen = { ...view, envelope: { ...view.envelope, commitment }, mine: [] }
  return { seen, json: splitAtTickets(ctx, toJson(seen)) }
}

/** Its letter is in memory twice, as what was opened and as JSON. */
export function bytesOf({ seen, json }: PublicItem): number {
  const length = json.pieces.reduce((sum, piece) => sum + piece.length, 0)
  return 2_000 + 500 * seen.envelope.recipients.length + 800 * json.tickets.length + 4 * length
}

/** Through the schema, which drops what is not declared. */
export function inJson(seen: RevelationView): string {
  return JSON.stringify(revelationSchema.parse(presentRevelation(seen)))
}

export function inWholeJson(seen: RevelationView): string {
  return JSON.stringify({ revelation: revelationSchema.parse(presentWhole(seen)) })
}

/** Whether somebody wrote it, or it was sealed for them: they are shown more of it than everybody. */
export function hasPart(actor: Actor, marks: Marks, envelope: EnvelopeRow): boolean {
  const savedDeliveryId = marks.get(envelope.id)?.savedDeliveryId ?? undefined
  if (envelope.authorId === actor.userId) return true
  return isAddressee(addresseeRelation(actor, envelope, { savedDeliveryId }))
}

/**
 * What everybody sees, for an account that has no part in it: with what it did about it, and with its own tickets. It is
 * for anybody; the gate decides for this very account all the same, and undefined is what it refuses.
 */
export function sharedJson(
  ctx: AppContext,
  {
    actor,
    relationship,
    marks,
  }: { actor: Actor; relationship: Relation | undefined; marks: Marks },
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
