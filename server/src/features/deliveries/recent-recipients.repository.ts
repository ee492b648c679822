import { sql } from 'kysely'
import type { Db } from '#server/platform/database/db.ts'

/** Of how many letters: lately, and never all of somebody who wrote thousands. */
const LETTERS = 100
const PEOPLE = 12

export interface RecentRecipient {
  address: string
  /** As the author called them last. */
  name: string | null
  lastAt: Date
}

/**
 * Whom an account wrote to in its last letters, each once, the latest first; not itself, nor an address where its last letter
 * failed: the author was told why. Nothing is asked of anybody else's letters.
 */
export async function listRecentRecipients(db: Db, authorId: string): Promise<RecentRecipient[]> {
  const { rows } = await sql<RecentRecipient>`
    select address, name, last_at
    from (
      select
        (array_agg(deliveries.address order by letters.created_at desc))[1] as address,
        (array_agg(deliveries.name order by letters.created_at desc)
          filter (where deliveries.name is not null))[1] as name,
        (array_agg(deliveries.state order by letters.created_at desc))[1] as state,
        max(letters.created_at) as last_at
      from (
        select id, author_id, created_at from revelations
        where author_id = ${authorId} order by created_at desc, id desc limit ${LETTERS}
      ) as letters
      join users on users.id = letters.author_id
      join deliveries on deliveries.revelation_id = letters.id
      where deliveries.address_key <> users.email_key
      group by deliveries.address_key
    ) as people
    where state <> 'failed'
    order by last_at desc, address
    limit ${PEOPLE}
  `.execute(db)
  return rows
}
