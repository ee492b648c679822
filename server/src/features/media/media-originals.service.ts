import type { Readable } from 'node:stream'
import type { AppContext } from '#server/context.ts'
import type { ReadingRight } from '#server/platform/sealing/reading-right.ts'
import { SealBroken } from '#server/platform/sealing/seal-broken.ts'
import type { MediaRow } from './media.repository.ts'
import { openFacts, openLetterKey, plainFileOf } from './media-keys.service.ts'
import { downloadName } from './media-names.rules.ts'
import { listOriginals } from './media-originals.repository.ts'

/** A file as it was sent, under the name it was sent with. */
export interface Original {
  mediaId: string
  kind: MediaRow['kind']
  name: string
  mimeType: string
  sizeBytes: number
  /** Rejects when its bytes are missing or damaged; damage found later destroys the stream. */
  read(): Promise<Readable>
}

/** The originals of these files. The right covers each; damaged ones are left out. */
export async function findOriginals(
  ctx: AppContext,
  right: ReadingRight,
  mediaIds: readonly string[],
): Promise<Map<string, Original>> {
  const originals = new Map<string, Original>()
  for (const { media, object } of await listOriginals(ctx.db, mediaIds)) {
    try {
      const key = openLetterKey(ctx, right, media)
      const { name } = openFacts(key, media)
      originals.set(media.id, {
        mediaId: media.id,
        kind: media.kind,
        name: downloadName(name, media.extension),
        mimeType: object.mimeType,
        sizeBytes: object.sizeBytes,
        read: () => plainFileOf(ctx, key, object).read({ start: 0, end: object.sizeBytes - 1 }),
      })
    } catch (error) {
      if (!(error instanceof SealBroken)) throw error
      ctx.log.error({ mediaId: media.id, err: error }, 'a file can no longer be opened')
    }
  }
  return originals
}
