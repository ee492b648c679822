import { useEffect, useRef, useState } from 'react'
import type { OwnRevelation } from '#contract/revelations.ts'
import { SEAL_VOICE_SECONDS } from '#contract/sealing.ts'
import { useObjectUrl } from '#web/features/media/use-object-url.ts'
import { type UploadControls, useUpload } from '#web/features/media/use-upload.ts'
import {
  closeMicrophone,
  findMissingSupport,
  formatMicrophoneError,
  openMicrophone,
  recordingFileName,
  startVoiceRecorder,
  type VoiceRecorder,
} from '#web/features/media/voice-recorder.ts'

/** Begins the name of every such file: what waits to be sent is told from the files of letters by it. */
const FILE_NAME = 'voix-du-sceau'

export function isSealVoiceFile({ name }: Pick<File, 'name'>): boolean {
  return name.startsWith(FILE_NAME)
}

type RecordingState =
  | { phase: 'idle'; refusal?: string }
  | { phase: 'requesting' }
  | { phase: 'recording'; recorder: VoiceRecorder; stream: MediaStream }

/** The voice that plays as the seal breaks: the stored one, or one that is recorded here and sent at once. */
export interface SealVoiceControls extends UploadControls {
  recording: RecordingState
  record: () => void
  stop: () => void
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

export function useSealVoice(revelation?: OwnRevelation): SealVoiceControls {
  const controls = useUpload('#seal-voice')
  const { upload } = controls
  const [isStoredErased, setStoredErased] = useState(false)
  const [recording, setRecording] = useState<RecordingState>({ phase: 'idle' })
  const [durationSeconds, setDurationSeconds] = useState<number | null>(null)
  const recorder = useRef<VoiceRecorder>(undefined)
  const isLeft = useRef(false)
  useEffect(() => {
    isLeft.current = false
    return () => {
      isLeft.current = true
      recorder.current?.stop()
    }
  }, [])
  const file = 'file' in upload ? upload.file : undefined
  const objectUrl = useObjectUrl(file)
  const storedUrl = isStoredErased ? undefined : (revelation?.seal_voice_url ?? undefined)

  const record = async () => {
    const refusal = findMissingSupport()
    if (refusal) return setRecording({ phase: 'idle', refusal })
    setRecording({ phase: 'requesting' })
    try {
      const stream = await openMicrophone()
      if (isLeft.current) return closeMicrophone(stream)
      const startedAtMs = Date.now()
      const chunks: Blob[] = []
      const started = startVoiceRecorder(stream, {
        longestMs: SEAL_VOICE_SECONDS * 1000,
        onChunk: (chunk) => chunks.push(chunk),
        onEnd: () => finish(started, startedAtMs, chunks),
      })
      recorder.current = started
      setRecording({ phase: 'recording', recorder: started, stream })
    } catch (error) {
      setRecording({ phase: 'idle', refusal: formatMicrophoneError(error) })
    }
  }

  const finish = ({ mimeType, clock }: VoiceRecorder, startedAtMs: number, chunks: Blob[]) => {
    if (isLeft.current) return
    if (chunks.length === 0) return setRecording({ phase: 'idle', refusal: NOTHING_RECORDED })
    setRecording({ phase: 'idle' })
    setDurationSeconds(clock.elapsedMs() / 1000)
    const [type = ''] = mimeType.split(';')
    const name = recordingFileName(mimeType, startedAtMs, FILE_NAME)
    controls.choose(new File(chunks, name, { type }))
  }

  return {
    ...controls,
    recording,
    record: () => void record(),
    stop: () => recorder.current?.stop(),
    hasVoice: file !== undefined || storedUrl !== undefined,
    playUrl: file ? objectUrl : storedUrl,
    sealedUrl: upload.phase === 'sent' ? upload.result.url : file ? undefined : storedUrl,
    durationSeconds: file ? durationSeconds : null,
    erase: () => {
      controls.remove()
      setStoredErased(true)
    },
    problem: problemOf(recording.phase, upload.phase),
  }
}

const NOTHING_RECORDED = 'Rien n’a été enregistré. Réessayez.'

function problemOf(
  recording: RecordingState['phase'],
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
