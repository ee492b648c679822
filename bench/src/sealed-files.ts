import { createHash, randomBytes, randomUUID } from 'node:crypto'
import type { AppContext } from '#server/context.ts'
import { createMediaKeys, sealFacts } from '#server/features/media/file-keys.service.ts'
import { MEDIA_PREFIX } from '#server/features/media/media.rules.ts'
import { sealLetter } from '#server/features/revelations/letters.service.ts'
import { putSealed } from '#server/platform/sealing/stored-file.ts'
import { newStorageKey } from '#server/platform/storage/storage.ts'

const CONTENT = 'Une lettre, et le document qui va avec.'

/** Attaches a document to this many of the seeded revelations, sealed and stored as an upload would be. */
export async function attachFiles(
  ctx: AppContext,
  { count, sizeBytes }: { count: number; sizeBytes: number },
): Promise<void> {
  const revelations = await ctx.db
    .selectFrom('revelations')
    .select(['id', 'authorId', 'title', 'revealAt'])
    .where('mediaId', 'is', null)
    .limit(count)
    .execute()
  for (const revelation of revelations) {
    const { mediaId, fileSha256 } = await storeFile(ctx, revelation.authorId, sizeBytes)
    const draft = { ...revelation, content: CONTENT, fileSha256 }
    await ctx.db
      .updateTable('revelations')
      .set({ ...sealLetter(ctx, draft), mediaId, fileType: 'document' })
      .where('id', '=', revelation.id)
      .execute()
  }
}

async function storeFile(ctx: AppContext, ownerId: string, sizeBytes: number) {
  const mediaId = randomUUID()
  // Nothing in it repeats, as in a film or a photo.
  const bytes = randomBytes(sizeBytes)
  const fileSha256 = createHash('sha256').update(bytes).digest()
  const { letterKey, wrappedKey, wrappedTeaserKey } = createMediaKeys(ctx, mediaId)
  const storageKey = newStorageKey(MEDIA_PREFIX)
  await putSealed(ctx.storage, letterKey, storageKey, [bytes])
  const mimeType = 'application/pdf'
  const sha256 = fileSha256.toString('hex')
  const none = { durationSeconds: null, width: null, height: null }
  const facts = { name: 'acte.pdf', mimeType, sizeBytes, sha256, ...none }
  const at = { createdAt: ctx.now() }
  await ctx.db
    .insertInto('media')
    .values({
      ...at,
      id: mediaId,
      ownerId,
      kind: 'document',
      state: 'ready',
      mimeType,
      extension: 'pdf',
      sizeBytes,
      wrappedKey,
      wrappedTeaserKey,
      sealedFacts: sealFacts(letterKey, facts),
      attachedAt: ctx.now(),
    })
    .execute()
  await ctx.db
    .insertInto('mediaObjects')
    .values({ ...at, mediaId, variant: 'original', storageKey, mimeType, sizeBytes })
    .execute()
  return { mediaId, fileSha256 }
}
