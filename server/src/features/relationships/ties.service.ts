import type { AppContext } from '#server/context.ts'
import type { Relation } from './relationships.rules.ts'
import { listPairsOf, listRelationsBetween, lockPairsOf } from './ties.repository.ts'

/** How each of these people is tied to each of the others, in one query. */
export async function relationsBetween(
  ctx: AppContext,
  people: readonly string[],
  others: readonly string[],
): Promise<(one: string, other: string) => Relation | undefined> {
  const ties = new Map<string, Relation>()
  for (const { one, other, tie } of await listRelationsBetween(ctx.db, people, others)) {
    const pair = `${one}/${other}`
    // A block counts, whatever else there may be.
    if (ties.get(pair) !== 'blocked') ties.set(pair, tie)
  }
  return (one, other) => ties.get(`${one}/${other}`)
}

/** Everybody tied to this person or waiting for an answer; with `lock`, nobody else changes that meanwhile. */
export async function listRelated(
  tx: AppContext,
  userId: string,
  { lock }: { lock: boolean },
): Promise<string[]> {
  return lock ? lockPairsOf(tx.db, userId) : listPairsOf(tx.db, userId)
}
