import type { DBSchema } from 'idb'
import { createStoreDatabase } from '#web/lib/store-database.ts'
import { REPLY_VOICES_DATABASE } from './reply-voices-database.ts'

/** A voice that was recorded to answer a letter. */
export interface ReplyVoice {
  file: File
  durationSeconds: number
}

interface ReplyVoicesSchema extends DBSchema {
  /** By the id of the letter. */
  voices: { key: string; value: ReplyVoice & { recordedAtMs: number } }
}

const STORE = 'voices'
// Whoever has no account may have recorded it on a device that is not theirs.
const MAX_AGE_MS = 24 * 60 * 60_000

const withDatabase = createStoreDatabase<ReplyVoicesSchema>(REPLY_VOICES_DATABASE, STORE)

/** Rejects on a device without room, or that stores nothing. */
export async function storeReplyVoice(revelationId: string, voice: ReplyVoice): Promise<void> {
  const value = { ...voice, recordedAtMs: Date.now() }
  await withDatabase((database) => database.put(STORE, value, revelationId))
}

export async function deleteReplyVoice(revelationId: string): Promise<void> {
  if (typeof indexedDB === 'undefined') return
  await withDatabase((database) => database.delete(STORE, revelationId))
}

/** What was recorded for this letter; the old ones of others are deleted. */
export async function findReplyVoice(revelationId: string): Promise<ReplyVoice | undefined> {
  if (typeof indexedDB === 'undefined') return undefined
  return withDatabase(async (database) => {
    const { store, done } = database.transaction(STORE, 'readwrite')
    for (let cursor = await store.openCursor(); cursor; cursor = await cursor.continue()) {
      if (Date.now() - cursor.value.recordedAtMs > MAX_AGE_MS) await cursor.delete()
    }
    const stored = await store.get(revelationId)
    await done
    return stored && { file: stored.file, durationSeconds: stored.durationSeconds }
  })
}
