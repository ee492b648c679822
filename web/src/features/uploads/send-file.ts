import type { ErrorCode } from '#contract/errors.ts'
import type { Folder, UploadResult } from '#contract/media.ts'
import { finishUpload } from '#contract/uploads.ts'
import { callApi, endSession } from '#web/lib/api-client.ts'
import { readToken } from '#web/lib/session-token.ts'
import type { GrowingWaits } from './growing-waits.ts'
import { changingPartSize } from './part-size.ts'
import { pushBytes } from './push-bytes.ts'
import { failureOf, type TransferFailure } from './transfer-failure.ts'

// The server puts together what it received, byte by byte.
const FINISH_TIMEOUT_MS = 120_000
// So often in a row without a new byte, and it is told instead of tried again.
const TRIES = 6

export type TransferState =
  | { phase: 'sending'; loadedBytes: number }
  /** Waits to go on by itself; what is counted has arrived. */
  | { phase: 'waiting'; loadedBytes: number; sentence: string }
  /** All of it has left: the server makes a file of it. */
  | { phase: 'finishing' }

export type TransferOutcome =
  | { state: 'sent'; result: UploadResult }
  /** `mayRetry`: the same file may go through another time. */
  | { state: 'failed'; error: string; code: ErrorCode | undefined; mayRetry: boolean }
  | { state: 'cancelled' }

interface SendOptions {
  folder: Folder
  /** An upload of this file that was begun before. */
  uploadId?: string | undefined
  /** What had arrived of it by then. */
  receivedBytes?: number
  /** The upload that the file goes into, as soon as there is one. */
  onUploadId: (id: string) => void
  onArrived?: (receivedBytes: number) => void
  onState: (state: TransferState) => void
  waits: GrowingWaits
  signal: AbortSignal
}

/**
 * Sends a file through lost networks and servers that stop, from wherever the server has it. Never rejects: what went
 * wrong is in the outcome, in words that may be shown.
 */
export async function sendFile(file: File, options: SendOptions): Promise<TransferOutcome> {
  const { signal, waits, onState } = options
  let { uploadId, receivedBytes = 0 } = options
  const partSize = changingPartSize()
  let failures = 0
  let furthest = 0
  const onProgress = (loadedBytes: number) => onState({ phase: 'sending', loadedBytes })
  const onArrived = (bytes: number) => {
    receivedBytes = bytes
    options.onArrived?.(bytes)
    if (bytes <= furthest) return
    furthest = bytes
    failures = 0
    waits.reset()
  }
  const onUploadId = (id: string) => {
    uploadId = id
    options.onUploadId(id)
  }
  while (!signal.aborted) {
    try {
      await pushBytes(file, { uploadId, onUploadId, partSize, onArrived, onProgress, signal })
      onState({ phase: 'finishing' })
      return sent(await finish(uploadId, options))
    } catch (error) {
      if (signal.aborted) break
      const failure = await lookForFile(failureOf(error))
      if ('state' in failure) return failure
      failures += 1
      if (failure.kind === 'gone') uploadId = undefined
      const isWorthIt = failure.kind === 'gone' || failure.kind === 'wait'
      if (!isWorthIt || (!failure.isPatient && failures > TRIES)) return failed(failure)
      if (failure.isPatient)
        onState({ phase: 'waiting', loadedBytes: receivedBytes, sentence: failure.sentence })
      if (failure.kind === 'wait') await waits.next(signal)
    }
  }
  return { state: 'cancelled' }

  /** What was made into a file is no upload any longer: only its file can be asked for. */
  async function lookForFile(failure: TransferFailure) {
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
  if (kind === 'signed-out' && readToken()) endSession()
  return { state: 'failed', error: sentence, code, mayRetry: mayRetry || kind === 'gone' }
}
