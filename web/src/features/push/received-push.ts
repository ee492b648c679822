import type { DBSchema } from 'idb'
import { createStoreDatabase } from '#web/lib/store-database.ts'
import { createBroadcast } from '#web/lib/tabs.ts'

interface ReceivedSchema extends DBSchema {
  received: { key: string; value: number }
}

const DATABASE = 'received-push'
const STORE = 'received'
// Only the instant of the last one is stored.
const LAST = 'last'

const withDatabase = createStoreDatabase<ReceivedSchema>(DATABASE, STORE)
const { announce, listen } = createBroadcast(DATABASE)

/** Called by the service worker, which shows the notification whether or not this can be stored. */
export async function storeReceivedPush(): Promise<void> {
  try {
    await withDatabase((database) => database.put(STORE, Date.now(), LAST))
    announce()
  } catch {
    // Without storage the page knows of none.
  }
}

/** When this device received its last notification, in milliseconds. */
export async function findReceivedPush(): Promise<number | undefined> {
  if (typeof indexedDB === 'undefined') return undefined
  return withDatabase((database) => database.get(STORE, LAST))
}

export function deleteReceivedPush(): void {
  if (typeof indexedDB !== 'undefined') indexedDB.deleteDatabase(DATABASE)
}

export const onReceivedPush = listen
