import type { Release } from '#web/lib/tab-locks.ts'
import { fileOf, type KeptRecording, type Take } from './kept-recording.ts'
import { holdRecording } from './recording-lock.ts'
import { appendChunk, findRecording, keepRecording, readChunks } from './recording-store.ts'

interface HeldTake {
  take: Take
  release: Release
}

/** Takes up a recording that was left unsent; undefined when another tab has it, or it is gone. */
export async function openTake(ownerId: string, id: string): Promise<HeldTake | undefined> {
  const release = await holdRecording(id)
  if (!release) return undefined
  const recording = await findRecording(ownerId, id)
  if (!recording) {
    void release()
    return undefined
  }
  return { take: await readTake(ownerId, recording), release }
}

export async function readTake(ownerId: string, recording: KeptRecording): Promise<Take> {
  const chunks = await readChunks(ownerId, recording.id)
  return { recording, file: fileOf(recording, chunks), isKept: true }
}

/** Keeps a chosen file on this device until it is sent, where the device has room for it. */
export async function keepFile(
  ownerId: string,
  recording: KeptRecording,
  file: File,
): Promise<HeldTake> {
  const release = (await holdRecording(recording.id)) ?? (async () => {})
  try {
    await keepRecording(ownerId, recording)
    await appendChunk(ownerId, recording.id, 0, file, recording)
    return { take: { recording, file, isKept: true }, release }
  } catch {
    return { take: { recording, file, isKept: false }, release }
  }
}
