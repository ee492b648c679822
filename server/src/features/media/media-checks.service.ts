import type { AppContext } from '#server/context.ts'
import { pagesOf } from '#server/platform/database/pages.ts'
import { type Checked, damageOf } from '#server/platform/sealing/checked.ts'
import type { DataKey } from '#server/platform/sealing/keyring.ts'
import type { ReadingRight } from '#server/platform/sealing/reading-right.ts'
import { type Sum, summing } from '#server/platform/storage/hashing.ts'
import { findObject, type MediaRow, type ObjectRow } from './media.repository.ts'
import { partOf } from './media.rules.ts'
import { listStored, type StoredFile } from './media-checks.repository.ts'
import { openFacts, openLetterKey, openTeaserKey, plainFileOf } from './media-keys.service.ts'

const PAGE = 100

/** Opens every stored object of every file to its end; what was sent must be what its sealed facts say. */
export async function* checkFiles(ctx: AppContext, right: ReadingRight): AsyncGenerator<Checked> {
  const pages = pagesOf<StoredFile>(PAGE, (after, limit) =>
    listStored(ctx.db, after?.media.id, limit),
  )
  for await (const page of pages) {
    for (const { media, objects } of page) {
      for (const object of objects) {
        const problem = await problemOf(ctx, right, media, object)
        if (problem !== undefined && !(await isStillThere(ctx, object))) continue
        const name = `file ${media.id}, ${object.variant}`
        yield { name, sizeBytes: object.sizeBytes, ...(problem === undefined ? {} : { problem }) }
      }
    }
  }
}

/** Deleted or made anew while it was read, it is no loss. */
async function isStillThere(ctx: AppContext, object: ObjectRow): Promise<boolean> {
  const now = await findObject(ctx.db, object.mediaId, object.variant)
  return now?.storageKey === object.storageKey
}

async function problemOf(
  ctx: AppContext,
  right: ReadingRight,
  media: MediaRow,
  object: ObjectRow,
): Promise<string | undefined> {
  try {
    const key = keyOf(ctx, right, media, object)
    const { sizeBytes, sha256 } = await readToEnd(ctx, key, object)
    if (sizeBytes !== object.sizeBytes) return 'it is cut'
    const isAsSent = object.variant !== 'original' || openFacts(key, media).sha256 === sha256
    return isAsSent ? undefined : 'it is not the file that was sent'
  } catch (error) {
    return damageOf(error)
  }
}

function keyOf(ctx: AppContext, right: ReadingRight, media: MediaRow, object: ObjectRow): DataKey {
  return partOf(object.variant) === 'envelope'
    ? openTeaserKey(ctx, media)
    : openLetterKey(ctx, right, media)
}

async function readToEnd(ctx: AppContext, key: DataKey, object: ObjectRow): Promise<Sum> {
  const { add, sum } = summing()
  const whole = { start: 0, end: object.sizeBytes - 1 }
  const file = plainFileOf(ctx, key, object)
  for await (const piece of await file.read(whole)) add(piece)
  return sum()
}
