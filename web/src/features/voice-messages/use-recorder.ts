import { useCallback, useEffect, useRef, useState } from 'react'
import {
  closeMicrophone,
  findMissingSupport,
  formatMicrophoneError,
  openMicrophone,
  type RecordingEnd,
  type VoiceRecorder,
} from '#web/features/media/voice-recorder.ts'
import { createId } from '#web/lib/ids.ts'
import type { Release } from '#web/lib/tabs.ts'
import type { LoadedRecording } from './loaded-recording.ts'
import { finishSession, type RecordingSession, startSession } from './recording-session.ts'
import { deleteRecording, lockRecording, recordingsBroadcast } from './recording-store.ts'
import type { VoiceMessageDraft } from './voice-message-draft.ts'

export type RecorderState =
  | { phase: 'idle'; refusal?: string }
  /** The browser requests permission for the microphone. */
  | { phase: 'requesting' }
  | { phase: 'recording' | 'paused'; recorder: VoiceRecorder; stream: MediaStream }
  | { phase: 'finishing' }
  | { phase: 'stopped'; loaded: LoadedRecording; end: RecordingEnd }

interface RecorderOptions {
  ownerId: string
  /** The initial values of the form. */
  newDraft: (startedAtMs: number) => VoiceMessageDraft
}

/** One recording from start to end; leaving the page stops it, and the device stores it. */
export function useRecorder({ ownerId, newDraft }: RecorderOptions) {
  const [state, setState] = useState<RecorderState>({ phase: 'idle' })
  const [isNotStored, setNotStored] = useState(false)
  const session = useRef<RecordingSession>(undefined)
  const isUnmounted = useRef(false)

  const release = useCallback(() => {
    void session.current?.release().then(recordingsBroadcast.announce)
    session.current = undefined
  }, [])

  const finish = async (ended: RecordingSession, end: RecordingEnd) => {
    if (!ended.isUnwanted) setState({ phase: 'finishing' })
    const { loaded, ...why } = await finishSession(ownerId, ended)
    // Without its lock, this tab or another offers what is stored.
    if (!loaded || isUnmounted.current) release()
    if (!loaded) setState({ phase: 'idle', ...why })
    else if (!isUnmounted.current) setState({ phase: 'stopped', loaded, end })
  }

  const start = async () => {
    const refusal = findMissingSupport()
    if (refusal) return setState({ phase: 'idle', refusal })
    setState({ phase: 'requesting' })
    setNotStored(false)
    const id = createId()
    let stream: MediaStream | undefined
    let unlock: Release | undefined
    try {
      stream = await openMicrophone()
      unlock = await lockRecording(id)
      if (isUnmounted.current) throw new Error('The page was left before the microphone opened')
      session.current = startSession({
        id,
        ownerId,
        stream,
        release: unlock ?? (async () => {}),
        newDraft,
        onEnd: (ended, end) => void finish(ended, end),
        onNotStored: () => setNotStored(true),
      })
      setState({ phase: 'recording', recorder: session.current.recorder, stream })
    } catch (error) {
      if (stream) closeMicrophone(stream)
      void unlock?.()
      setState({ phase: 'idle', refusal: formatMicrophoneError(error) })
    }
  }

  useEffect(() => {
    isUnmounted.current = false
    return () => {
      isUnmounted.current = true
      const { recorder } = session.current ?? {}
      // A running recording ends in `finish`, which releases the lock; a stopped one releases it here.
      if (recorder && !recorder.isOver()) recorder.stop()
      else if (session.current) release()
    }
  }, [release])

  const changePhase = (phase: 'recording' | 'paused') => {
    const { recorder } = session.current ?? {}
    if (phase === 'paused') recorder?.pause()
    else recorder?.resume()
    setState((now) => ('recorder' in now ? { ...now, phase } : now))
  }

  return {
    state,
    isNotStored,
    start,
    pause: () => changePhase('paused'),
    resume: () => changePhase('recording'),
    stop: () => session.current?.recorder.stop(),
    /** Deletes the recording from this device and returns to the start. */
    discard: async () => {
      const { current } = session
      if (!current) return
      if (!current.recorder.isOver()) {
        current.isUnwanted = true
        return current.recorder.stop()
      }
      await deleteRecording(ownerId, current.recording.id).catch(() => undefined)
      release()
      setState({ phase: 'idle' })
    },
  }
}
