import { type Selectable, sql } from 'kysely'
import type { Db } from '#server/platform/database/db.ts'
import type { AccountLinks } from '#server/platform/database/tables.ts'

export type LinkKind = 'verify_email' | 'change_email' | 'reset_password'
export type LinkRow = Omit<Selectable<AccountLinks>, 'kind'> & { kind: LinkKind }

export async function insertLink(db: Db, link: LinkRow): Promise<void> {
  await db.insertInto('accountLinks').values(link).execute()
}

export async function findLink(
  db: Db,
  by: { id: string } | { tokenHash: Buffer },
): Promise<LinkRow | undefined> {
  const row = await db
    .selectFrom('accountLinks')
    .selectAll()
    .where((where) =>
      'id' in by ? where('id', '=', by.id) : where('tokenHash', '=', by.tokenHash),
    )
    .executeTakeFirst()
  return row as LinkRow | undefined
}

/** Ends an active link; false when it had ended, or when another request ended it first. */
export async function endLink(db: Db, id: string, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('accountLinks')
    .set({ expiresAt: now })
    .where('id', '=', id)
    .where('expiresAt', '>', now)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Ends the active links of a person, of these kinds. */
export async function endLinksOf(
  db: Db,
  userId: string,
  kinds: readonly LinkKind[],
  now: Date,
): Promise<void> {
  await db
    .updateTable('accountLinks')
    .set({ expiresAt: now })
    .where('userId', '=', userId)
    .where('kind', 'in', kinds)
    .where('expiresAt', '>', now)
    .execute()
}

/** Extends the newest link of a kind, unless it was used or ended early. */
export async function extendLastLink(
  db: Db,
  { userId, kind }: Pick<LinkRow, 'userId' | 'kind'>,
  { usualMs, longestMs }: { usualMs: number; longestMs: number },
): Promise<void> {
  await sql`
    update account_links set expires_at = created_at + ${longestMs} * interval '1 millisecond'
    where expires_at = created_at + ${usualMs} * interval '1 millisecond'
      and id = (
        select id from account_links where user_id = ${userId} and kind = ${kind}
        order by created_at desc limit 1
      )`.execute(db)
}

export async function deleteLinksEndedBefore(db: Db, before: Date): Promise<void> {
  await db.deleteFrom('accountLinks').where('expiresAt', '<', before).execute()
}

/** Why an address is mailed a link: its owner forgot the password, or tries locked the account. */
export type RequestReason = 'forgotten' | 'locked'

export async function insertPasswordRequest(
  db: Db,
  request: { id: string; emailKey: string; reason: RequestReason; createdAt: Date },
): Promise<void> {
  await db.insertInto('passwordRequests').values(request).execute()
}

/** Deletes a request and answers its address and reason, once. */
export async function consumePasswordRequest(
  db: Db,
  id: string,
): Promise<{ emailKey: string; reason: RequestReason } | undefined> {
  const row = await db
    .deleteFrom('passwordRequests')
    .where('id', '=', id)
    .returning(['emailKey', 'reason'])
    .executeTakeFirst()
  return row as { emailKey: string; reason: RequestReason } | undefined
}
