import { createSound, listSounds, type Sound } from '#contract/sounds.ts'
import { deleteUploadedFile } from '#web/features/media/media.queries.ts'
import { abandonUpload } from '#web/features/uploads/abandon-upload.ts'
import type { GrowingWaits } from '#web/features/uploads/growing-waits.ts'
import { sendFile, type TransferState } from '#web/features/uploads/send-file.ts'
import { ApiError, callApi, errorSentence, isAnswerLost } from '#web/lib/api-client.ts'
import { serverNow } from '#web/lib/server-clock.ts'
import type { KeptRecording } from './kept-recording.ts'
import type { SoundWords } from './sound-draft.ts'

// The clocks of both sides agree to a second at best.
const CLOCK_GRACE_MS = 5000
const SHARING_TIMEOUT_MS = 30_000
const RECENT = 100

export type SendingOutcome =
  | { state: 'shared' }
  | { state: 'cancelled' }
  /** May go through another time, as it is. */
  | { state: 'cut'; sentence: string }
  | Refusal

export interface Refusal {
  state: 'refused'
  sentence: string
  code: ApiError['code'] | undefined
  /** Sentences beside what was said of the sound, by name. */
  fields: Readonly<Record<string, string>>
  /** The server will not have this file, whatever is said of it. */
  isOfFile: boolean
}

export interface SendingContext {
  ownerId: string
  file: File
  recording: () => KeptRecording
  /** Keeps beside the recording how far it came. */
  remember: (changes: Partial<KeptRecording>) => Promise<void>
  onState: (state: TransferState) => void
  onUploaded: () => void
  waits: GrowingWaits
  signal: AbortSignal
}

/**
 * Sends a recording once. A file that arrived is not sent a second time, and serves one sound only: when the answer of
 * an earlier attempt was lost, the server refuses the file, and the sound is found in the list.
 */
export async function sendSound(
  words: SoundWords,
  context: SendingContext,
): Promise<SendingOutcome> {
  const isFirstTry = context.recording().upload === null
  const failure = isFirstTry ? await upload(context) : undefined
  if (failure) return failure
  context.onUploaded()
  const error = await share(words, context)
  if (error === undefined) return { state: 'shared' }
  if (isFileRefused(error) || isAnswerLost(error)) {
    const isShared = await wasShared(context)
    if (isShared) return { state: 'shared' }
    if (isAnswerLost(error) || isShared === undefined)
      return { state: 'cut', sentence: CUT_SENTENCE }
    await context.remember({ upload: null, asked: null })
    if (!isFirstTry) return sendSound(words, context)
  }
  const sentence = errorSentence(error, 'Le message n’a pas pu être partagé. Réessayez.')
  const { code, fields } = error instanceof ApiError ? error : { code: undefined, fields: {} }
  return { state: 'refused', sentence, code, fields, isOfFile: code === 'not_a_sound' }
}

const CUT_SENTENCE = 'La connexion a été coupée pendant l’envoi'

/** Undefined once the file has arrived; cuts of the network are waited for. */
async function upload(context: SendingContext): Promise<SendingOutcome | undefined> {
  const { file, recording, remember, onState, waits, signal } = context
  const outcome = await sendFile(file, {
    folder: 'audio',
    uploadId: recording().transferId,
    onUploadId: (transferId) => void remember({ transferId }),
    onState,
    waits,
    signal,
  })
  switch (outcome.state) {
    case 'sent': {
      const { url, path } = outcome.result
      await remember({ upload: { url, path }, transferId: undefined })
      return undefined
    }
    case 'cancelled':
      return outcome
    case 'failed': {
      const { error: sentence, code, mayRetry } = outcome
      if (mayRetry && !code) return { state: 'cut', sentence }
      return { state: 'refused', sentence, code, fields: {}, isOfFile: !mayRetry }
    }
  }
}

/** Undefined once the server has shared it. */
async function share(words: SoundWords, { recording, remember }: SendingContext) {
  const { asked, upload: arrived } = recording()
  await remember({
    asked: {
      titles: [...(asked?.titles ?? []), words.title],
      sinceMs: asked?.sinceMs ?? serverNow() - CLOCK_GRACE_MS,
    },
  })
  try {
    const body = { ...words, file_url: arrived?.url ?? '' }
    await callApi(createSound, { body }, { timeoutMs: SHARING_TIMEOUT_MS })
    return undefined
  } catch (error) {
    return error
  }
}

function isFileRefused(error: unknown): boolean {
  return error instanceof ApiError && (error.code === 'invalid_file' || 'file_url' in error.fields)
}

/** Whether an earlier attempt went through; undefined when the server cannot be asked. */
async function wasShared({ ownerId, file, recording }: SendingContext) {
  const { asked } = recording()
  if (!asked) return false
  const isIt = ({ author_id, title, created_at, file_size = file.size }: Sound) =>
    author_id === ownerId &&
    Date.parse(created_at) >= asked.sinceMs &&
    asked.titles.some((sent) => isSameText(title, sent)) &&
    file_size === file.size
  try {
    const { sounds } = await callApi(listSounds, { querystring: { limit: RECENT } })
    return sounds.some(isIt)
  } catch {
    return undefined
  }
}

/** The server keeps texts trimmed, in one form of Unicode. */
function isSameText(kept: string, sent: string): boolean {
  return kept === sent.normalize('NFC').trim()
}

/** A file that serves nothing, or has not arrived, still takes its author's room. */
export function takeBackUpload({ upload: arrived, transferId }: KeptRecording): void {
  if (arrived) void deleteUploadedFile(arrived.path)
  else if (transferId) void abandonUpload(transferId)
}
