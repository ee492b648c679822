import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { IDEMPOTENCY_HEADER } from '#contract/idempotency.ts'
import { createSound } from '#contract/sounds.ts'
import { type Backoff, createBackoff } from '#web/features/uploads/backoff.ts'
import { abandonUpload, deleteUploadedFile } from '#web/features/uploads/discard-upload.ts'
import { sendFile, type TransferState } from '#web/features/uploads/send-file.ts'
import { ApiError, callApi, errorSentence } from '#web/lib/api-client.ts'
import { mayHaveCreated } from '#web/lib/call-once.ts'
import { createId } from '#web/lib/ids.ts'
import { onNetworkBack } from '#web/lib/online.ts'
import type { LoadedRecording } from './loaded-recording.ts'
import { deleteRecording, type Recording, updateRecording } from './recording-store.ts'
import { VOICE_MESSAGES_KEY } from './voice-message-cache.ts'
import type { VoiceMessageInput } from './voice-message-draft.ts'

export type Sending =
  | { phase: 'none' }
  | Exclude<TransferState, { phase: 'finishing' }>
  /** All bytes have left; the server assembles the file, then shares it. */
  | { phase: 'finishing' | 'sharing' }
  /** Retries when the network is back. */
  | { phase: 'cut'; sentence: string }
  | { phase: 'refused'; sentence: string; code: Refusal['code'] }

interface SendingOptions {
  ownerId: string
  loaded: LoadedRecording
  onShared: () => void
  onRefused: (refusal: Refusal) => void
}

/** Sends a recording exactly once, through lost networks; this device deletes it once the server has it. */
export function useSending({ ownerId, loaded, onShared, onRefused }: SendingOptions) {
  const client = useQueryClient()
  const [sending, setSending] = useState<Sending>({ phase: 'none' })
  const transfer = useRef<AbortController>(undefined)
  const [backoff] = useState(createBackoff)
  const lastInput = useRef<VoiceMessageInput>(undefined)
  const recording = useRef(loaded.recording)
  useEffect(() => () => transfer.current?.abort(), [])

  const update = async (changes: Partial<Recording>) => {
    recording.current = { ...recording.current, ...changes }
    await updateRecording(ownerId, recording.current.id, changes).catch(() => undefined)
  }

  const send = async (input: VoiceMessageInput) => {
    if (transfer.current) return backoff.skip()
    const own = new AbortController()
    transfer.current = own
    lastInput.current = input
    setSending({ phase: 'sending', loadedBytes: 0 })
    const outcome = await sendVoiceMessage(input, {
      ownerId,
      file: loaded.file,
      recording: () => recording.current,
      update,
      signal: own.signal,
      backoff,
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
    await deleteRecording(ownerId, recording.current.id).catch(() => undefined)
    void client.invalidateQueries({ queryKey: VOICE_MESSAGES_KEY })
    onShared()
  }

  const retry = () => {
    if (lastInput.current) void send(lastInput.current)
  }
  useRetryWhenOnline(sending.phase === 'cut', retry)
  return {
    sending,
    send,
    retry,
    /** Stops the transfer and abandons its upload. */
    cancel: () => {
      transfer.current?.abort()
      transfer.current = undefined
      const { transferId } = recording.current
      if (transferId) void abandonUpload(transferId)
      void update({ transferId: undefined })
      setSending({ phase: 'none' })
    },
    /** The recording with its latest upload. */
    recordingNow: () => recording.current,
  }
}

function useRetryWhenOnline(isWanted: boolean, retry: () => void): void {
  const latest = useRef(retry)
  latest.current = retry
  useEffect(() => {
    if (isWanted) return onNetworkBack(() => latest.current())
  }, [isWanted])
}

const SHARING_TIMEOUT_MS = 30_000

type SendingOutcome =
  | { state: 'shared' }
  | { state: 'cancelled' }
  /** The same request may succeed later. */
  | { state: 'cut'; sentence: string }
  | Refusal

interface Refusal {
  state: 'refused'
  sentence: string
  code: ApiError['code'] | undefined
  /** The answer of the server to what was written. */
  error?: unknown
  /** The server refuses the file itself. */
  isOfFile: boolean
}

interface SendingContext {
  ownerId: string
  file: File
  recording: () => Recording
  /** Stores the progress with the recording. */
  update: (changes: Partial<Recording>) => Promise<void>
  onState: (state: TransferState) => void
  onUploaded: () => void
  backoff: Backoff
  signal: AbortSignal
}

/**
 * Sends a recording once: each attempt has the same key. A file that is refused was swept meanwhile, for had an earlier attempt
 * used it, this one would be answered like that.
 */
async function sendVoiceMessage(
  input: VoiceMessageInput,
  context: SendingContext,
): Promise<SendingOutcome> {
  const isFirstTry = context.recording().upload === null
  const failure = isFirstTry ? await upload(context) : undefined
  if (failure) return failure
  context.onUploaded()
  const error = await share(input, context)
  if (error === undefined) return { state: 'shared' }
  if (mayHaveCreated(error)) return { state: 'cut', sentence: CUT_SENTENCE }
  const code = error instanceof ApiError ? error.code : undefined
  // An earlier attempt shared it under another title.
  if (code === 'idempotency_mismatch') return { state: 'shared' }
  if (isFileRefused(error)) {
    await context.update({ upload: null })
    if (!isFirstTry) return sendVoiceMessage(input, context)
  }
  const sentence = errorSentence(error, 'Le message n’a pas pu être partagé. Réessayez.')
  return { state: 'refused', sentence, code, error, isOfFile: code === 'not_a_sound' }
}

const CUT_SENTENCE = 'La connexion a été coupée pendant l’envoi'

/** Undefined once the file has arrived; backoff while the network is away. */
async function upload(context: SendingContext): Promise<SendingOutcome | undefined> {
  const { file, recording, update, onState, backoff, signal } = context
  const outcome = await sendFile(file, {
    folder: 'audio',
    uploadId: recording().transferId,
    onUploadId: (transferId) => void update({ transferId }),
    onState,
    backoff,
    signal,
  })
  switch (outcome.state) {
    case 'sent': {
      const { url, path } = outcome.result
      await update({ upload: { url, path }, transferId: undefined })
      return undefined
    }
    case 'cancelled':
      return outcome
    case 'failed': {
      const { error: sentence, code, mayRetry } = outcome
      if (mayRetry && !code) return { state: 'cut', sentence }
      return { state: 'refused', sentence, code, isOfFile: !mayRetry }
    }
  }
}

/** The error, or undefined once the server has shared it. */
async function share(input: VoiceMessageInput, { recording, update }: SendingContext) {
  const { key = createId(), upload: arrived } = recording()
  // Before it is asked for: the page may be closed meanwhile.
  await update({ key })
  try {
    const body = { ...input, file_url: arrived?.url ?? '' }
    const headers = { [IDEMPOTENCY_HEADER]: key }
    await callApi(createSound, { body }, { headers, timeoutMs: SHARING_TIMEOUT_MS })
    return undefined
  } catch (error) {
    return error
  }
}

function isFileRefused(error: unknown): boolean {
  return error instanceof ApiError && (error.code === 'invalid_file' || 'file_url' in error.fields)
}

/** Frees the quota of a file that no voice message uses. */
export function discardUpload({ upload: arrived, transferId }: Recording): void {
  if (arrived) void deleteUploadedFile(arrived.path)
  else if (transferId) void abandonUpload(transferId)
}
