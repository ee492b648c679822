import { idSchema } from '#contract/text.ts'
import type { AppContext } from '#server/context.ts'
import { AppError } from '#server/errors.ts'
import { isRevealed } from '#server/features/access/access.rules.ts'
import { getEnvelope } from '#server/features/access/envelopes.service.ts'
import { type Card, cardOf, GENERIC_CARD } from './cards.rules.ts'

const NOBODY = { actor: null, deliveryKey: null }

/** What everybody may see of a revelation at this moment; one card for all that is hidden, gone or was never there. */
export async function findCard(ctx: AppContext, id: string): Promise<Card> {
  const { data: known } = idSchema.safeParse(id)
  if (known === undefined) return GENERIC_CARD
  try {
    const envelope = await getEnvelope(ctx, NOBODY, known)
    return cardOf(envelope, isRevealed(envelope, ctx.now()))
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_found') return GENERIC_CARD
    throw error
  }
}
