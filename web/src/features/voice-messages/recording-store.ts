import type { DBSchema } from 'idb'
import { acquireTabLock, createBroadcast, listTabLocks, type Release } from '#web/lib/tabs.ts'
import { openUserDatabase } from '#web/lib/user-indexed-db.ts'
import { recordingsDatabase } from './recordings-database.ts'
import type { VoiceMessageDraft } from './voice-message-draft.ts'

/** A voice recorded or imported here; the device stores it until the server has it. Fields are stored data. */
export interface Recording {
  id: string
  origin: 'recorded' | 'imported'
  startedAtMs: number
  fileName: string
  mimeType: string
  /** 0 for an imported file, which is not measured. */
  durationMs: number
  sizeBytes: number
  draft: VoiceMessageDraft
  /** The upload it is on; absent in recordings of former versions. */
  transferId?: string | undefined
  /** Set once the file has arrived and waits to be shared. */
  upload: { url: string; path: string } | null
  /** With which it is shared, however often that is asked. Absent until then. */
  key?: string | undefined
}

interface Recordings extends DBSchema {
  recordings: { key: string; value: Recording }
  chunks: { key: [recordingId: string, index: number]; value: Blob }
}

const BOTH_STORES = ['recordings', 'chunks'] as const
// A second later the battery may be empty.
const STRICT = { durability: 'strict' } as const

const connect = openUserDatabase<Recordings>(recordingsDatabase, (database) => {
  database.createObjectStore('recordings', { keyPath: 'id' })
  database.createObjectStore('chunks')
})

/** Announces to every tab of this browser that the stored recordings changed. */
export const recordingsBroadcast = createBroadcast('recordings')

/** The newest first. */
export async function listRecordings(ownerId: string): Promise<Recording[]> {
  const database = await connect(ownerId)
  const all = await database.getAll('recordings')
  return all.sort((one, other) => other.startedAtMs - one.startedAtMs)
}

export async function findRecording(ownerId: string, id: string): Promise<Recording | undefined> {
  const database = await connect(ownerId)
  return database.get('recordings', id)
}

export async function storeRecording(ownerId: string, recording: Recording): Promise<void> {
  const database = await connect(ownerId)
  await database.put('recordings', recording)
}

/** Does nothing when the recording was deleted meanwhile. */
export async function updateRecording(
  ownerId: string,
  id: string,
  changes: Partial<Recording>,
): Promise<void> {
  const database = await connect(ownerId)
  const transaction = database.transaction('recordings', 'readwrite', STRICT)
  const recording = await transaction.store.get(id)
  if (recording) await transaction.store.put({ ...recording, ...changes })
  await transaction.done
}

/** Adds a chunk and updates length and size in one transaction; throws when the recording was deleted. */
export async function appendChunk(
  ownerId: string,
  id: string,
  index: number,
  chunk: Blob,
  { durationMs, sizeBytes }: Pick<Recording, 'durationMs' | 'sizeBytes'>,
): Promise<void> {
  const database = await connect(ownerId)
  const transaction = database.transaction(BOTH_STORES, 'readwrite', STRICT)
  const recordings = transaction.objectStore('recordings')
  const recording = await recordings.get(id)
  if (recording) {
    await Promise.all([
      transaction.objectStore('chunks').put(chunk, [id, index]),
      recordings.put({ ...recording, durationMs, sizeBytes }),
    ])
  }
  await transaction.done
  if (!recording) throw new Error('The recording is no longer there')
}

/** In order. Blobs refer to the disk: this reads none of their bytes. */
export async function readChunks(ownerId: string, id: string): Promise<Blob[]> {
  const database = await connect(ownerId)
  return database.getAll('chunks', chunksOf(id))
}

export async function deleteRecording(ownerId: string, id: string): Promise<void> {
  const database = await connect(ownerId)
  const transaction = database.transaction(BOTH_STORES, 'readwrite', STRICT)
  await Promise.all([
    transaction.objectStore('recordings').delete(id),
    transaction.objectStore('chunks').delete(chunksOf(id)),
    transaction.done,
  ])
}

function chunksOf(id: string): IDBKeyRange {
  return IDBKeyRange.bound([id, 0], [id, Number.POSITIVE_INFINITY])
}

const PREFIX = 'recording:'

/** Locks a recording for this tab, which records, shows or sends it; undefined when a tab has the lock already. */
export function lockRecording(id: string): Promise<Release | undefined> {
  return acquireTabLock(PREFIX + id)
}

/** The ids that this tab or another has locked. */
export function listLockedRecordings(): Promise<Set<string>> {
  return listTabLocks(PREFIX)
}
