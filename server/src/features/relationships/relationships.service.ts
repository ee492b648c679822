import type { AppContext } from '#server/context.ts'
import { findPersonTie, listPersonTies } from './relationships.repository.ts'
import type { PersonTie, Ties } from './relationships.rules.ts'

export async function listTies(ctx: AppContext, userId: string): Promise<Ties> {
  const ties = await listPersonTies(ctx.db, userId)
  const idsOf = (tie: PersonTie) =>
    ties.filter((person) => person.tie === tie).map((person) => person.userId)
  return { friends: idsOf('friend'), family: idsOf('family'), blocked: idsOf('blocked') }
}

/** How two people are tied, undefined for strangers. */
export async function findTie(
  ctx: AppContext,
  one: string,
  other: string,
): Promise<PersonTie | undefined> {
  return findPersonTie(ctx.db, one, other)
}
