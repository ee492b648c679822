import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useState } from 'react'
import type { KeptRecording, Take } from './kept-recording.ts'
import { changeRecording, eraseRecording } from './recording-store.ts'
import { CUT, sendSound } from './send-sound.ts'
import type { SoundWords } from './sound-draft.ts'

export type Sending =
  | { phase: 'none' }
  | { phase: 'sending'; loadedBytes: number }
  /** All of it has left; the server shares it. */
  | { phase: 'sharing' }
  /** Goes on by itself when the network is back. */
  | { phase: 'cut'; sentence: string }
  | { phase: 'refused'; sentence: string }

// A phone that changes networks may leave a transfer hanging without a word.
const STALL_MS = 45_000

interface SendingOptions {
  ownerId: string
  take: Take
  onShared: () => void
  onRefused: (error: unknown) => void
}

/** Sends a take, through cuts of the network, exactly once; it is erased from this device when the server has it. */
export function useSoundSending({ ownerId, take, onShared, onRefused }: SendingOptions) {
  const client = useQueryClient()
  const [sending, setSending] = useState<Sending>({ phase: 'none' })
  const transfer = useRef<AbortController>(undefined)
  const lastWords = useRef<SoundWords>(undefined)
  const recording = useRef(take.recording)
  useEffect(() => () => transfer.current?.abort(), [])

  const remember = async (changes: Partial<KeptRecording>) => {
    recording.current = { ...recording.current, ...changes }
    await changeRecording(ownerId, recording.current.id, changes).catch(() => undefined)
  }

  const send = async (words: SoundWords) => {
    if (transfer.current) return
    const own = new AbortController()
    const stall = watchStall(own)
    transfer.current = own
    lastWords.current = words
    setSending({ phase: 'sending', loadedBytes: 0 })
    const outcome = await sendSound(words, {
      ownerId,
      file: take.file,
      recording: () => recording.current,
      remember,
      signal: own.signal,
      onProgress: (loadedBytes) => {
        stall.moved(loadedBytes >= take.file.size)
        setSending({ phase: 'sending', loadedBytes })
      },
      onUploaded: () => {
        stall.end()
        setSending({ phase: 'sharing' })
      },
    })
    stall.end()
    transfer.current = undefined
    if (outcome.state === 'cancelled') return setSending({ phase: 'none' })
    if (outcome.state !== 'shared') {
      setSending({ phase: outcome.state, sentence: outcome.sentence })
      return outcome.state === 'refused' && onRefused(outcome.error)
    }
    await eraseRecording(ownerId, recording.current.id).catch(() => undefined)
    void client.invalidateQueries({ queryKey: ['sounds'] })
    onShared()
  }

  const retry = () => {
    if (lastWords.current) void send(lastWords.current)
  }
  useRetryWhenBack(sending.phase === 'cut', retry)
  const giveUp = useCallback(() => transfer.current?.abort(), [])
  return {
    sending,
    send,
    retry,
    cancel: () => {
      giveUp()
      setSending({ phase: 'none' })
    },
    /** As last remembered: with what has already arrived on the server. */
    recordingNow: () => recording.current,
  }
}

/** Gives a transfer up as cut when the device says it is offline, or when nothing leaves any more. */
function watchStall(transfer: AbortController) {
  const cut = () => transfer.abort(CUT)
  let timer = setTimeout(cut, STALL_MS)
  window.addEventListener('offline', cut)
  const end = () => {
    clearTimeout(timer)
    window.removeEventListener('offline', cut)
  }
  return {
    end,
    moved: (isWhole: boolean) => {
      clearTimeout(timer)
      // From there on it is the server that takes its time.
      if (!isWhole) timer = setTimeout(cut, STALL_MS)
    },
  }
}

/** Tries again when the network is back, and when a phone that slept shows the page again. */
function useRetryWhenBack(isWanted: boolean, retry: () => void): void {
  const latest = useRef(retry)
  latest.current = retry
  useEffect(() => {
    if (!isWanted) return
    const onBack = () => latest.current()
    const onShown = () => {
      if (document.visibilityState === 'visible' && navigator.onLine) latest.current()
    }
    window.addEventListener('online', onBack)
    document.addEventListener('visibilitychange', onShown)
    return () => {
      window.removeEventListener('online', onBack)
      document.removeEventListener('visibilitychange', onShown)
    }
  }, [isWanted])
}
