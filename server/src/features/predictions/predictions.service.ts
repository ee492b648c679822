import type { Declaration, Outcome, Prediction } from '#contract/predictions.ts'
import { type AppContext, inTransaction } from '#server/context.ts'
import { AppError } from '#server/errors.ts'
import { getEnvelope, lockKnown, lockOwn } from '#server/features/access/envelopes.service.ts'
import type { Actor } from '#server/features/auth/auth.session.ts'
import { publishRevelationChanged } from '#server/platform/pubsub/pubsub.ts'
import { findVote, insertOutcome, replaceVote, updateOutcome } from './predictions.repository.ts'
import { isPrediction, presentPrediction } from './predictions.rules.ts'

/**
 * Declares the outcome of the actor’s own prediction. Another one than before is dated, and the former one stays
 * visible; the same again changes nothing. `not_author`, `not_a_prediction`.
 */
export async function declareOutcome(
  ctx: AppContext,
  actor: Actor,
  id: string,
  { outcome, source_url }: Declaration,
): Promise<Prediction> {
  await inTransaction(ctx, async (tx) => {
    const envelope = await lockOwn(tx, actor, id)
    requirePrediction(tx, envelope)
    const source = source_url ? new URL(source_url).href : null
    if (envelope.outcome === outcome && envelope.outcomeSource === source) return
    const save = envelope.outcome === null ? insertOutcome : updateOutcome
    await save(tx.db, id, { outcome, source }, tx.now())
    publishRevelationChanged(tx, envelope, 'state')
  })
  return getPrediction(ctx, actor, id)
}

/** Casts the actor’s vote, or withdraws it without `after`; `own_prediction`, `not_a_prediction`. */
export async function setVote(
  ctx: AppContext,
  actor: Actor,
  id: string,
  after: Outcome | undefined,
): Promise<Prediction> {
  await inTransaction(ctx, async (tx) => {
    // A second vote at the same time waits for this lock, as do an edit and the deletion of the revelation.
    const envelope = await lockKnown(tx, actor, id)
    requirePrediction(tx, envelope)
    if (envelope.authorId === actor.userId) throw new AppError('own_prediction')
    const voter = { revelationId: id, voterId: actor.userId }
    const before = await findVote(tx.db, voter)
    if (before === after) return
    await replaceVote(tx.db, voter, { before, after, at: tx.now() })
    publishRevelationChanged(tx, envelope, 'votes')
  })
  return getPrediction(ctx, actor, id)
}

async function getPrediction(ctx: AppContext, actor: Actor, id: string): Promise<Prediction> {
  const envelope = await getEnvelope(ctx, { actor, deliveryKey: null }, id)
  const myVote = await findVote(ctx.db, { revelationId: id, voterId: actor.userId })
  const prediction = presentPrediction(envelope, ctx.now(), myVote)
  if (!prediction) throw new AppError('not_a_prediction')
  return prediction
}

function requirePrediction(ctx: AppContext, revelation: Parameters<typeof isPrediction>[0]): void {
  if (!isPrediction(revelation, ctx.now())) throw new AppError('not_a_prediction')
}
