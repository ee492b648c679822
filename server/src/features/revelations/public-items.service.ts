import { revelationSchema } from '#contract/revelations.ts'
import type { AppContext } from '#server/context.ts'
import { AppError, notFound } from '#server/errors.ts'
import {
  addresseeRelation,
  canRead,
  canViewEnvelope,
  isAddressee,
  isRevealed,
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

/**
 * Those of these letters that everybody may see at this instant, in their order. What a list found of them may be older: a
 * letter that was hidden since is not among them.
 */
export async function readPublicItems(
  ctx: AppContext,
  rows: CachedMany<PublicRow>,
  ids: readonly string[],
  now: Date,
): Promise<Map<string, PublicItem>> {
  if (ids.length === 0) return new Map()
  const known = await rows(ids, loadPublicRows)
  const items = new Map<string, PublicItem>()
  const ofOtherInstant: string[] = []
  for (const id of ids) {
    const item = known.get(id)?.item
    if (!item) continue
    if (isOfInstant(item, now)) items.set(id, item)
    else ofOtherInstant.push(id)
  }
  if (ofOtherInstant.length === 0) return items
  const still = { ...ctx, now: () => new Date(now) }
  const atNow = await loadPublicRows(still, ofOtherInstant)
  return new Map(
    ids.flatMap((id) => {
      const item = items.get(id) ?? atNow.get(id)?.item
      return item ? [[id, item]] : []
    }),
  )
}

/** Whether a letter is sealed or open in it as it is at this instant: it was revealed between the two, or a clock went back. */
function isOfInstant({ seen: { envelope, now } }: PublicItem, instant: Date): boolean {
  return isRevealed(envelope, now) === isRevealed(envelope, instant)
}

/** Reads them anew: what a list found may have changed before the cache asked what did. */
async function loadPublicRows(
  ctx: AppContext,
  ids: readonly string[],
): Promise<Map<string, PublicRow>> {
  const now = ctx.now()
  const envelopes = await findEnvelopes(ctx, ids)
  const views = await loadViews(ctx, { actor: null, viewer: NOBODY }, envelopes, now)
  const seen = new Map(views.map((view) => [view.envelope.id, view]))
  return new Map(ids.map((id) => [id, publicRow(ctx, id, seen.get(id), inJson)]))
}

function publicRow(
  ctx: AppContext,
  id: string,
  view: RevelationView | undefined,
  toJson: (seen: RevelationView) => string,
): PublicRow {
  if (!view) return { rows: [id], chosenBy: 'row', bytes: 0 }
  const item = publicItem(ctx, view, toJson)
  return { rows: rowsShown([view]), chosenBy: 'row', bytes: bytesOf(item), item }
}

export async function loadPublicLetter(ctx: AppContext, id: string): Promise<PublicRow> {
  const envelope = await findEnvelope(ctx, id)
  if (!envelope) throw notFound()
  const relation = { isAuthor: false, relationship: undefined, deliveryIds: [] }
  const isShown = canViewEnvelope(relation, envelope, ctx.now())
  const viewer = { actor: null, deliveryKey: null }
  const seen = isShown ? await unlessHidden(getRevelation(ctx, viewer, id)) : undefined
  return publicRow(ctx, id, seen, inWholeJson)
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

/** Its letter is in memory twice, as what was opened and as the bytes of its JSON. */
export function bytesOf({ seen, json }: PublicItem): number {
  const length = json.pieces.reduce((sum, piece) => sum + piece.length, 0)
  return 2_000 + 500 * seen.envelope.recipients.length + 800 * json.tickets.length + 3 * length
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
 * What everybody sees, as JSON for an account that has no part in it: with what it did about it, and with its own tickets. It is
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
): Buffer | undefined {
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
