import {
  type RecordingEnd,
  recordingFileName,
  startVoiceRecorder,
  type VoiceRecorder,
} from '#web/features/media/voice-recorder.ts'
import type { Release } from '#web/lib/tabs.ts'
import { fileOf, type LoadedRecording } from './loaded-recording.ts'
import {
  appendChunk,
  deleteRecording,
  type Recording,
  readChunks,
  storeRecording,
  updateRecording,
} from './recording-store.ts'
import type { VoiceMessageDraft } from './voice-message-draft.ts'

/** A recording in progress. */
export interface RecordingSession {
  recording: Recording
  recorder: VoiceRecorder
  writer: ChunkWriter
  release: Release
  isUnwanted: boolean
}

interface SessionOptions {
  id: string
  ownerId: string
  stream: MediaStream
  release: Release
  /** The initial values of the form. */
  newDraft: (startedAtMs: number) => VoiceMessageDraft
  onEnd: (session: RecordingSession, end: RecordingEnd) => void
  /** The device cannot store the recording: only this page has it. */
  onNotStored: () => void
}

export function startSession(options: SessionOptions): RecordingSession {
  const { id, ownerId, stream, release, newDraft, onEnd, onNotStored } = options
  const recorder = startVoiceRecorder(stream, {
    onChunk: (chunk) => session.writer.add(chunk, recorder.clock.elapsedMs()),
    onEnd: (end) => onEnd(session, end),
  })
  const startedAtMs = Date.now()
  const recording: Recording = {
    id,
    origin: 'recorded',
    startedAtMs,
    fileName: recordingFileName(recorder.mimeType, startedAtMs),
    mimeType: recorder.mimeType,
    durationMs: 0,
    sizeBytes: 0,
    draft: newDraft(startedAtMs),
    upload: null,
  }
  const writer = writeChunks(ownerId, recording, onNotStored)
  const session = { recording, recorder, writer, release, isUnwanted: false }
  return session
}

const UNREADABLE =
  'Cet appareil n’a pas pu relire votre enregistrement. Ce qu’il en a gardé vous sera proposé à nouveau sur cette page.'
const NOTHING_RECORDED = 'Rien n’a été enregistré. Réessayez.'

/** The finished recording; or none, with a reason where the person did not discard it. */
export async function finishSession(
  ownerId: string,
  { recording, recorder, writer, isUnwanted }: RecordingSession,
): Promise<{ loaded: LoadedRecording } | { loaded: undefined; refusal?: string }> {
  const durationMs = recorder.clock.elapsedMs()
  const loaded = await writer.finish(durationMs).catch(() => undefined)
  if (!loaded) return { loaded, refusal: UNREADABLE }
  if (isUnwanted || loaded.file.size === 0) {
    await deleteRecording(ownerId, recording.id).catch(() => undefined)
    return { loaded: undefined, ...(!isUnwanted && { refusal: NOTHING_RECORDED }) }
  }
  await updateRecording(ownerId, recording.id, { durationMs }).catch(() => undefined)
  return { loaded }
}

interface ChunkWriter {
  add: (chunk: Blob, durationMs: number) => void
  /** Resolves once all chunks are stored. */
  finish: (durationMs: number) => Promise<LoadedRecording>
}

/**
 * Writes each chunk to the disk, so that nothing grows in memory. Where the device refuses (no room, private window), it calls
 * `onRefused` once and the rest stays in memory.
 */
function writeChunks(ownerId: string, recording: Recording, onRefused: () => void): ChunkWriter {
  const inMemory: Blob[] = []
  let isStored = true
  let hasStoredSome = false
  let nextIndex = 0
  let sizeBytes = 0
  const refuse = () => {
    if (isStored) onRefused()
    isStored = false
  }
  // One after the other: the order of chunks matters.
  let writing = storeRecording(ownerId, recording).catch(refuse)

  const write = async (
    chunk: Blob,
    index: number,
    facts: { durationMs: number; sizeBytes: number },
  ) => {
    try {
      if (isStored) {
        await appendChunk(ownerId, recording.id, index, chunk, facts)
        hasStoredSome = true
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
      const index = nextIndex++
      writing = writing.then(() => write(chunk, index, facts))
    },
    finish: async (durationMs) => {
      await writing
      const stored = hasStoredSome ? await readChunks(ownerId, recording.id) : []
      const whole = { ...recording, durationMs, sizeBytes }
      return { recording: whole, file: fileOf(whole, [...stored, ...inMemory]), isStored }
    },
  }
}
