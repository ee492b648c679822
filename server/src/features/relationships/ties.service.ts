import type { AppContext } from '#server/context.ts'
import type { PersonTie } from './relationships.rules.ts'
import { listPairsOf, listTiesBetween, lockPairsOf } from './ties.repository.ts'

/** How each of these people is tied to each of the others, in one query. */
export async function tiesBetween(
  ctx: AppContext,
  people: readonly string[],
  others: readonly string[],
): Promise<(one: string, other: string) => PersonTie | undefined> {
  const ties = new Map<string, PersonTie>()
  for (const { one, other, tie } of await listTiesBetween(ctx.db, people, others)) {
    const pair = `${one}/${other}`
    // A block counts, whatever else there may be.
    if (ties.get(pair) !== 'blocked') ties.set(pair, tie)
  }
  return (one, other) => ties.get(`${one}/${other}`)
}

/** Everybody tied to this person or waiting for an answer; with `lock`, nobody else changes that meanwhile. */
export async function listTiedTo(
  tx: AppContext,
  userId: string,
  { lock }: { lock: boolean },
): Promise<string[]> {
  return lock ? lockPairsOf(tx.db, userId) : listPairsOf(tx.db, userId)
}
