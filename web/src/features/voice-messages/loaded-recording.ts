import type { Release } from '#web/lib/tabs.ts'
import {
  appendChunk,
  findRecording,
  lockRecording,
  type Recording,
  readChunks,
  storeRecording,
} from './recording-store.ts'

/** A recording with its file, ready to be played and sent. */
export interface LoadedRecording {
  recording: Recording
  file: File
  /** False where the device refused to store it: only this page has it. */
  isStored: boolean
}

/** A loaded recording that is locked for this tab. */
interface ClaimedRecording {
  loaded: LoadedRecording
  release: Release
}

/** Locks and loads an unsent recording; undefined when another tab has it, or it was deleted. */
export async function claimRecording(
  ownerId: string,
  id: string,
): Promise<ClaimedRecording | undefined> {
  const release = await lockRecording(id)
  if (!release) return undefined
  const recording = await findRecording(ownerId, id)
  if (!recording) {
    void release()
    return undefined
  }
  return { loaded: await loadRecording(ownerId, recording), release }
}

export async function loadRecording(
  ownerId: string,
  recording: Recording,
): Promise<LoadedRecording> {
  const chunks = await readChunks(ownerId, recording.id)
  return { recording, file: fileOf(recording, chunks), isStored: true }
}

/** Stores a chosen file on this device until it is sent, where the device has room. */
export async function storeFile(
  ownerId: string,
  recording: Recording,
  file: File,
): Promise<ClaimedRecording> {
  const release = (await lockRecording(recording.id)) ?? (async () => {})
  try {
    await storeRecording(ownerId, recording)
    await appendChunk(ownerId, recording.id, 0, file, recording)
    return { loaded: { recording, file, isStored: true }, release }
  } catch {
    return { loaded: { recording, file, isStored: false }, release }
  }
}

export function fileOf({ fileName, mimeType }: Recording, parts: Blob[]): File {
  // The server needs no parameters (`codecs=opus`), and some parsers fail on them.
  const [type = ''] = mimeType.split(';')
  return new File(parts, fileName, { type })
}
