import type { AppContext } from '#server/context.ts'
import { listPages } from '#server/platform/database/db.ts'
import type { KeyHolder } from './personal-keys.rules.ts'
import {
  deleteSavedLetter,
  hasHandedSave,
  listSavedBy,
  type SavedLetter,
  upsertSavedLetter,
} from './saved-letters.repository.ts'

export type { SavedLetter }

const PAGE = 200

/** Joins the letter of this key to an account, until this very key is revoked. Idempotent. */
export async function saveLetter(
  ctx: AppContext,
  { userId }: { userId: string },
  {
    revelationId,
    deliveryId,
    keyVersion,
    isHanded,
  }: Pick<KeyHolder, 'revelationId' | 'deliveryId' | 'keyVersion' | 'isHanded'>,
): Promise<void> {
  const savedAt = ctx.now()
  const saved = { userId, revelationId, deliveryId, keyVersion, isHanded, savedAt }
  await upsertSavedLetter(ctx.db, saved)
}

/** Takes a letter out of what an account joined; false where it had not joined it. */
export async function unsaveLetter(
  ctx: AppContext,
  { userId }: { userId: string },
  revelationId: string,
): Promise<boolean> {
  return deleteSavedLetter(ctx.db, userId, revelationId)
}

/** Whether an account joined a letter by a link that its author gave by hand. */
export async function isSavedByHand(
  ctx: AppContext,
  { userId }: { userId: string },
  revelationId: string,
): Promise<boolean> {
  return hasHandedSave(ctx.db, userId, revelationId)
}

/** What an account joined, a page at a time; nothing whose link was revoked. */
export function readSavedLetters(
  ctx: AppContext,
  { userId }: { userId: string },
): AsyncGenerator<SavedLetter[]> {
  return listPages<SavedLetter>(PAGE, (after, limit) => listSavedBy(ctx.db, userId, after, limit))
}
