import type { DetailedError } from 'tus-js-client'
import { type ErrorCode, errorSchema } from '#contract/errors.ts'
import type { Folder, UploadResult } from '#contract/media.ts'
import { finishUpload } from '#contract/uploads.ts'
import { ApiError, callApi, endSession } from '#web/lib/api-client.ts'
import { createId } from '#web/lib/ids.ts'
import { readToken } from '#web/lib/session-token.ts'
import type { Backoff } from './backoff.ts'
import { createPartSize, transferFile, UnreadableFile } from './tus-transfer.ts'

// The server copies the whole file.
const FINISH_TIMEOUT_MS = 120_000
// After so many attempts without a new byte, the failure is reported.
const MAX_FAILURES = 6

export type TransferState =
  | { phase: 'sending'; loadedBytes: number }
  /** Resumes by itself; `loadedBytes` have arrived. */
  | { phase: 'waiting'; loadedBytes: number; sentence: string }
  /** All bytes have left: the server assembles the file. */
  | { phase: 'finishing' }

export type TransferOutcome =
  | { state: 'sent'; result: UploadResult }
  /** `mayRetry`: the same file may succeed later. */
  | { state: 'failed'; error: string; code: ErrorCode | undefined; mayRetry: boolean }
  | { state: 'cancelled' }

interface SendOptions {
  folder: Folder
  /** The upload to resume. */
  uploadId?: string | undefined
  receivedBytes?: number
  /** A new upload is begun with it: one that a lost answer began is found again, also after the page was closed. */
  key?: string
  onUploadId: (id: string) => void
  onArrived?: (receivedBytes: number) => void
  onState: (state: TransferState) => void
  backoff: Backoff
  signal: AbortSignal
}

/** Sends a file, through lost networks and restarted servers. Never rejects: the outcome has a message for people. */
export async function sendFile(file: File, options: SendOptions): Promise<TransferOutcome> {
  const { signal, backoff, onState } = options
  let { uploadId, receivedBytes = 0, key = createId() } = options
  const partSize = createPartSize()
  let failures = 0
  let furthest = 0
  const onProgress = (loadedBytes: number) => onState({ phase: 'sending', loadedBytes })
  const onArrived = (bytes: number) => {
    receivedBytes = bytes
    options.onArrived?.(bytes)
    if (bytes <= furthest) return
    furthest = bytes
    failures = 0
    backoff.reset()
  }
  const onUploadId = (id: string) => {
    uploadId = id
    options.onUploadId(id)
  }
  while (!signal.aborted) {
    const token = readToken()
    try {
      await transferFile(file, {
        uploadId,
        key,
        onUploadId,
        partSize,
        onArrived,
        onProgress,
        signal,
      })
      onState({ phase: 'finishing' })
      return sent(await finish(uploadId, options))
    } catch (error) {
      if (signal.aborted) break
      const failure = await findFinishedFile(failureOf(error))
      if ('state' in failure) return failure
      failures += 1
      if (failure.kind === 'gone') {
        uploadId = undefined
        key = createId()
      }
      const canRetry = failure.kind === 'gone' || failure.kind === 'wait'
      if (failure.kind === 'signed-out') endSession(token)
      if (!canRetry || (!failure.isPatient && failures > MAX_FAILURES)) return failed(failure)
      if (failure.isPatient)
        onState({ phase: 'waiting', loadedBytes: receivedBytes, sentence: failure.sentence })
      if (failure.kind === 'wait') await backoff.wait(signal)
    }
  }
  return { state: 'cancelled' }

  /** An upload that the server no longer has may be a finished file. */
  async function findFinishedFile(failure: TransferFailure) {
    if (failure.kind !== 'gone' || !uploadId) return failure
    try {
      return sent(await finish(uploadId, options))
    } catch (error) {
      return failureOf(error)
    }
  }
}

function finish(id = '', { folder, signal }: SendOptions): Promise<UploadResult> {
  const input = { params: { id }, body: { folder } }
  return callApi(finishUpload, input, { timeoutMs: FINISH_TIMEOUT_MS, signal })
}

function sent(result: UploadResult): TransferOutcome {
  if (result.url.includes(result.filename)) return { state: 'sent', result }
  const error = 'URL de fichier invalide retournée par le serveur'
  return { state: 'failed', error, code: undefined, mayRetry: true }
}

function failed({ kind, sentence, code, mayRetry }: TransferFailure): TransferOutcome {
  return { state: 'failed', error: sentence, code, mayRetry: mayRetry || kind === 'gone' }
}

/** `wait`: the same may succeed in a moment. `gone`: the server no longer has the upload. `refused`: it would be refused again. */
interface TransferFailure {
  kind: 'wait' | 'gone' | 'signed-out' | 'refused'
  /** For people. */
  sentence: string
  code?: ErrorCode | undefined
  /** Retried for as long as needed, with a message; otherwise a few times, without one. */
  isPatient: boolean
  /** The same file may succeed later. */
  mayRetry: boolean
}

const CONNECTION_LOST = 'Connexion perdue. L’envoi reprend dès que possible.'
const SERVER_AWAY = 'Le site est momentanément indisponible. L’envoi reprend dès que possible.'
const SIGNED_OUT = 'Votre session a expiré. Veuillez vous reconnecter.'
const UNREADABLE =
  'Ce fichier ne peut plus être lu sur cet appareil\u202F: il a été déplacé ou modifié. Choisissez-le de nouveau.'

interface Answer {
  status: number
  statusText: string
  sentence: string
  code: ErrorCode | undefined
}

function failureOf(error: unknown): TransferFailure {
  if (error instanceof ApiError) return failureOfCall(error)
  const { originalResponse, causingError } = error as Partial<DetailedError>
  if (causingError instanceof UnreadableFile) return refused(UNREADABLE)
  const status = originalResponse?.getStatus() ?? 0
  if (!originalResponse || status === 0) return wait(CONNECTION_LOST, true)
  const request = originalResponse.getUnderlyingObject() as XMLHttpRequest
  return failureOfAnswer({
    status,
    statusText: request.statusText,
    ...parseError(originalResponse.getBody()),
  })
}

function failureOfCall({ code, status, message }: ApiError): TransferFailure {
  switch (code) {
    case 'network':
      return wait(CONNECTION_LOST, true)
    case 'timeout':
      return wait("Timeout - l'upload a pris trop de temps", false)
    case 'invalid_response':
      return wait('Erreur de parsing de la réponse', false)
    case 'http':
      return failureOfAnswer({ status, statusText: message, sentence: '', code: undefined })
    default:
      return failureOfAnswer({ status, statusText: '', sentence: message, code })
  }
}

function failureOfAnswer({ status, statusText, sentence, code }: Answer): TransferFailure {
  const text = sentence || `Upload failed: ${status} - ${statusText}`
  switch (status) {
    case 401:
    case 403:
      return { ...refused(SIGNED_OUT, 'unauthenticated'), kind: 'signed-out' }
    case 404:
    case 410:
      return { ...refused(text, code), kind: 'gone' }
    // At another offset, damaged, or locked by another request: a new attempt resumes it.
    case 409:
      return code === 'too_many_uploads'
        ? { ...refused(text, code), mayRetry: true }
        : wait(text, false)
    case 423:
    case 460:
      return wait(text, false)
    case 408:
      return wait(CONNECTION_LOST, true)
    case 429:
    case 502:
    case 503:
    case 504:
      return wait(SERVER_AWAY, true)
    // The person may free storage.
    case 507:
      return { ...refused(text, code), mayRetry: true }
    default:
      if (status >= 500) return wait(text, false)
      // The person may free quota, or verify the address.
      return {
        ...refused(text, code),
        mayRetry: code === 'quota_exceeded' || code === 'address_unverified',
      }
  }
}

function wait(sentence: string, isPatient: boolean): TransferFailure {
  return { kind: 'wait', sentence, isPatient, mayRetry: true }
}

function refused(sentence: string, code?: ErrorCode): TransferFailure {
  return { kind: 'refused', sentence, code, isPatient: false, mayRetry: false }
}

function parseError(body: string): Pick<Answer, 'sentence' | 'code'> {
  try {
    const { error, code } = errorSchema.parse(JSON.parse(body))
    return { sentence: error, code: code as ErrorCode }
  } catch {
    return { sentence: '', code: undefined }
  }
}
