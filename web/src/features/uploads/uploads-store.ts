import type { DBSchema } from 'idb'
import { acquireTabLock, createBroadcast, listTabLocks, type Release } from '#web/lib/tabs.ts'
import { openUserDatabase } from '#web/lib/user-indexed-db.ts'
import { abandonUpload } from './discard-upload.ts'
import { uploadsDatabase } from './upload-databases.ts'

/** A file on its way, as this device stores it: a closed tab does not lose it. */
export interface StoredUpload {
  id: string
  /** Undefined until the server has created the upload. */
  uploadId: string | undefined
  name: string
  type: string
  sizeBytes: number
  lastModified: number
  receivedBytes: number
  /** The path of the finished file. */
  arrivedPath: string | undefined
  /** Whether this device has a copy of the file. */
  hasFile: boolean
  /** This device has no room for a copy. */
  isTooLarge?: boolean | undefined
  touchedAtMs: number
  /** The letter that it is for, and whose draft lives on this device. */
  draftId?: string | undefined
}

interface Uploads extends DBSchema {
  uploads: { key: string; value: StoredUpload }
  files: { key: string; value: File }
}

const BOTH_STORES = ['uploads', 'files'] as const
// Left free for the rest of the device.
const RESERVED_BYTES = 64 * 1024 * 1024

const connect = openUserDatabase<Uploads>(uploadsDatabase, (database) => {
  database.createObjectStore('uploads', { keyPath: 'id' })
  database.createObjectStore('files')
})

/** Announces to every tab of this browser that the stored uploads changed. */
export const uploadsBroadcast = createBroadcast('uploads')

/** The newest first. */
export async function listStoredUploads(ownerId: string): Promise<StoredUpload[]> {
  const database = await connect(ownerId)
  const all = await database.getAll('uploads')
  return all.sort((one, other) => other.touchedAtMs - one.touchedAtMs)
}

export async function storeUpload(ownerId: string, upload: StoredUpload): Promise<void> {
  const database = await connect(ownerId)
  await database.put('uploads', upload)
}

/** Does nothing when the upload was deleted meanwhile. */
export async function updateUpload(
  ownerId: string,
  id: string,
  changes: Partial<StoredUpload>,
): Promise<void> {
  const database = await connect(ownerId)
  const transaction = database.transaction('uploads', 'readwrite')
  const upload = await transaction.store.get(id)
  if (upload) await transaction.store.put({ ...upload, ...changes })
  await transaction.done
}

/** Copies the file where the device has room; returns whether it did. */
export async function storeFile(ownerId: string, id: string, file: File): Promise<boolean> {
  if (!(await hasRoomFor(file.size))) return false
  const database = await connect(ownerId)
  await database.put('files', file, id)
  return true
}

export async function readStoredFile(ownerId: string, id: string): Promise<File | undefined> {
  const database = await connect(ownerId)
  return database.get('files', id)
}

export async function deleteStoredUpload(ownerId: string, id: string): Promise<void> {
  const database = await connect(ownerId)
  const transaction = database.transaction(BOTH_STORES, 'readwrite')
  await Promise.all([
    transaction.objectStore('uploads').delete(id),
    transaction.objectStore('files').delete(id),
    transaction.done,
  ])
}

/** Abandons all that this device was sending for an account. */
export async function abandonStoredUploads(ownerId: string): Promise<void> {
  const stored = await listStoredUploads(ownerId)
  await Promise.all(
    stored.map(({ uploadId, arrivedPath }) =>
      uploadId && !arrivedPath ? abandonUpload(uploadId) : undefined,
    ),
  )
}

async function hasRoomFor(bytes: number): Promise<boolean> {
  const { storage } = navigator as { storage?: StorageManager }
  const { quota = 0, usage = 0 } = (await storage?.estimate()) ?? {}
  return quota - usage > bytes + RESERVED_BYTES
}

const LOCK_PREFIX = 'upload:'

/** Locks an upload for this tab, which sends it; undefined when a tab has the lock already. */
export function lockStoredUpload(id: string): Promise<Release | undefined> {
  return acquireTabLock(LOCK_PREFIX + id)
}

/** The ids that this tab or another has locked. */
export function listLockedUploads(): Promise<Set<string>> {
  return listTabLocks(LOCK_PREFIX)
}
