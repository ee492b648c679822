import { type Insertable, type Selectable, sql } from 'kysely'
import type { SoundCategory } from '#contract/sounds.ts'
import type { Db } from '#server/platform/database/db.ts'
import type { Sounds } from '#server/platform/database/tables.ts'

/** The envelope of a voice message. Its description is not here: `listSealedDescriptions` reads it. */
export interface VoiceMessageRow {
  id: string
  authorId: string
  authorPseudo: string
  authorAvatar: string | null
  recipientId: string | null
  recipientPseudo: string | null
  isShared: boolean
  title: string
  category: SoundCategory
  revealMessage: string | null
  scheduledAt: Date | null
  revealAt: Date
  timeZone: string
  mediaId: string
  playsCount: number
  createdAt: Date
  /** Of the viewer. */
  isFavorite: boolean
}

export type SealedDescription = Pick<Selectable<Sounds>, 'id' | 'wrappedKey' | 'sealedDescription'>

/** Voice messages with their author and recipient, as one person sees them. */
export function selectVoiceMessages(db: Db, viewerId: string | null) {
  return (
    db
      .selectFrom('sounds')
      // By its key: a page of a list is no reason to read all accounts.
      .innerJoinLateral(
        (query) =>
          query
            .selectFrom('users')
            .select(['pseudo', 'avatarUrl'])
            .whereRef('users.id', '=', 'sounds.authorId')
            .limit(1)
            .as('author'),
        (join) => join.onTrue(),
      )
      .leftJoin('users as recipient', 'recipient.id', 'sounds.recipientId')
      .select([
        'sounds.id',
        'sounds.authorId',
        'author.pseudo as authorPseudo',
        'author.avatarUrl as authorAvatar',
        'sounds.recipientId',
        'recipient.pseudo as recipientPseudo',
        'sounds.isShared',
        'sounds.title',
        'sounds.category',
        'sounds.revealMessage',
        'sounds.scheduledAt',
        'sounds.revealAt',
        'sounds.timeZone',
        'sounds.mediaId',
        'sounds.playsCount',
        'sounds.createdAt',
        sql<boolean>`exists (
        select from sound_favorites where sound_id = sounds.id and user_id = ${viewerId}
      )`.as('isFavorite'),
      ])
      .$castTo<VoiceMessageRow>()
  )
}

export async function findVoiceMessage(
  db: Db,
  id: string,
  viewerId: string | null,
): Promise<VoiceMessageRow | undefined> {
  return selectVoiceMessages(db, viewerId).where('sounds.id', '=', id).executeTakeFirst()
}

/** The voice message with its row locked until the transaction ends. */
export async function lockVoiceMessage(db: Db, id: string): Promise<VoiceMessageRow | undefined> {
  return selectVoiceMessages(db, null)
    .where('sounds.id', '=', id)
    .forUpdate('sounds')
    .executeTakeFirst()
}

export async function listVoiceMessagesWith(
  db: Db,
  mediaIds: readonly string[],
): Promise<VoiceMessageRow[]> {
  if (mediaIds.length === 0) return []
  return selectVoiceMessages(db, null)
    .where('sounds.mediaId', '=', sql<string>`any(${mediaIds}::uuid[])`)
    .execute()
}

/** Sealed descriptions, to be opened by a right to each. */
export async function listSealedDescriptions(
  db: Db,
  ids: readonly string[],
): Promise<SealedDescription[]> {
  if (ids.length === 0) return []
  return db
    .selectFrom('sounds')
    .select(['id', 'wrappedKey', 'sealedDescription'])
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .execute()
}

/** Sealed descriptions of everybody, a page at a time in the order of their ids: for checks alone. */
export async function listAllSealedDescriptions(
  db: Db,
  after: string | undefined,
  limit: number,
): Promise<SealedDescription[]> {
  return db
    .selectFrom('sounds')
    .select(['id', 'wrappedKey', 'sealedDescription'])
    .$if(after !== undefined, (query) => query.where('id', '>', after as string))
    .orderBy('id')
    .limit(limit)
    .execute()
}

export async function insertVoiceMessage(db: Db, row: Insertable<Sounds>): Promise<void> {
  await db.insertInto('sounds').values(row).execute()
}

export async function deleteVoiceMessageRow(db: Db, id: string): Promise<void> {
  await db.deleteFrom('sounds').where('id', '=', id).execute()
}

/** Counts a play; answers the new count, or undefined once the voice message is gone. */
export async function updatePlaysCount(db: Db, id: string): Promise<number | undefined> {
  const row = await db
    .updateTable('sounds')
    .set({ playsCount: sql`plays_count + 1` })
    .where('id', '=', id)
    .returning('playsCount')
    .executeTakeFirst()
  return row?.playsCount
}

interface Favorite {
  soundId: string
  userId: string
}

/** Inserting it twice changes nothing. */
export async function insertFavorite(db: Db, row: Favorite & { createdAt: Date }): Promise<void> {
  await db
    .insertInto('soundFavorites')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export async function deleteFavorite(db: Db, { soundId, userId }: Favorite): Promise<void> {
  await db
    .deleteFrom('soundFavorites')
    .where('soundId', '=', soundId)
    .where('userId', '=', userId)
    .execute()
}

/** A private voice message that is open and whose mail is not queued yet. */
export interface DueVoiceMessage {
  id: string
  authorId: string
  /** null once that account is deleted. */
  recipientId: string | null
}

export async function listDueVoiceMessages(
  db: Db,
  now: Date,
  limit: number,
): Promise<DueVoiceMessage[]> {
  return db
    .selectFrom('sounds')
    .select(['id', 'authorId', 'recipientId'])
    .where('toldAt', 'is', null)
    .where('revealAt', '<=', now)
    .orderBy('revealAt')
    .limit(limit)
    .execute()
}

/** Claims voice messages for this transaction alone; those that another one has claimed are left out. */
export async function claimDueVoiceMessages(
  db: Db,
  ids: readonly string[],
  now: Date,
): Promise<DueVoiceMessage[]> {
  const { rows } = await sql<DueVoiceMessage>`
    update sounds set told_at = ${now}
    where id in (
      select id from sounds
      where id = any(${ids}::uuid[]) and told_at is null and reveal_at <= ${now}
      for update skip locked
    )
    returning id, author_id, recipient_id`.execute(db)
  return rows
}
