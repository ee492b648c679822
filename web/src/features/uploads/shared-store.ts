import type { DBSchema } from 'idb'
import { createStoreDatabase } from '#web/lib/store-database.ts'
import { SHARED_DATABASE } from './upload-databases.ts'

/** What another app of the device shared, to become a letter. */
export interface Shared {
  title: string
  text: string
  files: File[]
  sharedAtMs: number
}

interface SharedSchema extends DBSchema {
  shared: { key: string; value: Shared }
}

const STORE = 'shared'
// Only the last one is stored.
const LAST = 'last'
const MAX_AGE_MS = 24 * 60 * 60_000

const withDatabase = createStoreDatabase<SharedSchema>(SHARED_DATABASE, STORE)

/** The address that the manifest names; the service worker answers it. */
export const SHARE_TARGET = '/partager'

export async function storeShared(shared: Shared): Promise<void> {
  await withDatabase((database) => database.put(STORE, shared, LAST))
}

/** Returns what was shared last, and deletes it. */
export async function claimShared(): Promise<Shared | undefined> {
  if (typeof indexedDB === 'undefined') return undefined
  return withDatabase(async (database) => {
    const transaction = database.transaction(STORE, 'readwrite')
    const shared = await transaction.store.get(LAST)
    await transaction.store.delete(LAST)
    await transaction.done
    return shared && Date.now() - shared.sharedAtMs < MAX_AGE_MS ? shared : undefined
  })
}
