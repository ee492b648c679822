import { sql } from 'kysely'
import type { Db } from '#server/platform/database/db.ts'

/** The oldest accounts whose pseudo has no skeleton yet, held until the transaction ends. */
export async function listWithoutSkeleton(
  db: Db,
  limit: number,
): Promise<{ id: string; pseudo: string }[]> {
  return db
    .selectFrom('users')
    .select(['id', 'pseudo'])
    .where('pseudoSkeleton', 'is', null)
    .orderBy('createdAt')
    .orderBy('id')
    .limit(limit)
    .forNoKeyUpdate()
    .execute()
}

/**
 * Notes skeletons in this order. One that is held already is noted with the id of the account, which no pseudo can
 * hold: it is in nobody’s way, and is not looked at again.
 */
export async function setSkeletons(
  db: Db,
  users: readonly { id: string; skeleton: string }[],
): Promise<void> {
  const ids = users.map(({ id }) => id)
  const skeletons = users.map(({ skeleton }) => skeleton)
  await sql`
    with made as (
      select id, skeleton, row_number() over (partition by skeleton order by place) as rank
      from unnest(${ids}::uuid[], ${skeletons}::text[]) with ordinality as made (id, skeleton, place)
    )
    update users set pseudo_skeleton = case
      when rank > 1 or exists (select from users as other where other.pseudo_skeleton = skeleton)
      then skeleton || ' ' || made.id else skeleton end
    from made where users.id = made.id`.execute(db)
}
