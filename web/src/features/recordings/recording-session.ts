import type { Release } from '#web/lib/tab-locks.ts'
import { type ChunkKeeper, keepChunks } from './chunk-keeper.ts'
import type { KeptRecording, Take } from './kept-recording.ts'
import { recordingFileName } from './recording-format.ts'
import { changeRecording, eraseRecording } from './recording-store.ts'
import type { SoundDraft } from './sound-draft.ts'
import { type RecordingEnd, startVoiceRecorder, type VoiceRecorder } from './voice-recorder.ts'

/** What is being recorded, beside what the page shows of it. */
export interface RecordingSession {
  recording: KeptRecording
  recorder: VoiceRecorder
  keeper: ChunkKeeper
  release: Release
  isUnwanted: boolean
}

interface SessionOptions {
  id: string
  ownerId: string
  stream: MediaStream
  release: Release
  /** What the form starts with, for a recording that begins now. */
  newDraft: (startedAtMs: number) => SoundDraft
  onEnd: (session: RecordingSession, end: RecordingEnd) => void
  /** The device cannot keep it: only this page has it. */
  onNotKept: () => void
}

export function beginSession(options: SessionOptions): RecordingSession {
  const { id, ownerId, stream, release, newDraft, onEnd, onNotKept } = options
  const recorder = startVoiceRecorder(stream, {
    onChunk: (chunk) => session.keeper.add(chunk, recorder.clock.elapsedMs()),
    onEnd: (end) => onEnd(session, end),
  })
  const startedAtMs = Date.now()
  const recording: KeptRecording = {
    id,
    origin: 'recorded',
    startedAtMs,
    fileName: recordingFileName(recorder.mimeType, startedAtMs),
    mimeType: recorder.mimeType,
    durationMs: 0,
    sizeBytes: 0,
    draft: newDraft(startedAtMs),
    upload: null,
    asked: null,
  }
  const keeper = keepChunks(ownerId, recording, onNotKept)
  const session = { recording, recorder, keeper, release, isUnwanted: false }
  return session
}

const NOT_READ_AGAIN =
  'Cet appareil n’a pas pu relire votre enregistrement. Ce qu’il en a gardé vous sera proposé à nouveau sur cette page.'
const NOTHING_HEARD = 'Rien n’a été enregistré. Réessayez.'

/** The take that a recording leaves; or none, and why where that is not by its person's own wish. */
export async function finishSession(
  ownerId: string,
  { recording, recorder, keeper, isUnwanted }: RecordingSession,
): Promise<{ take: Take } | { take: undefined; refusal?: string }> {
  const durationMs = recorder.clock.elapsedMs()
  const take = await keeper.finish(durationMs).catch(() => undefined)
  if (!take) return { take, refusal: NOT_READ_AGAIN }
  if (isUnwanted || take.file.size === 0) {
    await eraseRecording(ownerId, recording.id).catch(() => undefined)
    return { take: undefined, ...(!isUnwanted && { refusal: NOTHING_HEARD }) }
  }
  await changeRecording(ownerId, recording.id, { durationMs }).catch(() => undefined)
  return { take }
}
