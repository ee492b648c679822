import { type DBSchema, type IDBPDatabase, openDB } from 'idb'
import { SHARED_DATABASE } from './shared-database.ts'

/** What another app of the device handed over, to become a letter. */
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
// One at a time: the last one is what its person has in mind.
const LAST = 'last'
// Whoever has not signed in by then has let it be.
const KEPT_MS = 24 * 60 * 60_000

/** The address that the manifest names; the service worker answers it. */
export const SHARE_TARGET = '/partager'

export async function keepShared(shared: Shared): Promise<void> {
  await withDatabase((database) => database.put(STORE, shared, LAST))
}

/** What was handed over last; once. */
export async function takeShared(): Promise<Shared | undefined> {
  if (typeof indexedDB === 'undefined') return undefined
  return withDatabase(async (database) => {
    const taking = database.transaction(STORE, 'readwrite')
    const shared = await taking.store.get(LAST)
    await taking.store.delete(LAST)
    await taking.done
    return shared && Date.now() - shared.sharedAtMs < KEPT_MS ? shared : undefined
  })
}

/** Page and worker both come here: neither stays. */
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
