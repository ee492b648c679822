import type { DBSchema } from 'idb'
import { openOwnDatabase } from '#web/lib/own-database.ts'
import { openTabNews } from '#web/lib/tab-news.ts'
import type { KeptUpload } from './kept-upload.ts'
import { uploadsDatabase } from './uploads-database.ts'

interface Uploads extends DBSchema {
  uploads: { key: string; value: KeptUpload }
  files: { key: string; value: File }
}

const BOTH = ['uploads', 'files'] as const
// Left free for the rest of the device.
const ROOM_TO_SPARE_BYTES = 64 * 1024 * 1024

const connect = openOwnDatabase<Uploads>(uploadsDatabase, (database) => {
  database.createObjectStore('uploads', { keyPath: 'id' })
  database.createObjectStore('files')
})

/** Tells every tab of this browser that what is kept is no longer what it was. */
export const uploadsNews = openTabNews('uploads')

/** The newest first. */
export async function listKeptUploads(ownerId: string): Promise<KeptUpload[]> {
  const database = await connect(ownerId)
  const all = await database.getAll('uploads')
  return all.sort((one, other) => other.touchedAtMs - one.touchedAtMs)
}

export async function keepUpload(ownerId: string, upload: KeptUpload): Promise<void> {
  const database = await connect(ownerId)
  await database.put('uploads', upload)
}

/** Nothing happens when it was erased meanwhile. */
export async function changeUpload(
  ownerId: string,
  id: string,
  changes: Partial<KeptUpload>,
): Promise<void> {
  const database = await connect(ownerId)
  const change = database.transaction('uploads', 'readwrite')
  const upload = await change.store.get(id)
  if (upload) await change.store.put({ ...upload, ...changes })
  await change.done
}

/** Copies the file itself, and tells whether it did: only where there is room for it. */
export async function keepFile(ownerId: string, id: string, file: File): Promise<boolean> {
  if (!(await hasRoomFor(file.size))) return false
  const database = await connect(ownerId)
  await database.put('files', file, id)
  return true
}

export async function readKeptFile(ownerId: string, id: string): Promise<File | undefined> {
  const database = await connect(ownerId)
  return database.get('files', id)
}

export async function eraseUpload(ownerId: string, id: string): Promise<void> {
  const database = await connect(ownerId)
  const change = database.transaction(BOTH, 'readwrite')
  await Promise.all([
    change.objectStore('uploads').delete(id),
    change.objectStore('files').delete(id),
    change.done,
  ])
}

async function hasRoomFor(bytes: number): Promise<boolean> {
  const { storage } = navigator as { storage?: StorageManager }
  const { quota = 0, usage = 0 } = (await storage?.estimate()) ?? {}
  return quota - usage > bytes + ROOM_TO_SPARE_BYTES
}
