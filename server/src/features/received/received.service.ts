import { z } from 'zod'
import { RECEIVED_STATES, type ReceivedQuery, type ReceivedState } from '#contract/received.ts'
import { LIST_DEFAULT_LIMIT } from '#contract/revelations.ts'
import { idSchema } from '#contract/text.ts'
import type { AppContext } from '#server/context.ts'
import { cursorInstant, formatCursor, parseCursor } from '#server/cursors.ts'
import { AppError, notFound } from '#server/errors.ts'
import {
  addressedDelivery,
  isRevealed,
  recipientFor,
} from '#server/features/access/access.rules.ts'
import { getEnvelope, requireByKey } from '#server/features/access/envelopes.service.ts'
import { saveLetter, unsaveLetter } from '#server/features/access/saved-letters.service.ts'
import type { SignedInViewer } from '#server/features/access/viewers.service.ts'
import type { Actor } from '#server/features/auth/auth.session.ts'
import { findDelivery } from '#server/features/deliveries/deliveries.service.ts'
import { listRelatedIds } from '#server/features/relationships/relationships.service.ts'
import { listAnswered } from '#server/features/replies/replies.service.ts'
import {
  loadViews,
  type RevelationView,
} from '#server/features/revelations/revelation-views.service.ts'
import { phraseOf } from '#server/features/revelations/search.service.ts'
import { isForeignKeyViolation } from '#server/platform/database/sql-errors.ts'
import { withSearchTimeout } from '#server/search-time.ts'
import {
  listEnvelopesInOrder,
  listReceivedRows,
  type ReceivedPage,
  type ReceivedPlace,
} from './received.repository.ts'
import { receivedStateOf } from './received.rules.ts'

/** A letter that the viewer is an addressee of, with how it stands for them. */
export interface ReceivedView {
  seen: RevelationView
  state: ReceivedState
  since: Date
  source: 'address' | 'link'
  isAnswered: boolean
}

export interface ReceivedList {
  received: ReceivedView[]
  nextCursor: string | null
  counts: ReceivedPage['counts']
}

/**
 * What is addressed to this account, or was joined to it by its link: what waits first, then what was announced, then what it
 * opened. An account whose address is not verified is answered as if none were addressed to it.
 */
export async function listReceived(
  ctx: AppContext,
  actor: Actor,
  query: ReceivedQuery,
): Promise<ReceivedList> {
  const limit = query.limit ?? LIST_DEFAULT_LIMIT
  const now = ctx.now()
  const phrase = phraseOf(query.q)
  const criteria = {
    now,
    state: query.state === 'all' ? undefined : query.state,
    phrase,
    after: query.cursor === undefined ? undefined : readCursor(query.cursor),
    limit: limit + 1,
  }
  const { rows, counts } = phrase
    ? await withSearchTimeout(ctx, (searching) => listReceivedRows(searching.db, actor, criteria))
    : await listReceivedRows(ctx.db, actor, criteria)
  const shown = rows.slice(0, limit)
  const last = rows.length > limit ? shown.at(-1) : undefined
  const sinceOf = new Map(shown.map(({ id, since }) => [id, since]))
  const seen = await viewInOrder(ctx, actor, [...sinceOf.keys()], now)
  const answered = await listAnswered(ctx, seen.flatMap(placeOf))
  return {
    received: seen.flatMap((one) => {
      const { id, revealAt } = one.envelope
      const state = receivedStateOf(one)
      // The query selects nothing else; the gate decides all the same.
      if (!state) return []
      const source = addressedDelivery(actor, one.envelope) ? 'address' : 'link'
      return {
        seen: one,
        state,
        since: sinceOf.get(id) ?? revealAt,
        source,
        isAnswered: answered.has(id),
      }
    }),
    nextCursor: last ? formatCursor([last.state, last.at, last.id]) : null,
    counts,
  }
}

/** These letters as their addressee or author sees them now, in this order; without what the gate keeps from them. */
export async function viewInOrder(
  ctx: AppContext,
  actor: Actor,
  ids: readonly string[],
  now: Date,
): Promise<RevelationView[]> {
  if (ids.length === 0) return []
  const [envelopes, related] = await Promise.all([
    listEnvelopesInOrder(ctx.db, ids),
    listRelatedIds(ctx, actor.userId),
  ])
  const viewer = { userId: actor.userId, ...related }
  return loadViews(ctx, { actor, viewer }, envelopes, now)
}

function placeOf({ envelope, relation }: RevelationView) {
  const addressKey = recipientFor(relation, envelope)?.addressKey
  return addressKey === undefined ? [] : { revelationId: envelope.id, addressKey }
}

function readCursor(cursor: string): ReceivedPlace {
  const place = z.tuple([z.enum(RECEIVED_STATES), cursorInstant, idSchema])
  const [state, at, id] = parseCursor(cursor, place)
  return { state, at, id }
}

/**
 * Joins the letter of the personal link that the viewer bears to what their account received, until that link is revoked.
 * Idempotent. `not_found` without the living key of this letter, `still_sealed` before the instant, `forbidden` to the author
 * of a letter to somebody else.
 */
export async function saveReceived(
  ctx: AppContext,
  viewer: SignedInViewer,
  id: string,
): Promise<void> {
  const { envelope, keyHolder } = await requireByKey(ctx, viewer, id)
  if (!isRevealed(envelope, ctx.now())) throw new AppError('still_sealed')
  if (viewer.actor.userId === envelope.authorId) {
    const facts = await findDelivery(ctx, keyHolder.deliveryId)
    if (facts?.addressKey !== facts?.authorEmailKey) {
      throw new AppError('forbidden', {
        message: 'Cette lettre est de vous, pour quelqu’un d’autre',
      })
    }
  }
  await saveLetter(ctx, viewer.actor, keyHolder).catch((error) => {
    // The letter, or the account, was deleted meanwhile.
    throw isForeignKeyViolation(error) ? notFound() : error
  })
}

/**
 * Leaves a letter that this account joined, whose link goes on opening it; `not_found` alike where it joined none, or may not see
 * it any more.
 */
export async function unsaveReceived(ctx: AppContext, actor: Actor, id: string): Promise<void> {
  await getEnvelope(ctx, { actor, deliveryKey: null }, id)
  if (!(await unsaveLetter(ctx, actor, id))) throw notFound()
}
