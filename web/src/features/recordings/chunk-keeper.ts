import { fileOf, type KeptRecording, type Take } from './kept-recording.ts'
import { appendChunk, keepRecording, readChunks } from './recording-store.ts'

export interface ChunkKeeper {
  add: (chunk: Blob, durationMs: number) => void
  sizeBytes: () => number
  /** What was kept, once all of it is. */
  finish: (durationMs: number) => Promise<Take>
}

/**
 * Writes what is recorded to the disk of this device as it comes, so that nothing grows in memory. Where the device
 * refuses (no room, private window), `onRefused` is told once and the rest stays in this page.
 */
export function keepChunks(
  ownerId: string,
  recording: KeptRecording,
  onRefused: () => void,
): ChunkKeeper {
  const inMemory: Blob[] = []
  let isKept = true
  let hasKeptSome = false
  let place = 0
  let sizeBytes = 0
  const refuse = () => {
    if (isKept) onRefused()
    isKept = false
  }
  // One after the other: their order is the recording.
  let writing = keepRecording(ownerId, recording).catch(refuse)

  const write = async (
    chunk: Blob,
    at: number,
    facts: { durationMs: number; sizeBytes: number },
  ) => {
    try {
      if (isKept) {
        await appendChunk(ownerId, recording.id, at, chunk, facts)
        hasKeptSome = true
        return
      }
    } catch {
      refuse()
    }
    inMemory.push(chunk)
  }

  return {
    add: (chunk, durationMs) => {
      sizeBytes += chunk.size
      const facts = { durationMs, sizeBytes }
      const at = place++
      writing = writing.then(() => write(chunk, at, facts))
    },
    sizeBytes: () => sizeBytes,
    finish: async (durationMs) => {
      await writing
      const kept = hasKeptSome ? await readChunks(ownerId, recording.id) : []
      const whole = { ...recording, durationMs, sizeBytes }
      return { recording: whole, file: fileOf(whole, [...kept, ...inMemory]), isKept }
    },
  }
}
