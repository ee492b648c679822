import type { Kind } from '#contract/kinds.ts'
import type { Outcome, Prediction, Votes } from '#contract/predictions.ts'
import type { Visibility } from '#contract/revelations.ts'
import { isRevealed } from '#server/features/access/access.rules.ts'
import type { EnvelopeRow, PredictionFacts } from '#server/features/access/envelopes.rules.ts'

/** Whether it is to be judged, and everybody can read it to do so (decisions 28 and 73). */
export function isPrediction(
  revelation: { kind: Kind; visibility: Visibility; revealAt: Date },
  now: Date,
): boolean {
  const { kind, visibility } = revelation
  return kind === 'prediction' && visibility === 'public' && isRevealed(revelation, now)
}

/** Null for what is no prediction, or not yet. */
export function presentPrediction(
  facts: PredictionFacts & Pick<EnvelopeRow, 'kind' | 'visibility' | 'revealAt' | 'recordState'>,
  now: Date,
  myVote: Outcome | undefined,
): Prediction | null {
  if (!isPrediction(facts, now)) return null
  const { outcome, outcomeDeclaredAt } = facts
  return {
    declared:
      outcome && outcomeDeclaredAt
        ? {
            outcome,
            source_url: facts.outcomeSource,
            declared_at: outcomeDeclaredAt.toISOString(),
            changed_at: facts.outcomeChangedAt?.toISOString() ?? null,
            former_outcome: facts.formerOutcome,
          }
        : null,
    votes: presentVotes(facts),
    my_vote: myVote ?? null,
    counts: facts.recordState === 'counted',
  }
}

function presentVotes(facts: PredictionFacts): Votes {
  return {
    fulfilled: facts.votesFulfilled,
    partly: facts.votesPartly,
    failed: facts.votesFailed,
    undecidable: facts.votesUndecidable,
  }
}
