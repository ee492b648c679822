import { abandonUpload } from '#web/features/uploads/abandon-upload.ts'
import { growingWaits } from '#web/features/uploads/growing-waits.ts'
import { type HeldUpload, holdUpload } from '#web/features/uploads/held-upload.ts'
import type { KeptUpload } from '#web/features/uploads/kept-upload.ts'
import {
  sendFile,
  type TransferOutcome,
  type TransferState,
} from '#web/features/uploads/send-file.ts'
import { folderOf, kindOf } from './file-facts.ts'
import { deleteUploadedFile } from './media.queries.ts'

const ELSEWHERE = 'Cet envoi est en cours dans un autre onglet.'

interface SendingOptions {
  ownerId: string
  file: File
  /** An upload of this file that was begun before. */
  before?: KeptUpload | undefined
  onState: (state: TransferState | Exclude<TransferOutcome, { state: 'cancelled' }>) => void
}

/** One file on its way to the server, kept on the device until it serves something. */
export interface FileSending {
  file: File
  /** What the device remembers, once it does. */
  kept: () => KeptUpload | undefined
  /** Goes on now instead of waiting. */
  goOn: () => void
  /** Begins again after a failure, where it stopped. */
  retry: () => void
  /** Stops it, and takes back what has arrived. */
  drop: () => Promise<void>
  /** Takes back what has arrived; the file may be sent again. */
  takeBack: () => Promise<void>
  /** Stops it and leaves it to be gone on with another time. */
  leave: () => Promise<void>
  /** The file belongs to something from now on. */
  settle: () => void
}

export function startSending({ ownerId, file, before, onState }: SendingOptions): FileSending {
  const waits = growingWaits()
  const holding = holdUpload(ownerId, file, before)
  let held: HeldUpload | undefined
  let transfer = new AbortController()

  const run = async () => {
    const own = new AbortController()
    transfer.abort()
    transfer = own
    held = await holding
    if (own.signal.aborted) return
    if (!held)
      return onState({ state: 'failed', error: ELSEWHERE, code: undefined, mayRetry: false })
    const { remember } = held
    const outcome = await sendFile(file, {
      folder: folderOf(kindOf(file)),
      uploadId: held.now().uploadId,
      receivedBytes: held.now().receivedBytes,
      onArrived: (receivedBytes) => remember({ receivedBytes }),
      onUploadId: (uploadId) => remember({ uploadId }),
      onState: (state) => {
        if (own.signal.aborted) return
        onState(state)
      },
      waits,
      signal: own.signal,
    })
    if (own.signal.aborted || outcome.state === 'cancelled') return
    if (outcome.state === 'sent') {
      remember({ arrivedPath: outcome.result.path, receivedBytes: file.size })
    }
    onState(outcome)
  }
  const takeBack = async () => {
    const { uploadId, arrivedPath } = held?.now() ?? {}
    held?.remember({ uploadId: undefined, arrivedPath: undefined, receivedBytes: 0 })
    if (arrivedPath) await deleteUploadedFile(arrivedPath)
    else if (uploadId) await abandonUpload(uploadId)
  }

  void run()
  return {
    file,
    kept: () => held?.now(),
    goOn: waits.end,
    retry: () => void run(),
    drop: async () => {
      transfer.abort()
      await holding
      await Promise.all([takeBack(), held?.forget()])
    },
    takeBack,
    leave: () => {
      transfer.abort()
      return holding.then((upload) => upload?.letGo())
    },
    settle: () => void held?.forget(),
  }
}
