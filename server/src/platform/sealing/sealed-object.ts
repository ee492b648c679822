import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ByteRange, Storage } from '#server/platform/storage/storage.ts'
import type { DataKey } from './keyring.ts'
import { openSealed, sealedSizeOf, sealStream } from './sealed-file.ts'

/**
 * Seals bytes on their way to the storage; resolves once they are durable. What fails leaves nothing, and says why in the
 * words of whoever failed: the source its own error, a storage without room `StorageFull`.
 */
export async function putSealed(
  storage: Storage,
  key: DataKey,
  storageKey: string,
  plain: AsyncIterable<Buffer> | Iterable<Buffer>,
  options?: { givenAway: boolean },
): Promise<void> {
  const sealed = sealStream(key, options)
  const [kept, fed] = await Promise.allSettled([
    storage.put(storageKey, sealed),
    pipeline(plain, sealed),
  ])
  // Whichever end fails cuts the other. The storage is told of a source that failed, not the source of the storage.
  if (kept.status === 'rejected') throw kept.reason
  if (fed.status === 'rejected') throw fed.reason
}

/** The plain bytes of what was put, of which there were `sizeBytes`; as `openSealed` gives them. */
export function openStored(
  storage: Pick<Storage, 'get'>,
  key: DataKey,
  { storageKey, sizeBytes }: { storageKey: string; sizeBytes: number },
  range?: ByteRange,
): Promise<Readable> {
  const read = (part: ByteRange) => storage.get(storageKey, part)
  return openSealed(key, { size: sealedSizeOf(sizeBytes), read }, range)
}
