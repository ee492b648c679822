import type { Db } from '#server/platform/database/database.ts'

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
