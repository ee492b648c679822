import type { Outcome } from '#contract/predictions.ts'
import type { Emoji } from '#contract/reactions.ts'
import type { AppContext } from '#server/context.ts'
import {
  addresseeRelation,
  authorRelation,
  canViewEnvelope,
  isRevealed,
  type ViewerRelation,
} from '#server/features/access/access.rules.ts'
import {
  albumOf,
  type EnvelopeRow,
  filesOf,
  type PredictionFacts,
} from '#server/features/access/envelopes.rules.ts'
import { readVisible } from '#server/features/access/envelopes.service.ts'
import { grantAuthor, grantReader } from '#server/features/access/grants.service.ts'
import { ticketHolderOf } from '#server/features/access/media-gate.service.ts'
import { savedDeliveriesOf, type Viewer } from '#server/features/access/viewers.service.ts'
import type { Actor } from '#server/features/auth/auth.session.ts'
import { type Delivery, getDeliveries } from '#server/features/deliveries/deliveries.service.ts'
import {
  type EnvelopeMedia,
  envelopeMedia,
  type FileProcessing,
  letterMedia,
  processingOf,
} from '#server/features/media/file-views.service.ts'
import { getOwnNotes, type Notes } from '#server/features/notes/notes.service.ts'
import { listOpeningsOf } from '#server/features/openings/openings.service.ts'
import { presentVotes } from '#server/features/predictions/predictions.rules.ts'
import { listVotesOf } from '#server/features/predictions/predictions.service.ts'
import { listReactionsOf } from '#server/features/reactions/reactions.service.ts'
import { mergeRights } from '#server/platform/sealing/reading-right.ts'
import { type Letter, letterOf, openLetters } from './letters.service.ts'
import { type ListViewer, relationInList } from './lists.rules.ts'
import type { SealedNow } from './revelations.service.ts'

/** A revelation as one viewer sees it at one instant. Without `letter`, it is sealed to them. */
export interface RevelationView {
  envelope: EnvelopeRow
  relation: ViewerRelation
  now: Date
  letter: Letter | undefined
  media: EnvelopeMedia | undefined
  /** The viewer’s own reactions; undefined without an account, which reacting and commenting require. */
  mine: readonly Emoji[] | undefined
  /** The outcome that the viewer voted for. */
  myVote: Outcome | undefined
  /** When the viewer broke the seal. */
  openedAt: Date | null
  /** The viewer asked to be reminded of the instant. */
  isAwaited: boolean
  /** Of the author's own only. */
  own: { deliveries: readonly Delivery[]; processing: FileProcessing | undefined } | undefined
  /** The author’s words for the mails, on the page of their own letter alone. */
  notes?: Notes | undefined
}

/** One revelation as this viewer may see it now. Reading records nothing: only the act of opening does. */
export async function getRevelation(
  ctx: AppContext,
  viewer: Viewer,
  id: string,
): Promise<RevelationView> {
  const { envelope, relation, keyHolder, holder, now, letter } = await readVisible(
    ctx,
    viewer,
    id,
    async (known) => {
      const now = ctx.now()
      const { keyHolder, envelope, relation } = known
      const holder = ticketHolderOf(viewer, keyHolder, envelope.id, relation.isAuthor)
      const right = grantReader(known.relation, known.envelope, now)
      const letters = right && (await openLetters(ctx, right, holder, [known.envelope]))
      const letter = letters?.get(known.envelope.id)
      return { ...known, holder, now, letter, isWhole: !right || letter !== undefined }
    },
  )
  const contextOf = await loadViewerContext(ctx, { actor: viewer.actor, holder }, [
    { envelope, relation },
  ])
  const context = contextOf(envelope)
  const byKey = keyHolder?.revelationId === envelope.id ? keyHolder.sealBrokenAt : null
  const author = relation.isAuthor ? viewer.actor : null
  const notesOf = author ? await getOwnNotes(ctx, author, [envelope]) : undefined
  return {
    ...{ envelope, relation, now, letter, notes: notesOf?.(envelope.id), ...context },
    openedAt: context.openedAt ?? byKey,
  }
}

/** What its author sees of a letter that was just sealed: nothing of its text is opened again. */
export async function viewSealed(
  ctx: AppContext,
  actor: Actor,
  { envelope, notes, ...texts }: SealedNow,
): Promise<RevelationView> {
  const now = ctx.now()
  const relation = authorRelation(actor, envelope)
  const holder = ticketHolderOf({ actor, deliveryKey: null }, undefined, undefined)
  const right = grantAuthor(actor, [envelope])
  if (!right) throw new Error('A letter that was just sealed is its author’s')
  const [files, contextOf] = await Promise.all([
    letterMedia(ctx, right, holder, filesOf(envelope)),
    loadViewerContext(ctx, { actor, holder }, [{ envelope, relation }]),
  ])
  const letter = letterOf(envelope, texts, files)
  return { envelope, relation, now, letter, notes, ...contextOf(envelope) }
}

/** The envelopes as this viewer sees them, with the letters that the gate opens, decided one by one. */
export async function loadViews(
  ctx: AppContext,
  actor: Actor | null,
  viewer: ListViewer,
  envelopes: readonly EnvelopeRow[],
  now: Date,
): Promise<RevelationView[]> {
  const holder = ticketHolderOf({ actor, deliveryKey: null }, undefined, undefined)
  const ids = envelopes.map(({ id }) => id)
  const savedDeliveryOf = await savedDeliveriesOf(ctx, actor ? [actor.userId] : [], ids)
  const known = envelopes.flatMap((envelope) => {
    const savedDeliveryId = actor ? savedDeliveryOf(actor.userId, envelope.id) : undefined
    const relation = listRelation(actor, viewer, envelope, savedDeliveryId)
    // The queries select nothing else; the gate decides all the same.
    if (!canViewEnvelope(relation, envelope, now)) return []
    return { envelope, relation, right: grantReader(relation, envelope, now) }
  })
  const right = mergeRights(known.flatMap((item) => item.right ?? []))
  const readable = known.filter((item) => item.right).map((item) => item.envelope)
  const [letters, contextOf] = await Promise.all([
    readable.length > 0
      ? openLetters(ctx, right, holder, readable, { withFileWords: false })
      : new Map<string, never>(),
    loadViewerContext(ctx, { actor, holder }, known),
  ])
  return known.map(({ envelope, relation }) => ({
    envelope,
    relation,
    now,
    letter: letters.get(envelope.id),
    ...contextOf(envelope),
  }))
}

/** The ids of the rows that these views show to everybody. */
export function rowsShown(seen: readonly RevelationView[]): string[] {
  return seen.flatMap(({ envelope }) => [envelope.id, envelope.authorId, ...filesOf(envelope)])
}

function listRelation(
  actor: Actor | null,
  viewer: ListViewer,
  envelope: EnvelopeRow,
  savedDeliveryId: string | undefined,
): ViewerRelation {
  return {
    isAuthor: actor?.userId === envelope.authorId,
    relationship: relationInList(viewer, envelope.authorId),
    ...addresseeRelation(actor, envelope, { savedDeliveryId }),
  }
}

type ViewerContext = Pick<
  RevelationView,
  'media' | 'mine' | 'myVote' | 'openedAt' | 'isAwaited' | 'own'
>

/** What a view has besides the letter (teasers, the viewer’s reactions and votes; for one’s own, processing and delivery). */
async function loadViewerContext(
  ctx: AppContext,
  { actor, holder }: { actor: Actor | null; holder: string },
  seen: readonly { envelope: EnvelopeRow; relation: ViewerRelation }[],
): Promise<(envelope: EnvelopeRow) => ViewerContext> {
  const now = ctx.now()
  const revealed = seen.filter(({ envelope }) => isRevealed(envelope, now))
  const own = seen.filter(({ relation }) => relation.isAuthor).map(({ envelope }) => envelope)
  const [media, processing, deliveries, mine, votes, openings] = await Promise.all([
    envelopeMedia(
      ctx,
      holder,
      // Nothing but a teaser shows with an envelope.
      seen.flatMap(({ envelope }) => (envelope.teaserEnd === null ? [] : (envelope.mediaId ?? []))),
    ),
    processingOf(
      ctx,
      own.map((envelope) => ({ id: envelope.id, mediaIds: albumOf(envelope) })),
    ),
    getDeliveries(
      ctx,
      own.map((envelope) => envelope.id),
    ),
    actor &&
      listReactionsOf(
        ctx,
        actor.userId,
        seen.map(({ envelope }) => envelope.id),
      ),
    actor &&
      listVotesOf(
        ctx,
        actor.userId,
        seen.flatMap(({ envelope }) => (hasVotes(envelope) ? envelope.id : [])),
      ),
    actor &&
      listOpeningsOf(
        ctx,
        actor,
        revealed.map(({ envelope }) => envelope.id),
      ),
  ])
  return ({ id, mediaId }) => {
    const ownDeliveries = deliveries.get(id)
    return {
      media: (mediaId && media.get(mediaId)) || undefined,
      mine: mine ? (mine.get(id) ?? []) : undefined,
      myVote: votes?.get(id),
      openedAt: openings?.get(id)?.openedAt ?? null,
      isAwaited: openings?.get(id)?.isAwaited ?? false,
      own: ownDeliveries && {
        deliveries: ownDeliveries,
        processing: processing.get(id),
      },
    }
  }
}

/** Most have none: no query is sent for them. */
function hasVotes(facts: PredictionFacts): boolean {
  return Object.values(presentVotes(facts)).some((count) => count > 0)
}
