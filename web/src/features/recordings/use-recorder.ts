import { useCallback, useEffect, useRef, useState } from 'react'
import type { Release } from '#web/lib/tab-locks.ts'
import { newRecordingId, type Take } from './kept-recording.ts'
import {
  closeMicrophone,
  microphoneSentence,
  missingSupport,
  openMicrophone,
} from './microphone.ts'
import { holdRecording } from './recording-lock.ts'
import { beginSession, finishSession, type RecordingSession } from './recording-session.ts'
import { eraseRecording, recordingsNews } from './recording-store.ts'
import type { SoundDraft } from './sound-draft.ts'
import type { RecordingEnd, VoiceRecorder } from './voice-recorder.ts'

export type RecorderState =
  | { phase: 'idle'; refusal?: string }
  /** The browser asks its person for the microphone. */
  | { phase: 'asking' }
  | { phase: 'recording' | 'paused'; recorder: VoiceRecorder; stream: MediaStream }
  | { phase: 'finishing' }
  | { phase: 'stopped'; take: Take; end: RecordingEnd }

interface RecorderOptions {
  ownerId: string
  /** What the form starts with, for a recording that begins now. */
  newDraft: (startedAtMs: number) => SoundDraft
}

/** A recording from the first word to the last; leaving the page ends it, and keeps it. */
export function useRecorder({ ownerId, newDraft }: RecorderOptions) {
  const [state, setState] = useState<RecorderState>({ phase: 'idle' })
  const [isRefusedByDevice, setRefusedByDevice] = useState(false)
  const session = useRef<RecordingSession>(undefined)
  const isGone = useRef(false)

  const forget = useCallback(() => {
    void session.current?.release().then(recordingsNews.announce)
    session.current = undefined
  }, [])

  const finish = async (ended: RecordingSession, end: RecordingEnd) => {
    if (!ended.isUnwanted) setState({ phase: 'finishing' })
    const { take, ...why } = await finishSession(ownerId, ended)
    // Its lock is let go of: what is kept is offered again, from here or from another tab.
    if (!take || isGone.current) forget()
    if (!take) setState({ phase: 'idle', ...why })
    else if (!isGone.current) setState({ phase: 'stopped', take, end })
  }

  const start = async () => {
    const refusal = missingSupport()
    if (refusal) return setState({ phase: 'idle', refusal })
    setState({ phase: 'asking' })
    setRefusedByDevice(false)
    const id = newRecordingId()
    let stream: MediaStream | undefined
    let release: Release | undefined
    try {
      stream = await openMicrophone()
      release = await holdRecording(id)
      if (isGone.current) throw new Error('The page was left before the microphone was given')
      session.current = beginSession({
        id,
        ownerId,
        stream,
        release: release ?? (async () => {}),
        newDraft,
        onEnd: (ended, end) => void finish(ended, end),
        onNotKept: () => setRefusedByDevice(true),
      })
      setState({ phase: 'recording', recorder: session.current.recorder, stream })
    } catch (error) {
      if (stream) closeMicrophone(stream)
      void release?.()
      setState({ phase: 'idle', refusal: microphoneSentence(error) })
    }
  }

  useEffect(() => {
    isGone.current = false
    return () => {
      isGone.current = true
      const { recorder } = session.current ?? {}
      // What is recorded is finished by `finish`, which lets go of it; what is stopped already is let go of here.
      if (recorder && !recorder.isOver()) recorder.stop()
      else if (session.current) forget()
    }
  }, [forget])

  const turn = (phase: 'recording' | 'paused') => {
    const { recorder } = session.current ?? {}
    if (phase === 'paused') recorder?.pause()
    else recorder?.resume()
    setState((now) => ('recorder' in now ? { ...now, phase } : now))
  }

  return {
    state,
    isRefusedByDevice,
    start,
    pause: () => turn('paused'),
    resume: () => turn('recording'),
    stop: () => session.current?.recorder.stop(),
    /** Back to the beginning; what was recorded is erased from this device. */
    discard: async () => {
      const { current } = session
      if (!current) return
      if (!current.recorder.isOver()) {
        current.isUnwanted = true
        return current.recorder.stop()
      }
      await eraseRecording(ownerId, current.recording.id).catch(() => undefined)
      forget()
      setState({ phase: 'idle' })
    },
  }
}
