import type { DBSchema } from 'idb'
import { openOwnDatabase } from '#web/lib/own-database.ts'
import { openTabNews } from '#web/lib/tab-news.ts'
import type { KeptRecording } from './kept-recording.ts'
import { recordingsDatabase } from './recordings-database.ts'

interface Recordings extends DBSchema {
  recordings: { key: string; value: KeptRecording }
  /** By recording and place in it. */
  chunks: { key: [recordingId: string, place: number]; value: Blob }
}

const BOTH = ['recordings', 'chunks'] as const
// A battery that dies a second later must find it on the disk.
const STRICT = { durability: 'strict' } as const

const connect = openOwnDatabase<Recordings>(recordingsDatabase, (database) => {
  database.createObjectStore('recordings', { keyPath: 'id' })
  database.createObjectStore('chunks')
})

/** Tells every tab of this browser that what is kept is no longer what it was. */
export const recordingsNews = openTabNews('recordings')

/** The newest first. */
export async function listRecordings(ownerId: string): Promise<KeptRecording[]> {
  const database = await connect(ownerId)
  const all = await database.getAll('recordings')
  return all.sort((one, other) => other.startedAtMs - one.startedAtMs)
}

export async function findRecording(
  ownerId: string,
  id: string,
): Promise<KeptRecording | undefined> {
  const database = await connect(ownerId)
  return database.get('recordings', id)
}

export async function keepRecording(ownerId: string, recording: KeptRecording): Promise<void> {
  const database = await connect(ownerId)
  await database.put('recordings', recording)
}

/** Nothing happens when it was erased meanwhile. */
export async function changeRecording(
  ownerId: string,
  id: string,
  changes: Partial<KeptRecording>,
): Promise<void> {
  const database = await connect(ownerId)
  const change = database.transaction('recordings', 'readwrite', STRICT)
  const recording = await change.store.get(id)
  if (recording) await change.store.put({ ...recording, ...changes })
  await change.done
}

/** Adds to a recording what was heard last; its length and weight change with it or not at all. */
export async function appendChunk(
  ownerId: string,
  id: string,
  place: number,
  chunk: Blob,
  { durationMs, sizeBytes }: Pick<KeptRecording, 'durationMs' | 'sizeBytes'>,
): Promise<void> {
  const database = await connect(ownerId)
  const change = database.transaction(BOTH, 'readwrite', STRICT)
  const recordings = change.objectStore('recordings')
  const recording = await recordings.get(id)
  if (recording) {
    await Promise.all([
      change.objectStore('chunks').put(chunk, [id, place]),
      recordings.put({ ...recording, durationMs, sizeBytes }),
    ])
  }
  await change.done
  if (!recording) throw new Error('The recording is no longer there')
}

/** In order. They are addresses of what lies on the disk: none of their bytes is read here. */
export async function readChunks(ownerId: string, id: string): Promise<Blob[]> {
  const database = await connect(ownerId)
  return database.getAll('chunks', chunksOf(id))
}

export async function eraseRecording(ownerId: string, id: string): Promise<void> {
  const database = await connect(ownerId)
  const change = database.transaction(BOTH, 'readwrite', STRICT)
  await Promise.all([
    change.objectStore('recordings').delete(id),
    change.objectStore('chunks').delete(chunksOf(id)),
    change.done,
  ])
}

function chunksOf(id: string): IDBKeyRange {
  return IDBKeyRange.bound([id, 0], [id, Number.POSITIVE_INFINITY])
}
