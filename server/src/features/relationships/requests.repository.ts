import type { RelationshipType } from '#contract/relationships.ts'
import type { Db } from '#server/platform/database/db.ts'
import { type PersonRow, PROVED_EMAIL } from './relationships.repository.ts'

export interface RequestRow {
  id: string
  senderId: string
  receiverId: string
  type: RelationshipType
  message: string
  createdAt: Date
}

export async function insertRequest(db: Db, request: Omit<RequestRow, 'id'>): Promise<RequestRow> {
  const row = await db
    .insertInto('relationshipRequests')
    .values(request)
    .returningAll()
    .executeTakeFirstOrThrow()
  return row as RequestRow
}

export async function findRequest(db: Db, id: string): Promise<RequestRow | undefined> {
  const row = await db
    .selectFrom('relationshipRequests')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirst()
  return row as RequestRow | undefined
}

/** The request that waits between two people, in either direction. */
export async function findRequestBetween(
  db: Db,
  one: string,
  other: string,
): Promise<RequestRow | undefined> {
  const row = await db
    .selectFrom('relationshipRequests')
    .selectAll()
    .where((where) =>
      where.or([
        where.and({ senderId: one, receiverId: other }),
        where.and({ senderId: other, receiverId: one }),
      ]),
    )
    .executeTakeFirst()
  return row as RequestRow | undefined
}

/** The requests a person received or sent, the latest first, each with the other person. */
export async function listRequestsOf(
  db: Db,
  userId: string,
  end: 'receiver' | 'sender',
): Promise<(RequestRow & { person: PersonRow })[]> {
  const [own, others] =
    end === 'receiver'
      ? (['receiverId', 'senderId'] as const)
      : (['senderId', 'receiverId'] as const)
  const rows = await db
    .selectFrom('relationshipRequests')
    .innerJoin('users', 'users.id', `relationshipRequests.${others}`)
    .selectAll('relationshipRequests')
    .select(['users.pseudo', PROVED_EMAIL.as('email'), 'users.avatarUrl'])
    .where(`relationshipRequests.${own}`, '=', userId)
    .orderBy('relationshipRequests.createdAt', 'desc')
    .orderBy('relationshipRequests.id')
    .execute()
  return rows.map(({ pseudo, email, avatarUrl, ...row }) => ({
    ...(row as RequestRow),
    person: { id: row[others], pseudo, email, avatarUrl },
  }))
}

/** False when it was answered or withdrawn meanwhile. */
export async function deleteRequest(db: Db, id: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('relationshipRequests')
    .where('id', '=', id)
    .executeTakeFirst()
  return numDeletedRows > 0n
}
