import { newId } from '#web/lib/new-id.ts'
import { holdInThisTab, type Release } from '#web/lib/tab-locks.ts'
import type { KeptUpload } from './kept-upload.ts'
import { changeUpload, eraseUpload, keepFile, keepUpload, uploadsNews } from './uploads-store.ts'

/** Upload belongs to one tab at a time: the one that sends it. */
export const HELD_UPLOADS = 'upload:'

/** An upload that this tab sends, and what the device remembers of it. */
export interface HeldUpload {
  now: () => KeptUpload
  remember: (changes: Partial<KeptUpload>) => void
  /** The device keeps nothing of it any longer. */
  forget: () => Promise<void>
  /** It stays on the device, to be offered again. */
  letGo: () => Promise<void>
}

/** Takes up an upload that was begun, or a new one; undefined when another tab sends it. */
export async function holdUpload(
  ownerId: string,
  file: File,
  before?: KeptUpload,
): Promise<HeldUpload | undefined> {
  let upload = before ?? newUpload(file)
  const release = await holdInThisTab(HELD_UPLOADS + upload.id)
  if (!release) return undefined
  // One after the other; where the device keeps nothing, the page goes on with what it has.
  let writing: Promise<unknown> = write(() => keepUpload(ownerId, upload))
  const then = (task: () => Promise<unknown>) => {
    writing = writing.then(() => write(task))
    return writing
  }
  const remember = (changes: Partial<KeptUpload>) => {
    upload = { ...upload, ...changes, touchedAtMs: Date.now() }
    void then(() => changeUpload(ownerId, upload.id, { ...changes, touchedAtMs: Date.now() }))
  }
  // What is told of it does not wait for a file of hundreds of megabytes to be copied.
  const copying = write(async () => {
    if (upload.hasFile || !(await keepFile(ownerId, upload.id, file))) return
    remember({ hasFile: true })
    uploadsNews.announce()
  })
  return {
    now: () => upload,
    remember,
    forget: async () => {
      await copying
      await then(() => eraseUpload(ownerId, upload.id))
      await over(release)
    },
    letGo: async () => {
      await writing
      await over(release)
    },
  }
}

async function over(release: Release): Promise<void> {
  await release()
  uploadsNews.announce()
}

async function write(task: () => Promise<unknown>): Promise<void> {
  await task().catch(() => undefined)
}

function newUpload({ name, type, size, lastModified }: File): KeptUpload {
  return {
    id: newId(),
    uploadId: undefined,
    name,
    type,
    sizeBytes: size,
    lastModified,
    receivedBytes: 0,
    arrivedPath: undefined,
    hasFile: false,
    touchedAtMs: Date.now(),
  }
}
