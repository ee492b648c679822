import { sql } from 'kysely'
import type { Db } from '#server/platform/database/db.ts'

export interface ReaderRow {
  userId: string
  pseudo: string
  email: string
  emailKey: string
  isVerified: boolean
}

export async function findReader(db: Db, id: string): Promise<ReaderRow | undefined> {
  return db
    .selectFrom('users')
    .select(['id as userId', 'pseudo', 'email', 'emailKey'])
    .select((select) =>
      select('emailVerifiedAt', 'is not', null).$castTo<boolean>().as('isVerified'),
    )
    .where('id', '=', id)
    .executeTakeFirst()
}

/**
 * Keeps these accounts from ending until the transaction does. They are locked before what hangs on them, as whoever
 * ends an account does: in the other order the two could wait for each other.
 */
export async function keepAccounts(db: Db, userIds: readonly string[]): Promise<void> {
  await sql`
    select from users where id = any(${userIds}::uuid[]) order by id for key share`.execute(db)
}
