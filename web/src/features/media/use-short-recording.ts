import { useEffect, useRef, useState } from 'react'
import {
  closeMicrophone,
  findMissingSupport,
  formatMicrophoneError,
  openMicrophone,
  recordingFileName,
  startVoiceRecorder,
  type VoiceRecorder,
} from './voice-recorder.ts'

type ShortRecordingState =
  | { phase: 'idle'; refusal?: string }
  /** The browser requests permission for the microphone. */
  | { phase: 'requesting' }
  | { phase: 'recording' | 'paused'; recorder: VoiceRecorder; stream: MediaStream }

/** One recording that lives on its page alone, and ends by itself. */
export interface ShortRecordingControls {
  state: ShortRecordingState
  longestSeconds: number
  record: () => void
  pause: () => void
  resume: () => void
  /** Ends it; `onRecorded` has the file. */
  stop: () => void
  /** Ends it; nothing is kept of it. */
  discard: () => void
}

interface ShortRecordingOptions {
  longestSeconds: number
  /** Begins the name of the file. */
  fileName: string
  onRecorded: (file: File, durationSeconds: number) => void
}

const NOTHING_RECORDED = 'Rien n’a été enregistré. Réessayez.'

export function useShortRecording(options: ShortRecordingOptions): ShortRecordingControls {
  const { longestSeconds, fileName, onRecorded } = options
  const [state, setState] = useState<ShortRecordingState>({ phase: 'idle' })
  const recorder = useRef<VoiceRecorder>(undefined)
  const isUnwanted = useRef(false)
  const isLeft = useRef(false)
  useEffect(() => {
    isLeft.current = false
    return () => {
      isLeft.current = true
      recorder.current?.stop()
    }
  }, [])

  const record = async () => {
    const refusal = findMissingSupport()
    if (refusal) return setState({ phase: 'idle', refusal })
    setState({ phase: 'requesting' })
    try {
      const stream = await openMicrophone()
      if (isLeft.current) return closeMicrophone(stream)
      const startedAtMs = Date.now()
      const chunks: Blob[] = []
      isUnwanted.current = false
      const started = startVoiceRecorder(stream, {
        longestMs: longestSeconds * 1000,
        onChunk: (chunk) => chunks.push(chunk),
        onEnd: () => finish(started, startedAtMs, chunks),
      })
      recorder.current = started
      setState({ phase: 'recording', recorder: started, stream })
    } catch (error) {
      setState({ phase: 'idle', refusal: formatMicrophoneError(error) })
    }
  }

  const finish = ({ mimeType, clock }: VoiceRecorder, startedAtMs: number, chunks: Blob[]) => {
    if (isLeft.current) return
    if (isUnwanted.current) return setState({ phase: 'idle' })
    if (chunks.length === 0) return setState({ phase: 'idle', refusal: NOTHING_RECORDED })
    setState({ phase: 'idle' })
    const [type = ''] = mimeType.split(';')
    const name = recordingFileName(mimeType, startedAtMs, fileName)
    onRecorded(new File(chunks, name, { type }), clock.elapsedMs() / 1000)
  }

  const changePhase = (phase: 'recording' | 'paused') => {
    if (phase === 'paused') recorder.current?.pause()
    else recorder.current?.resume()
    setState((now) => ('recorder' in now ? { ...now, phase } : now))
  }

  return {
    state,
    longestSeconds,
    record: () => void record(),
    pause: () => changePhase('paused'),
    resume: () => changePhase('recording'),
    stop: () => recorder.current?.stop(),
    discard: () => {
      isUnwanted.current = true
      recorder.current?.stop()
    },
  }
}
