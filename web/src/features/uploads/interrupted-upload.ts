import type { StoredUpload } from './uploads-store.ts'

/** An upload that the end of a session stopped: it resumes once its owner is back on the same page. */
interface InterruptedUpload {
  ownerId: string
  path: string
  file: File
  stored: StoredUpload
  /** Resolves once its lock is released. */
  paused: Promise<void>
}

let interrupted: InterruptedUpload | undefined

export function storeInterrupted(upload: InterruptedUpload): void {
  interrupted = upload
}

/** For tests, which share this module. */
export function resetInterrupted(): void {
  interrupted = undefined
}

/** Returns the upload of this page once. */
export function claimInterrupted(ownerId: string, path: string): InterruptedUpload | undefined {
  const found = interrupted
  if (!found || found.path !== path) return undefined
  interrupted = undefined
  return found.ownerId === ownerId ? found : undefined
}
