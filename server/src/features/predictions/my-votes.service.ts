import type { Outcome } from '#contract/predictions.ts'
import type { AppContext } from '#server/context.ts'
import { listVotesBy } from './predictions.repository.ts'

/** What this person voted on each of these revelations. */
export async function myVotes(
  ctx: AppContext,
  userId: string,
  revelationIds: readonly string[],
): Promise<Map<string, Outcome>> {
  if (revelationIds.length === 0) return new Map()
  const votes = await listVotesBy(ctx.db, userId, revelationIds)
  return new Map(votes.map(({ revelationId, outcome }) => [revelationId, outcome]))
}
