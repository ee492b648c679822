import { sql } from 'kysely'
import type { Db } from '#server/platform/database/database.ts'
import type { AddresseeMails, AddresseeUse } from './addressees.rules.ts'

/** Whoever writes, locked until the transaction ends: nobody counts in their name meanwhile. */
export async function lockWriter(
  db: Db,
  userId: string,
): Promise<{ emailKey: string; emailVerifiedAt: Date | null } | undefined> {
  return db
    .selectFrom('users')
    .select(['emailKey', 'emailVerifiedAt'])
    .where('id', '=', userId)
    .forNoKeyUpdate()
    .executeTakeFirst()
}

export async function listUsesSince(db: Db, userId: string, since: Date): Promise<AddresseeUse[]> {
  return db
    .selectFrom('addresseeUses')
    .select(['addressHash', 'usedAt'])
    .where('userId', '=', userId)
    .where('usedAt', '>', since)
    .execute()
}

/** An address that is written to again counts from now on. */
export async function saveUses(
  db: Db,
  userId: string,
  uses: readonly AddresseeUse[],
): Promise<void> {
  await db
    .insertInto('addresseeUses')
    .values(uses.map((use) => ({ ...use, userId })))
    .onConflict((conflict) =>
      conflict
        .columns(['userId', 'addressHash'])
        .doUpdateSet((set) => ({ usedAt: set.ref('excluded.usedAt') })),
    )
    .execute()
}

/** Counts one mail more to each address; one that was not written to since is counted anew. */
export async function addMails(
  db: Db,
  userId: string,
  addressHashes: readonly Buffer[],
  { now, since }: { now: Date; since: Date },
): Promise<AddresseeMails[]> {
  const { rows } = await sql<AddresseeMails>`
    insert into addressee_uses as use (user_id, address_hash, used_at, mails, mails_since)
    select ${userId}::uuid, address_hash, ${now}::timestamptz, 1, ${now}::timestamptz
    from unnest(${addressHashes}::bytea[]) as address_hash
    on conflict (user_id, address_hash) do update set
      used_at = excluded.used_at,
      mails = case when use.mails_since > ${since} then use.mails + 1 else 1 end,
      mails_since = case when use.mails_since > ${since} then use.mails_since else excluded.mails_since end
    returning mails, mails_since`.execute(db)
  return rows
}

export async function deleteUsesBefore(db: Db, before: Date): Promise<void> {
  await db.deleteFrom('addresseeUses').where('usedAt', '<=', before).execute()
}
