import type { SoundDraft } from './sound-draft.ts'

/** A voice that is kept on this device until the server has it. */
export interface KeptRecording {
  id: string
  origin: 'recorded' | 'imported'
  startedAtMs: number
  fileName: string
  mimeType: string
  /** 0 where it was not measured: an imported file. */
  durationMs: number
  sizeBytes: number
  draft: SoundDraft
  /** Where it goes on its way to the server; missing in what was kept before there was such a thing. */
  transferId?: string | undefined
  /** The file is on the server already, waiting to be shared. */
  upload: { url: string; path: string } | null
  /** The server was asked to share it, under one of these titles; its answer may have been lost. */
  asked: { titles: string[]; sinceMs: number } | null
}

/** A voice at hand in this page, ready to be listened to and sent. */
export interface Take {
  recording: KeptRecording
  file: File
  /** False where the device refused to keep it: only this page has it. */
  isKept: boolean
}

export function fileOf({ fileName, mimeType }: KeptRecording, parts: Blob[]): File {
  // The parameters (`codecs=opus`) say nothing the server needs, and some parsers stumble on them.
  const [type = ''] = mimeType.split(';')
  return new File(parts, fileName, { type })
}

/** Also on a page that did not come over https, where a file may be imported all the same. */
export function newRecordingId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
