import type { AppContext } from '#server/context.ts'
import type { PersonTie } from './relationships.rules.ts'
import { listTiesBetween } from './ties.repository.ts'

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
