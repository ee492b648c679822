import { useCallback, useEffect, useRef, useState } from 'react'
import type { Release } from '#web/lib/tab-locks.ts'
import { type ChunkKeeper, keepChunks } from './chunk-keeper.ts'
import { type KeptRecording, newRecordingId, type Take } from './kept-recording.ts'
import {
  closeMicrophone,
  microphoneSentence,
  missingSupport,
  openMicrophone,
} from './microphone.ts'
import { recordingFileName } from './recording-format.ts'
import { holdRecording } from './recording-lock.ts'
import { changeRecording, eraseRecording, recordingsNews } from './recording-store.ts'
import type { SoundDraft } from './sound-draft.ts'
import { type RecordingEnd, startVoiceRecorder, type VoiceRecorder } from './voice-recorder.ts'

export type RecorderState =
  | { phase: 'idle'; refusal?: string }
  /** The browser asks its person for the microphone. */
  | { phase: 'asking' }
  | { phase: 'recording' | 'paused'; recorder: VoiceRecorder; stream: MediaStream }
  | { phase: 'finishing' }
  | { phase: 'stopped'; take: Take; end: RecordingEnd }

/** What is being recorded, beside what the page shows of it. */
interface Session {
  recording: KeptRecording
  recorder: VoiceRecorder
  keeper: ChunkKeeper
  release: Release
  isUnwanted: boolean
}

interface RecorderOptions {
  ownerId: string
  /** What the form starts with, for a recording that begins now. */
  newDraft: (startedAtMs: number) => SoundDraft
}

const NOT_READ_AGAIN =
  'Cet appareil n’a pas pu relire votre enregistrement. Ce qu’il en a gardé vous sera proposé à nouveau sur cette page.'
const NOTHING_HEARD = 'Rien n’a été enregistré. Réessayez.'

/** A recording from the first word to the last; leaving the page ends it, and keeps it. */
export function useRecorder({ ownerId, newDraft }: RecorderOptions) {
  const [state, setState] = useState<RecorderState>({ phase: 'idle' })
  const [isRefusedByDevice, setRefusedByDevice] = useState(false)
  const session = useRef<Session>(undefined)
  const isGone = useRef(false)

  const forget = useCallback(() => {
    void session.current?.release().then(recordingsNews.announce)
    session.current = undefined
  }, [])

  const finish = async (ended: Session, end: RecordingEnd) => {
    const { recording, recorder, keeper, isUnwanted } = ended
    const durationMs = recorder.clock.elapsedMs()
    if (!isUnwanted) setState({ phase: 'finishing' })
    const take = await keeper.finish(durationMs).catch(() => undefined)
    if (!take) {
      // Its lock is let go of: it is offered again, from here or from another tab.
      forget()
      return setState({ phase: 'idle', refusal: NOT_READ_AGAIN })
    }
    if (isUnwanted || take.file.size === 0) {
      await eraseRecording(ownerId, recording.id).catch(() => undefined)
      forget()
      return setState({ phase: 'idle', ...(!isUnwanted && { refusal: NOTHING_HEARD }) })
    }
    await changeRecording(ownerId, recording.id, { durationMs }).catch(() => undefined)
    if (isGone.current) forget()
    else setState({ phase: 'stopped', take, end })
  }

  const begin = (stream: MediaStream, release: Release, id: string) => {
    const recorder = startVoiceRecorder(stream, {
      onChunk: (chunk) => session.current?.keeper.add(chunk, recorder.clock.elapsedMs()),
      onEnd: (end) => session.current && void finish(session.current, end),
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
    const keeper = keepChunks(ownerId, recording, () => setRefusedByDevice(true))
    session.current = { recording, recorder, keeper, release, isUnwanted: false }
    setState({ phase: 'recording', recorder, stream })
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
      begin(stream, release ?? (async () => {}), id)
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
