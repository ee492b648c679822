import { type DBSchema, type IDBPDatabase, openDB } from 'idb'
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

/** Page and worker share the database: both close it at once. */
async function withDatabase<T>(
  work: (database: IDBPDatabase<SharedSchema>) => Promise<T>,
): Promise<T> {
  const database = await openDB<SharedSchema>(SHARED_DATABASE, 1, {
    upgrade: (created) => {
      created.createObjectStore(STORE)
    },
  })
  try {
    return await work(database)
  } finally {
    database.close()
  }
}
