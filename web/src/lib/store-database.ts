import { type DBSchema, type IDBPDatabase, openDB, type StoreNames } from 'idb'

/**
 * A database of one store, open only while something is done in it: a connection that stays would delay its deletion, and
 * the pages share it with the service worker.
 */
export function createStoreDatabase<Schema extends DBSchema>(
  name: string,
  store: StoreNames<Schema>,
): <T>(work: (database: IDBPDatabase<Schema>) => Promise<T>) => Promise<T> {
  return async (work) => {
    const database = await openDB<Schema>(name, 1, {
      upgrade: (created) => {
        created.createObjectStore(store)
      },
    })
    try {
      return await work(database)
    } finally {
      database.close()
    }
  }
}
