import { closeMicrophone } from './microphone.ts'
import { type RecordingClock, startRecordingClock } from './recording-clock.ts'
import { AUDIO_BITS_PER_SECOND, chooseMimeType, RECORDING_MAX_BYTES } from './recording-format.ts'

// What a crash can take away at most.
const CHUNK_MS = 1000

/** `full`: all that a sound may weigh. `microphone`: it was taken away, or failed. */
export type RecordingEnd = 'asked' | 'full' | 'microphone'

export interface VoiceRecorder {
  mimeType: string
  clock: RecordingClock
  pause: () => void
  resume: () => void
  stop: () => void
  isOver: () => boolean
}

interface RecorderEvents {
  onChunk: (chunk: Blob) => void
  /** Everything was handed over, and the microphone is closed. */
  onEnd: (end: RecordingEnd) => void
}

/** Records a microphone until it is told to stop, is full, or loses it. */
export function startVoiceRecorder(
  stream: MediaStream,
  { onChunk, onEnd }: RecorderEvents,
): VoiceRecorder {
  const mimeType = chooseMimeType((type) => MediaRecorder.isTypeSupported(type))
  const recorder = new MediaRecorder(stream, {
    ...(mimeType && { mimeType }),
    audioBitsPerSecond: AUDIO_BITS_PER_SECOND,
  })
  const clock = startRecordingClock()
  let end: RecordingEnd = 'microphone'
  let sizeBytes = 0
  const stop = (why: RecordingEnd) => {
    if (recorder.state === 'inactive') return
    end = why
    clock.pause()
    recorder.stop()
  }
  recorder.ondataavailable = ({ data }) => {
    if (data.size === 0) return
    sizeBytes += data.size
    onChunk(data)
    if (sizeBytes >= RECORDING_MAX_BYTES) stop('full')
  }
  recorder.onerror = () => stop('microphone')
  recorder.onstop = () => {
    clock.pause()
    closeMicrophone(stream)
    onEnd(end)
  }
  for (const track of stream.getTracks()) track.onended = () => stop('microphone')
  recorder.start(CHUNK_MS)
  return {
    mimeType: recorder.mimeType || mimeType || 'audio/webm',
    clock,
    pause: () => {
      if (recorder.state !== 'recording') return
      recorder.pause()
      clock.pause()
    },
    resume: () => {
      if (recorder.state !== 'paused') return
      recorder.resume()
      clock.resume()
    },
    stop: () => stop('asked'),
    isOver: () => recorder.state === 'inactive',
  }
}
