import type { AppContext } from '#server/context.ts'
import { listPages } from '#server/platform/database/db.ts'
import type { KeyHolder } from './personal-keys.rules.ts'
import { listSavedBy, type SavedLetter, upsertSavedLetter } from './saved-letters.repository.ts'

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
  }: Pick<KeyHolder, 'revelationId' | 'deliveryId' | 'keyVersion'>,
): Promise<void> {
  const savedAt = ctx.now()
  await upsertSavedLetter(ctx.db, { userId, revelationId, deliveryId, keyVersion, savedAt })
}

/** What an account joined, a page at a time; nothing whose link was revoked. */
export function readSavedLetters(
  ctx: AppContext,
  { userId }: { userId: string },
): AsyncGenerator<SavedLetter[]> {
  return listPages<SavedLetter>(PAGE, (after, limit) => listSavedBy(ctx.db, userId, after, limit))
}
