import { SOUND_MAX_BYTES } from '#contract/sounds.ts'

// A crash loses at most this much.
const CHUNK_MS = 1000

/** `full`: at the largest size or length. `microphone`: removed, or failed. */
export type RecordingEnd = 'stopped' | 'full' | 'microphone'

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
  /** All chunks were delivered, and the microphone is closed. */
  onEnd: (end: RecordingEnd) => void
}

interface RecorderLimits {
  /** Without one, only the size is limited. */
  longestMs?: number
}

/** Records until `stop`, the largest size or length, or the loss of the microphone. */
export function startVoiceRecorder(
  stream: MediaStream,
  { onChunk, onEnd, longestMs }: RecorderEvents & RecorderLimits,
): VoiceRecorder {
  const mimeType = chooseMimeType((type) => MediaRecorder.isTypeSupported(type))
  const recorder = new MediaRecorder(stream, {
    ...(mimeType && { mimeType }),
    audioBitsPerSecond: AUDIO_BITS_PER_SECOND,
  })
  const clock = startRecordingClock()
  let end: RecordingEnd = 'microphone'
  let sizeBytes = 0
  let limit: ReturnType<typeof setTimeout> | undefined
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
    clearTimeout(limit)
    clock.pause()
    closeMicrophone(stream)
    onEnd(end)
  }
  for (const track of stream.getTracks()) track.onended = () => stop('microphone')
  recorder.start(CHUNK_MS)
  if (longestMs !== undefined) {
    const stopAtLimit = () => {
      const leftMs = longestMs - clock.elapsedMs()
      if (leftMs <= 0) stop('full')
      // A pause moved the end.
      else limit = setTimeout(stopAtLimit, leftMs)
    }
    stopAtLimit()
  }
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
    stop: () => stop('stopped'),
    isOver: () => recorder.state === 'inactive',
  }
}

const IMPOSSIBLE = "Impossible d'accéder au microphone."

const REASONS: Record<string, string> = {
  NotAllowedError: 'Autorisez le microphone pour ce site dans votre navigateur, puis réessayez.',
  SecurityError: 'Autorisez le microphone pour ce site dans votre navigateur, puis réessayez.',
  NotFoundError: 'Aucun microphone n’a été trouvé. Branchez-en un, puis réessayez.',
  NotReadableError:
    'Une autre application s’en sert peut-être. Fermez-la ou terminez votre appel, puis réessayez.',
  AbortError:
    'Une autre application s’en sert peut-être. Fermez-la ou terminez votre appel, puis réessayez.',
  OverconstrainedError: 'La configuration de votre microphone n’est pas prise en charge.',
  NotSupportedError: 'La configuration de votre microphone n’est pas prise en charge.',
}

const UNSUPPORTED =
  'Votre navigateur ne sait pas enregistrer. Mettez-le à jour, ou importez un fichier audio.'
const INSECURE =
  'La connexion à cette page n’est pas sécurisée. Ouvrez-la par son adresse en https, puis réessayez.'

export function formatMicrophoneError(error: unknown): string {
  const { name = '', message = '' } = error as Partial<Error>
  return `${IMPOSSIBLE} ${REASONS[name] ?? message}`.trim()
}

/** Why this page cannot record at all; undefined where it may request the microphone. */
export function findMissingSupport(): string | undefined {
  // Browsers have no microphone for pages that did not come over https.
  if (window.isSecureContext === false) return `${IMPOSSIBLE} ${INSECURE}`
  const canRecord = 'MediaRecorder' in window && navigator.mediaDevices?.getUserMedia !== undefined
  return canRecord ? undefined : `${IMPOSSIBLE} ${UNSUPPORTED}`
}

export function openMicrophone(): Promise<MediaStream> {
  return navigator.mediaDevices.getUserMedia({
    audio: { channelCount: 1, echoCancellation: true, noiseSuppression: true },
  })
}

export function closeMicrophone(stream: MediaStream): void {
  for (const track of stream.getTracks()) track.stop()
}

/** The length of a recording, without its pauses. */
export interface RecordingClock {
  elapsedMs: () => number
  pause: () => void
  resume: () => void
}

export function startRecordingClock(now: () => number = () => performance.now()): RecordingClock {
  let beforeMs = 0
  let sinceMs: number | undefined = now()
  const elapsedMs = () => beforeMs + (sinceMs === undefined ? 0 : now() - sinceMs)
  return {
    elapsedMs,
    pause: () => {
      beforeMs = elapsedMs()
      sinceMs = undefined
    },
    resume: () => {
      sinceMs ??= now()
    },
  }
}

/** Speech stays clear, and more than two hours fit in the largest voice message. */
export const AUDIO_BITS_PER_SECOND = 48_000

/** Room for the last chunk, which comes after the stop. */
const MARGIN_BYTES = 512 * 1024
export const RECORDING_MAX_BYTES = SOUND_MAX_BYTES - MARGIN_BYTES

const PREFERRED = [
  'audio/webm;codecs=opus',
  'audio/webm',
  'audio/mp4',
  'audio/ogg;codecs=opus',
] as const

/** Undefined lets the browser choose. */
export function chooseMimeType(isSupported: (type: string) => boolean): string | undefined {
  return PREFERRED.find(isSupported)
}

const EXTENSIONS: Record<string, string> = {
  'audio/webm': 'webm',
  'audio/mp4': 'm4a',
  'audio/ogg': 'ogg',
}

/** « message-vocal-2026-11-22-01-09.webm » */
export function recordingFileName(
  mimeType: string,
  startedAtMs: number,
  what = 'message-vocal',
): string {
  const [family = ''] = mimeType.split(';')
  const stamp = new Date(startedAtMs).toISOString().slice(0, 16).replace(/[T:]/g, '-')
  return `${what}-${stamp}.${EXTENSIONS[family] ?? 'webm'}`
}
