import type { Folder } from '#contract/media.ts'
import { createId } from '#web/lib/ids.ts'
import type { Release } from '#web/lib/tabs.ts'
import { createBackoff } from './backoff.ts'
import { abandonUpload, deleteUploadedFile } from './discard-upload.ts'
import type { TransferOutcome, TransferState } from './send-file.ts'
import type { UploadTurns } from './upload-turns.ts'
import {
  deleteStoredUpload,
  lockStoredUpload,
  type StoredUpload,
  storeFile,
  storeUpload,
  updateUpload,
  uploadsBroadcast,
} from './uploads-store.ts'

const NOT_LOADED = 'Connexion perdue avant le premier envoi. Réessayez une fois le réseau revenu.'
const IN_ANOTHER_TAB = 'Cet envoi est en cours dans un autre onglet.'

export type UploadEvent =
  | TransferState
  /** Others are sent first. */
  | { phase: 'queued' }
  | Exclude<TransferOutcome, { state: 'cancelled' }>

interface UploadOptions {
  ownerId: string
  file: File
  folder: Folder
  /** As it is stored: a new one, or a former one to be resumed. */
  begun: StoredUpload
  /** The letter that it is for. */
  draftId?: string | undefined
  turns: UploadTurns
  onState: (state: UploadEvent) => void
}

/** One file on its way to the server; this device stores it until something uses it. */
export interface RunningUpload {
  file: File
  /** Undefined until the upload is locked. */
  stored: () => StoredUpload | undefined
  /** Retries now instead of waiting. */
  skipWait: () => void
  /** Resumes after a failure. */
  retry: () => void
  /** Stops the transfer and deletes what has arrived. */
  discard: () => Promise<void>
  /** Deletes what has arrived; the file may be sent again. */
  discardArrived: () => Promise<void>
  /** Stops the transfer; this device offers to resume it. */
  pause: () => Promise<void>
  /** Something uses the file: this device forgets it. */
  complete: () => void
}

/** Stores a file and sends it at its turn, from where `begun` is; a failure is reported through `onState`. */
export function startUpload({
  ownerId,
  file,
  folder,
  begun,
  draftId,
  turns,
  onState,
}: UploadOptions): RunningUpload {
  const backoff = createBackoff()
  const locking = lockUpload(ownerId, { ...begun, draftId }, file)
  let locked: LockedUpload | undefined
  let transfer = new AbortController()

  const run = async () => {
    const own = new AbortController()
    transfer.abort()
    transfer = own
    if (turns.areFull()) onState({ phase: 'queued' })
    const turn = turns.acquire(own.signal)
    locked = await locking
    const endTurn = await turn
    if (own.signal.aborted) return endTurn()
    if (!locked) {
      endTurn()
      return onState({ state: 'failed', error: IN_ANOTHER_TAB, code: undefined, mayRetry: false })
    }
    // Lazy, as what it stands on: a form is shown before it sends anything.
    const sender = await import('./send-file.ts').catch(() => undefined)
    if (own.signal.aborted) return endTurn()
    if (!sender) {
      endTurn()
      return onState({ state: 'failed', error: NOT_LOADED, code: undefined, mayRetry: true })
    }
    const { update } = locked
    onState({ phase: 'sending', loadedBytes: locked.now().receivedBytes })
    const outcome = await sender.sendFile(file, {
      folder,
      uploadId: locked.now().uploadId,
      receivedBytes: locked.now().receivedBytes,
      key: locked.now().id,
      onArrived: (receivedBytes) => update({ receivedBytes }),
      onUploadId: (uploadId) => update({ uploadId }),
      onState: (state) => {
        if (own.signal.aborted) return
        onState(state)
      },
      backoff,
      signal: own.signal,
    })
    endTurn()
    if (own.signal.aborted || outcome.state === 'cancelled') return
    if (outcome.state === 'sent') {
      update({ arrivedPath: outcome.result.path, receivedBytes: file.size })
    }
    onState(outcome)
  }
  const discardArrived = async () => {
    const { uploadId, arrivedPath } = locked?.now() ?? {}
    locked?.update({ uploadId: undefined, arrivedPath: undefined, receivedBytes: 0 })
    if (arrivedPath) await deleteUploadedFile(arrivedPath)
    else if (uploadId) await abandonUpload(uploadId)
  }

  void run()
  return {
    file,
    stored: () => locked?.now(),
    skipWait: backoff.skip,
    retry: () => void run(),
    discard: async () => {
      transfer.abort()
      await locking
      await Promise.all([discardArrived(), locked?.forget()])
    },
    discardArrived,
    pause: () => {
      transfer.abort()
      return locking.then((upload) => upload?.release())
    },
    complete: () => void locked?.forget(),
  }
}

/** An upload that this tab sends; `update` writes through to the device. */
interface LockedUpload {
  now: () => StoredUpload
  update: (changes: Partial<StoredUpload>) => void
  /** Deletes it from the device. */
  forget: () => Promise<void>
  /** Unlocks it; it stays on the device. */
  release: () => Promise<void>
}

/** Locks a former upload or a new one; undefined when another tab sends it. */
async function lockUpload(
  ownerId: string,
  begun: StoredUpload,
  file: File,
): Promise<LockedUpload | undefined> {
  let upload = begun
  const unlock = await lockStoredUpload(upload.id)
  if (!unlock) return undefined
  // One write after the other; without storage, the page continues from memory.
  let writing: Promise<unknown> = write(() => storeUpload(ownerId, upload))
  const enqueue = (task: () => Promise<unknown>) => {
    writing = writing.then(() => write(task))
    return writing
  }
  const update = (changes: Partial<StoredUpload>) => {
    upload = { ...upload, ...changes, touchedAtMs: Date.now() }
    void enqueue(() => updateUpload(ownerId, upload.id, { ...changes, touchedAtMs: Date.now() }))
  }
  // Other writes do not wait for the copy of a file of hundreds of megabytes.
  const copying = write(async () => {
    if (upload.hasFile) return
    const hasFile = await storeFile(ownerId, upload.id, file).catch(() => false)
    update({ hasFile, isTooLarge: !hasFile })
    await writing
    uploadsBroadcast.announce()
  })
  return {
    now: () => upload,
    update,
    forget: async () => {
      await copying
      await enqueue(() => deleteStoredUpload(ownerId, upload.id))
      await unlockAndAnnounce(unlock)
    },
    release: async () => {
      await writing
      await unlockAndAnnounce(unlock)
    },
  }
}

async function unlockAndAnnounce(unlock: Release): Promise<void> {
  await unlock()
  uploadsBroadcast.announce()
}

async function write(task: () => Promise<unknown>): Promise<void> {
  await task().catch(() => undefined)
}

/** Of a file that was not sent before. */
export function newUpload({ name, type, size, lastModified }: File): StoredUpload {
  return {
    id: createId(),
    uploadId: undefined,
    name,
    type,
    sizeBytes: size,
    lastModified,
    receivedBytes: 0,
    arrivedPath: undefined,
    hasFile: false,
    touchedAtMs: Date.now(),
  }
}
