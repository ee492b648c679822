import type { Outcome } from '#contract/predictions.ts'
import type { Emoji } from '#contract/reactions.ts'
import type { AppContext } from '#server/context.ts'
import type { ViewerRelation } from '#server/features/access/access.rules.ts'
import type { EnvelopeRow, PredictionFacts } from '#server/features/access/envelopes.rules.ts'
import type { Actor } from '#server/features/auth/auth.session.ts'
import { type Delivery, getDeliveries } from '#server/features/deliveries/deliveries.service.ts'
import {
  type EnvelopeMedia,
  envelopeMedia,
  type FileProcessing,
  processingOf,
} from '#server/features/media/file-views.service.ts'
import { presentVotes } from '#server/features/predictions/predictions.rules.ts'
import { listVotesOf } from '#server/features/predictions/predictions.service.ts'
import { listReactionsOf } from '#server/features/reactions/reactions.service.ts'
import type { Letter } from './letters.service.ts'

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
  /** Of the author's own only. */
  own: { deliveries: readonly Delivery[]; processing: FileProcessing | undefined } | undefined
}

type Around = Pick<RevelationView, 'media' | 'mine' | 'myVote' | 'own'>

/** What stands around these letters (teasers, the viewer’s reactions and votes; for one’s own, processing and delivery). */
export async function loadViewerContext(
  ctx: AppContext,
  { actor, holder }: { actor: Actor | null; holder: string },
  seen: readonly { envelope: EnvelopeRow; relation: ViewerRelation }[],
): Promise<(envelope: EnvelopeRow) => Around> {
  const own = seen.filter(({ relation }) => relation.isAuthor).map(({ envelope }) => envelope)
  const [media, processing, deliveries, mine, votes] = await Promise.all([
    envelopeMedia(
      ctx,
      holder,
      seen.flatMap(({ envelope }) => envelope.mediaId ?? []),
    ),
    processingOf(
      ctx,
      own.flatMap((envelope) => envelope.mediaId ?? []),
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
  ])
  return ({ id, mediaId }) => {
    const ownDeliveries = deliveries.get(id)
    return {
      media: (mediaId && media.get(mediaId)) || undefined,
      mine: mine ? (mine.get(id) ?? []) : undefined,
      myVote: votes?.get(id),
      own: ownDeliveries && {
        deliveries: ownDeliveries,
        processing: (mediaId && processing.get(mediaId)) || undefined,
      },
    }
  }
}

/** Most have none: no query is sent for them. */
function hasVotes(facts: PredictionFacts): boolean {
  return Object.values(presentVotes(facts)).some((count) => count > 0)
}
