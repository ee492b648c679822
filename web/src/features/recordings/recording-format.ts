import { SOUND_MAX_BYTES } from '#contract/sounds.ts'

/** Speech stays clear, and more than two hours of it fit in what a sound may weigh. */
export const AUDIO_BITS_PER_SECOND = 48_000

/** Room for the chunk that is on its way when the recording is stopped. */
const MARGIN_BYTES = 512 * 1024
export const RECORDING_MAX_BYTES = SOUND_MAX_BYTES - MARGIN_BYTES

const PREFERRED = [
  'audio/webm;codecs=opus',
  'audio/webm',
  'audio/mp4',
  'audio/ogg;codecs=opus',
] as const

/** What to record in: opus, else any WebM, else what this browser has; undefined lets it choose. */
export function chooseMimeType(isSupported: (type: string) => boolean): string | undefined {
  return PREFERRED.find(isSupported)
}

const EXTENSIONS: Record<string, string> = {
  'audio/webm': 'webm',
  'audio/mp4': 'm4a',
  'audio/ogg': 'ogg',
}

/** « message-vocal-2026-11-22-01-09.webm »: how a recording is called on its way and when it is downloaded. */
export function recordingFileName(mimeType: string, startedAtMs: number): string {
  const [family = ''] = mimeType.split(';')
  const stamp = new Date(startedAtMs).toISOString().slice(0, 16).replace(/[T:]/g, '-')
  return `message-vocal-${stamp}.${EXTENSIONS[family] ?? 'webm'}`
}
