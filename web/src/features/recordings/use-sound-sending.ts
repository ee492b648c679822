import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { abandonUpload } from '#web/features/uploads/abandon-upload.ts'
import { growingWaits } from '#web/features/uploads/growing-waits.ts'
import type { TransferState } from '#web/features/uploads/send-file.ts'
import { onNetworkBack } from '#web/lib/network-back.ts'
import type { KeptRecording, Take } from './kept-recording.ts'
import { changeRecording, eraseRecording } from './recording-store.ts'
import { type Refusal, sendSound } from './send-sound.ts'
import type { SoundWords } from './sound-draft.ts'

export type Sending =
  | { phase: 'none' }
  | Exclude<TransferState, { phase: 'finishing' }>
  /** All of it has left; the server makes a file of it, then shares it. */
  | { phase: 'finishing' | 'sharing' }
  /** Tried again when the network is back. */
  | { phase: 'cut'; sentence: string }
  | { phase: 'refused'; sentence: string; code: Refusal['code'] }

interface SendingOptions {
  ownerId: string
  take: Take
  onShared: () => void
  onRefused: (refusal: Refusal) => void
}

/** Sends a take, through cuts of the network, exactly once; it is erased from this device when the server has it. */
export function useSoundSending({ ownerId, take, onShared, onRefused }: SendingOptions) {
  const client = useQueryClient()
  const [sending, setSending] = useState<Sending>({ phase: 'none' })
  const transfer = useRef<AbortController>(undefined)
  const [waits] = useState(growingWaits)
  const lastWords = useRef<SoundWords>(undefined)
  const recording = useRef(take.recording)
  useEffect(() => () => transfer.current?.abort(), [])

  const remember = async (changes: Partial<KeptRecording>) => {
    recording.current = { ...recording.current, ...changes }
    await changeRecording(ownerId, recording.current.id, changes).catch(() => undefined)
  }

  const send = async (words: SoundWords) => {
    if (transfer.current) return waits.end()
    const own = new AbortController()
    transfer.current = own
    lastWords.current = words
    setSending({ phase: 'sending', loadedBytes: 0 })
    const outcome = await sendSound(words, {
      ownerId,
      file: take.file,
      recording: () => recording.current,
      remember,
      signal: own.signal,
      waits,
      onState: (state) => own.signal.aborted || setSending(state),
      onUploaded: () => setSending({ phase: 'sharing' }),
    })
    if (transfer.current !== own) return
    transfer.current = undefined
    if (outcome.state === 'cancelled') return setSending({ phase: 'none' })
    if (outcome.state === 'cut') return setSending({ phase: 'cut', sentence: outcome.sentence })
    if (outcome.state === 'refused') {
      setSending({ phase: 'refused', sentence: outcome.sentence, code: outcome.code })
      return onRefused(outcome)
    }
    await eraseRecording(ownerId, recording.current.id).catch(() => undefined)
    void client.invalidateQueries({ queryKey: ['sounds'] })
    onShared()
  }

  const retry = () => {
    if (lastWords.current) void send(lastWords.current)
  }
  useRetryWhenBack(sending.phase === 'cut', retry)
  return {
    sending,
    send,
    retry,
    /** Stops it, and takes back what has arrived of it. */
    cancel: () => {
      transfer.current?.abort()
      transfer.current = undefined
      const { transferId } = recording.current
      if (transferId) void abandonUpload(transferId)
      void remember({ transferId: undefined })
      setSending({ phase: 'none' })
    },
    /** As last remembered: with what has already arrived on the server. */
    recordingNow: () => recording.current,
  }
}

function useRetryWhenBack(isWanted: boolean, retry: () => void): void {
  const latest = useRef(retry)
  latest.current = retry
  useEffect(() => {
    if (isWanted) return onNetworkBack(() => latest.current())
  }, [isWanted])
}
