import type { DBSchema } from 'idb'
import { draftsDatabase } from '#web/lib/drafts.ts'
import { openUserDatabase } from '#web/lib/user-indexed-db.ts'
import { parseDraft, type StoredDraft } from './draft-schema.ts'

interface Drafts extends DBSchema {
  drafts: { key: string; value: StoredDraft; indexes: { touchedAtMs: number } }
}

const connect = openUserDatabase<Drafts>(draftsDatabase, (database) => {
  database.createObjectStore('drafts', { keyPath: 'id' }).createIndex('touchedAtMs', 'touchedAtMs')
})

export function hasDatabases(): boolean {
  return typeof indexedDB !== 'undefined'
}

/** The latest first. */
export async function readDrafts(userId: string): Promise<StoredDraft[]> {
  const database = await connect(userId)
  const all = await database.getAllFromIndex('drafts', 'touchedAtMs')
  return all.reverse().flatMap((stored) => parseDraft(stored) ?? [])
}

/** Unless a newer version of it is there, of another tab. On the disk once it resolves. */
export async function putDraft(userId: string, draft: StoredDraft): Promise<void> {
  const database = await connect(userId)
  const transaction = database.transaction('drafts', 'readwrite', { durability: 'strict' })
  const known = await transaction.store.get(draft.id)
  if (!known || known.touchedAtMs <= draft.touchedAtMs) await transaction.store.put(draft)
  await transaction.done
}

export async function deleteDraft(userId: string, id: string): Promise<void> {
  const database = await connect(userId)
  await database.delete('drafts', id)
}
