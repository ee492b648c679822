import type { StoredUpload } from './uploads-store.ts'

/** Uploads that the end of a session stopped: they resume once their owner is back on the same page. */
interface InterruptedUploads {
  ownerId: string
  path: string
  uploads: {
    file: File
    stored: StoredUpload
    /** Resolves once its lock is released. */
    paused: Promise<void>
  }[]
}

const interrupted = new Map<string, InterruptedUploads>()

export function storeInterrupted(stopped: InterruptedUploads): void {
  interrupted.set(stopped.path, stopped)
}

/** For tests, which share this module. */
export function resetInterrupted(): void {
  interrupted.clear()
}

/** Returns the uploads of this page once. */
export function claimInterrupted(ownerId: string, path: string): InterruptedUploads['uploads'] {
  const found = interrupted.get(path)
  interrupted.delete(path)
  return found?.ownerId === ownerId ? found.uploads : []
}
