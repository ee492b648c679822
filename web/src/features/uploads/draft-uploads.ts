import { abandonUpload, deleteUploadedFile } from './discard-upload.ts'
import {
  deleteStoredUpload,
  listLockedUploads,
  listStoredUploads,
  readStoredFile,
  type StoredUpload,
  updateUpload,
  uploadsBroadcast,
} from './uploads-store.ts'

export async function listDraftUploads(ownerId: string, draftId: string): Promise<StoredUpload[]> {
  const all = await listStoredUploads(ownerId)
  return all.filter((upload) => upload.draftId === draftId)
}

/** The files of a draft of which this device has a copy, and that no tab is sending. */
export async function readDraftFiles(
  ownerId: string,
  draftId: string,
): Promise<{ file: File; stored: StoredUpload }[]> {
  const [uploads, locked] = await Promise.all([
    listDraftUploads(ownerId, draftId),
    listLockedUploads(),
  ])
  const files = await Promise.all(
    uploads
      .filter(({ id, hasFile }) => hasFile && !locked.has(id))
      .map(async (stored) => ({ stored, file: await readStoredFile(ownerId, stored.id) })),
  )
  return files.flatMap(({ stored, file }) => (file ? [{ stored, file }] : []))
}

/** Deletes the files of a draft, here and on the server. */
export async function discardUploadsOfDraft(ownerId: string, draftId: string): Promise<void> {
  for (const { id, uploadId, arrivedPath } of await listDraftUploads(ownerId, draftId)) {
    await deleteStoredUpload(ownerId, id)
    if (arrivedPath) await deleteUploadedFile(arrivedPath)
    else if (uploadId) await abandonUpload(uploadId)
  }
  uploadsBroadcast.announce()
}

/** What was for a draft that is no more is offered again by itself. */
export async function releaseUploadsOfLostDrafts(
  ownerId: string,
  draftIds: ReadonlySet<string>,
): Promise<void> {
  const [all, locked] = await Promise.all([listStoredUploads(ownerId), listLockedUploads()])
  const lost = all.filter(
    ({ id, draftId }) => draftId !== undefined && !draftIds.has(draftId) && !locked.has(id),
  )
  for (const { id } of lost) await updateUpload(ownerId, id, { draftId: undefined })
  if (lost.length > 0) uploadsBroadcast.announce()
}
