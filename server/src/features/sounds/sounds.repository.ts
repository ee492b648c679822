import { type Insertable, type Selectable, sql } from 'kysely'
import type { SoundCategory } from '#contract/sounds.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { Sounds } from '#server/platform/database/tables.ts'

/** What may be seen of a sealed sound. What it is about is not here: `readSealedDescriptions` asks for a right. */
export interface SoundRow {
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
  /** Of whoever asks. */
  isFavorite: boolean
}

export type SealedDescription = Pick<Selectable<Sounds>, 'id' | 'wrappedKey' | 'sealedDescription'>

/** Sounds with their author and recipient, as one person sees them. */
export function selectSounds(db: Db, viewerId: string | null) {
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
      .$castTo<SoundRow>()
  )
}

export async function findSound(
  db: Db,
  id: string,
  viewerId: string | null,
): Promise<SoundRow | undefined> {
  return selectSounds(db, viewerId).where('sounds.id', '=', id).executeTakeFirst()
}

/** The sound with its row locked until the transaction ends. */
export async function lockSound(db: Db, id: string): Promise<SoundRow | undefined> {
  return selectSounds(db, null).where('sounds.id', '=', id).forUpdate('sounds').executeTakeFirst()
}

export async function listSoundsWith(db: Db, mediaIds: readonly string[]): Promise<SoundRow[]> {
  if (mediaIds.length === 0) return []
  return selectSounds(db, null)
    .where('sounds.mediaId', '=', sql<string>`any(${mediaIds}::uuid[])`)
    .execute()
}

/** What these sounds say of themselves, sealed: to be opened by a right to each. */
export async function readSealedDescriptions(
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

export async function insertSound(db: Db, row: Insertable<Sounds>): Promise<void> {
  await db.insertInto('sounds').values(row).execute()
}

export async function deleteSoundRow(db: Db, id: string): Promise<void> {
  await db.deleteFrom('sounds').where('id', '=', id).execute()
}

/** How often it has been played with this time; undefined once it is gone. */
export async function addPlay(db: Db, id: string): Promise<number | undefined> {
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

/** One that is there already stays. */
export async function insertFavorite(db: Db, row: Favorite & { createdAt: Date }): Promise<void> {
  await db
    .insertInto('soundFavorites')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Whether there was one. */
export async function deleteFavorite(db: Db, { soundId, userId }: Favorite): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('soundFavorites')
    .where('soundId', '=', soundId)
    .where('userId', '=', userId)
    .executeTakeFirst()
  return numDeletedRows > 0n
}
