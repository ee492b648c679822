import type { KeptUpload } from './kept-upload.ts'

/** An upload that the end of a session stopped: it goes on by itself once its owner is back where they were. */
interface InterruptedUpload {
  ownerId: string
  place: string
  file: File
  kept: KeptUpload
  /** Once it may be taken up again: until then it belongs to what sent it. */
  left: Promise<void>
}

let interrupted: InterruptedUpload | undefined

export function noteInterrupted(upload: InterruptedUpload): void {
  interrupted = upload
}

/** No test goes on with an upload of another one. */
export function resetInterrupted(): void {
  interrupted = undefined
}

/** What is to go on at this place; taken once. */
export function takeInterrupted(ownerId: string, place: string): InterruptedUpload | undefined {
  const found = interrupted
  if (!found || found.place !== place) return undefined
  interrupted = undefined
  return found.ownerId === ownerId ? found : undefined
}
