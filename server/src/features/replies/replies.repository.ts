import { type Insertable, type Selectable, sql } from 'kysely'
import { type Db, PREPARED } from '#server/platform/database/db.ts'
import type { Replies } from '#server/platform/database/tables.ts'

/** Who answers: the person behind one address of one letter, by account or personal key. */
export interface Addressee {
  revelationId: string
  deliveryId: string
  address: string
  addressKey: string
}

/** A reply without its words, which have a type and a query of their own. */
export interface ReplyRow extends Addressee {
  id: string
  /** Of the letter. */
  authorId: string
  writerId: string | null
  /** Whether the author sees the account that wrote it. */
  isNamed: boolean
  /** Of that account. */
  writerPseudo: string | null
  writerAvatar: string | null
  mediaId: string | null
  createdAt: Date
  readAt: Date | null
  answeredAt: Date | null
  hiddenAt: Date | null
}

export type SealedReply = Pick<
  Selectable<Replies>,
  'id' | 'wrappedKey' | 'sealedContent' | 'sealedEmoji' | 'sealedAnswer'
>

function selectReplies(db: Db) {
  return db
    .selectFrom('replies')
    .innerJoin('revelations', 'revelations.id', 'replies.revelationId')
    .leftJoin('users as writer', 'writer.id', 'replies.writerId')
    .select([
      'replies.id',
      'replies.revelationId',
      'replies.deliveryId',
      'replies.address',
      'replies.addressKey',
      'replies.writerId',
      'replies.isNamed',
      'replies.mediaId',
      'replies.createdAt',
      'replies.readAt',
      'replies.answeredAt',
      'replies.hiddenAt',
      'revelations.authorId',
      'writer.pseudo as writerPseudo',
      'writer.avatarUrl as writerAvatar',
    ])
}

export async function findReply(
  db: Db,
  by: { id: string } | { mediaId: string },
): Promise<ReplyRow | undefined> {
  return selectReplies(db)
    .where((where) =>
      'id' in by ? where('replies.id', '=', by.id) : where('replies.mediaId', '=', by.mediaId),
    )
    .executeTakeFirst()
}

/** The replies to a letter, the oldest first: all, or those of one addressee. */
export async function listReplyRows(
  db: Db,
  revelationId: string,
  addressee?: Addressee,
): Promise<ReplyRow[]> {
  return selectReplies(db)
    .where('replies.revelationId', '=', revelationId)
    .$if(addressee !== undefined, (query) =>
      query
        .where('replies.deliveryId', '=', addressee?.deliveryId as string)
        .where('replies.addressKey', '=', addressee?.addressKey as string),
    )
    .orderBy('replies.createdAt')
    .orderBy('replies.id')
    .execute()
}

/** Those of these letters that this addressee of each replied to; what operators hide is not there. */
export async function listAnsweredIds(
  db: Db,
  places: readonly Pick<Addressee, 'revelationId' | 'addressKey'>[],
): Promise<string[]> {
  if (places.length === 0) return []
  const { rows } = await sql<{ id: string }>`
    select place.id from unnest(
      ${places.map(({ revelationId }) => revelationId)}::uuid[], ${places.map(({ addressKey }) => addressKey)}::text[]
    ) as place (id, address_key)
    where exists (
      select from replies where revelation_id = place.id and address_key = place.address_key and hidden_at is null
    )`.execute(db)
  return rows.map(({ id }) => id)
}

/** The replies that an account wrote (those its letters received are with the letters), in the order of their ids. */
export async function listRepliesBy(
  db: Db,
  writerId: string,
  after: ReplyRow | undefined,
  limit: number,
): Promise<ReplyRow[]> {
  return selectReplies(db)
    .where('replies.writerId', '=', writerId)
    .$if(after !== undefined, (query) => query.where('replies.id', '>', after?.id as string))
    .orderBy('replies.id')
    .limit(limit)
    .execute()
}

/** The replies to these letters, the oldest first. */
export async function listRepliesTo(db: Db, revelationIds: readonly string[]): Promise<ReplyRow[]> {
  if (revelationIds.length === 0) return []
  return selectReplies(db)
    .where('replies.revelationId', '=', sql<string>`any(${revelationIds}::uuid[])`)
    .orderBy('replies.createdAt')
    .orderBy('replies.id')
    .execute()
}

export async function readSealedReplies(db: Db, ids: readonly string[]): Promise<SealedReply[]> {
  if (ids.length === 0) return []
  return db
    .selectFrom('replies')
    .select(['id', 'wrappedKey', 'sealedContent', 'sealedEmoji', 'sealedAnswer'])
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .execute()
}

/** Sealed replies of everybody, a page at a time in the order of their ids: for checks alone. */
export async function listAllSealedReplies(
  db: Db,
  after: string | undefined,
  limit: number,
): Promise<SealedReply[]> {
  return db
    .selectFrom('replies')
    .select(['id', 'wrappedKey', 'sealedContent', 'sealedEmoji', 'sealedAnswer'])
    .$if(after !== undefined, (query) => query.where('id', '>', after as string))
    .orderBy('id')
    .limit(limit)
    .execute()
}

/**
 * Waits for the end of what deletes the letter or the account, and holds both in the order in which they are deleted. False
 * once the letter is gone.
 */
export async function lockPlace(
  db: Db,
  { revelationId, writerId }: { revelationId: string; writerId: string | null },
): Promise<boolean> {
  const letter =
    await sql`select from revelations where id = ${revelationId} for key share`.execute(db)
  await sql`select from users where id = ${writerId} for key share`.execute(db)
  return letter.rows.length > 0
}

/** Waits until nobody else replies as this addressee, to the end of the transaction. */
export async function lockAddressee(
  db: Db,
  { revelationId, addressKey }: Addressee,
): Promise<void> {
  const name = `reply/${revelationId}/${addressKey}`
  await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0)) ${PREPARED}`.execute(db)
}

/** When this addressee replied to this letter since then, the oldest first: what was deleted counts too. */
export async function listUses(
  db: Db,
  { revelationId, addressKey }: Addressee,
  since: Date,
): Promise<Date[]> {
  const rows = await db
    .selectFrom('replyUses')
    .select('usedAt')
    .where('revelationId', '=', revelationId)
    .where('addressKey', '=', addressKey)
    .where('usedAt', '>', since)
    .orderBy('usedAt')
    .execute()
  return rows.map(({ usedAt }) => usedAt)
}

/** Counts one more, and forgets those that count no longer. */
export async function insertUse(
  db: Db,
  { revelationId, addressKey }: Addressee,
  { usedAt, since }: { usedAt: Date; since: Date },
): Promise<void> {
  await db
    .deleteFrom('replyUses')
    .where('revelationId', '=', revelationId)
    .where('addressKey', '=', addressKey)
    .where('usedAt', '<=', since)
    .execute()
  await db.insertInto('replyUses').values({ revelationId, addressKey, usedAt }).execute()
}

/** False when another reply has this id. */
export async function insertReply(db: Db, reply: Insertable<Replies>): Promise<boolean> {
  const inserted = await db
    .insertInto('replies')
    .values(reply)
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returning('id')
    .executeTakeFirst()
  return inserted !== undefined
}

/** Deletes a reply with what the author wrote back; its voice is left to delete. Undefined when it was gone. */
export async function deleteReply(
  db: Db,
  id: string,
): Promise<{ mediaId: string | null } | undefined> {
  return db.deleteFrom('replies').where('id', '=', id).returning('mediaId').executeTakeFirst()
}

/** The same for all replies to a letter; answers their voices. */
export async function deleteRepliesTo(db: Db, revelationId: string): Promise<string[]> {
  const rows = await db
    .deleteFrom('replies')
    .where('revelationId', '=', revelationId)
    .returning('mediaId')
    .execute()
  return rows.flatMap(({ mediaId }) => mediaId ?? [])
}

/** Stores what the author wrote back, who has then read the reply; false when they did before, or it is gone. */
export async function setAnswer(
  db: Db,
  id: string,
  { sealedAnswer, answeredAt }: { sealedAnswer: Buffer; answeredAt: Date },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('replies')
    .set({ sealedAnswer, answeredAt, readAt: sql<Date>`coalesce(read_at, ${answeredAt})` })
    .where('id', '=', id)
    .where('answeredAt', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Returns false when there was none to read. */
export async function setRead(db: Db, revelationId: string, readAt: Date): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('replies')
    .set({ readAt })
    .where('revelationId', '=', revelationId)
    .where('readAt', 'is', null)
    .where('hiddenAt', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Returns false when it is gone, or so already. */
export async function setReplyHidden(db: Db, id: string, hiddenAt: Date | null): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('replies')
    .set({ hiddenAt })
    .where('id', '=', id)
    .where('hiddenAt', hiddenAt ? 'is' : 'is not', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}
