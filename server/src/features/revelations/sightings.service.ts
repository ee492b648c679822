import type { Outcome } from '#contract/predictions.ts'
import type { Emoji } from '#contract/reactions.ts'
import type { AppContext } from '#server/context.ts'
import type { Actor } from '#server/features/auth/auth.session.ts'
import { type Delivery, getDeliveries } from '#server/features/deliveries/deliveries.service.ts'
import {
  type EnvelopeMedia,
  envelopeMedia,
  type FileProcessing,
  processingOf,
} from '#server/features/media/media.service.ts'
import { myVotes } from '#server/features/predictions/my-votes.service.ts'
import {
  type PredictionFacts,
  presentVotes,
} from '#server/features/predictions/predictions.rules.ts'
import { myReactions } from '#server/features/reactions/my-reactions.service.ts'
import type { Letter } from './letters.service.ts'
import type { EnvelopeRow } from './revelations.repository.ts'
import type { Tie } from './revelations.rules.ts'

/** A revelation as one viewer sees it at one instant. Without `letter`, it is sealed to them. */
export interface SeenRevelation {
  envelope: EnvelopeRow
  tie: Tie
  now: Date
  letter: Letter | undefined
  media: EnvelopeMedia | undefined
  /** What the viewer left under it; undefined without an account, which reacting and commenting ask for. */
  mine: readonly Emoji[] | undefined
  /** What the viewer says became of it. */
  myVote: Outcome | undefined
  /** Of the author's own only. */
  own: { deliveries: readonly Delivery[]; processing: FileProcessing | undefined } | undefined
}

type Around = Pick<SeenRevelation, 'media' | 'mine' | 'myVote' | 'own'>

/** What stands around these letters (teasers, the viewer’s reactions and votes; for one’s own, processing and delivery). */
export async function surroundings(
  ctx: AppContext,
  { actor, holder }: { actor: Actor | null; holder: string },
  seen: readonly { envelope: EnvelopeRow; tie: Tie }[],
): Promise<(envelope: EnvelopeRow) => Around> {
  const own = seen.filter(({ tie }) => tie.isAuthor).map(({ envelope }) => envelope)
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
      myReactions(
        ctx,
        actor.userId,
        seen.map(({ envelope }) => envelope.id),
      ),
    actor &&
      myVotes(
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

/** Most have none: nobody is asked about them. */
function hasVotes(facts: PredictionFacts): boolean {
  return Object.values(presentVotes(facts)).some((count) => count > 0)
}
