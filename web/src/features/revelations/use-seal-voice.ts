import { useState } from 'react'
import type { OwnRevelation } from '#contract/revelations.ts'
import { SEAL_VOICE_SECONDS } from '#contract/sealing.ts'
import { useObjectUrl } from '#web/features/media/use-object-url.ts'
import {
  type ShortRecordingControls,
  useShortRecording,
} from '#web/features/media/use-short-recording.ts'
import { type UploadControls, useUpload } from '#web/features/media/use-upload.ts'

/** Begins the name of every such file: what waits to be sent is told from the files of letters by it. */
const FILE_NAME = 'voix-du-sceau'

export function isSealVoiceFile({ name }: Pick<File, 'name'>): boolean {
  return name.startsWith(FILE_NAME)
}

/** The voice that plays as the seal breaks: the stored one, or one that is recorded here and sent at once. */
export interface SealVoiceControls extends UploadControls {
  recording: ShortRecordingControls
  hasVoice: boolean
  /** Under which this page can play it; undefined for a moment, too. */
  playUrl: string | undefined
  /** What is sealed: the address on the server, once the voice is there. */
  sealedUrl: string | undefined
  durationSeconds: number | null
  erase: () => void
  /** Why the form cannot be submitted. */
  problem: string | undefined
}

export function useSealVoice(revelation?: OwnRevelation, draftId?: string): SealVoiceControls {
  const controls = useUpload('#seal-voice', draftId)
  const { upload } = controls
  const [isStoredErased, setStoredErased] = useState(false)
  const [durationSeconds, setDurationSeconds] = useState<number | null>(null)
  const recording = useShortRecording({
    longestSeconds: SEAL_VOICE_SECONDS,
    fileName: FILE_NAME,
    onRecorded: (file, seconds) => {
      setDurationSeconds(seconds)
      controls.choose(file)
    },
  })
  const file = 'file' in upload ? upload.file : undefined
  const objectUrl = useObjectUrl(file)
  const storedUrl = isStoredErased ? undefined : (revelation?.seal_voice_url ?? undefined)

  return {
    ...controls,
    recording,
    hasVoice: file !== undefined || storedUrl !== undefined,
    playUrl: file ? objectUrl : storedUrl,
    sealedUrl: upload.phase === 'sent' ? upload.result.url : file ? undefined : storedUrl,
    durationSeconds: file ? durationSeconds : null,
    erase: () => {
      controls.remove()
      setStoredErased(true)
    },
    problem: problemOf(recording.state.phase, upload.phase),
  }
}

function problemOf(
  recording: ShortRecordingControls['state']['phase'],
  upload: UploadControls['upload']['phase'],
): string | undefined {
  if (recording !== 'idle') return 'Terminez d’abord l’enregistrement de votre voix.'
  if (upload === 'failed') return 'Votre voix n’est pas arrivée. Réessayez, ou effacez-la.'
  return undefined
}

/** The fields of the API for the voice and its words, which go with it. */
export function sealVoiceInput({ sealedUrl }: SealVoiceControls, words: string) {
  return {
    seal_voice: sealedUrl ?? null,
    seal_voice_words: sealedUrl === undefined ? null : words.trim() || null,
  }
}
