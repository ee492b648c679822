import { useCallback, useEffect, useRef, useState } from 'react'
import { useLocation } from 'react-router'
import type { ErrorCode } from '#contract/errors.ts'
import type { UploadResult } from '#contract/media.ts'
import type { FileType } from '#contract/revelations.ts'
import { useSignedInUser } from '#web/features/auth/session.tsx'
import { claimInterrupted, storeInterrupted } from '#web/features/uploads/interrupted-upload.ts'
import { type RunningUpload, startUpload } from '#web/features/uploads/start-upload.ts'
import type { StoredUpload } from '#web/features/uploads/uploads-store.ts'
import { onUnauthorized } from '#web/lib/api-client.ts'
import { folderOf, kindOf, validateFile } from './file-facts.ts'

interface ChosenFile {
  file: File
  kind: FileType
  /** Bytes that have left. */
  loadedBytes: number
}

/** `refused`: never sent. `waiting`: resumes by itself. `failed`: the file is still chosen. */
export type Upload =
  | { phase: 'none' }
  | { phase: 'refused'; error: string }
  | (ChosenFile & { phase: 'sending' | 'finishing' })
  | (ChosenFile & { phase: 'waiting'; sentence: string })
  | (ChosenFile & {
      phase: 'failed'
      error: string
      code?: ErrorCode | undefined
      mayRetry: boolean
    })
  | (ChosenFile & { phase: 'sent'; result: UploadResult })

export interface UploadControls {
  upload: Upload
  /** Being sent, and not finished. */
  isOnItsWay: boolean
  /** Sends a file at once, in place of the former one. */
  choose: (file: File) => void
  /** Resumes an upload with its file. */
  resume: (file: File, before: StoredUpload) => void
  /** Retries now what waits or has failed. */
  retry: () => void
  /** Stops the upload and deletes what has arrived. */
  remove: () => void
  /** Deletes what has arrived and shows the error; the file may be sent again. */
  reject: (error: string) => Promise<void>
  /** A revelation uses the file: this device forgets it. */
  complete: () => void
}

/**
 * A file that this page sends. Leaving the page stops the upload; it can be resumed later. A page that sends a second file
 * says what it is. `draftId` is the letter that it is for, which the device keeps it with.
 */
export function useUpload(what = '', draftId?: string): UploadControls {
  const { id: ownerId } = useSignedInUser()
  const [upload, setUpload] = useState<Upload>({ phase: 'none' })
  const sending = useRef<RunningUpload>(undefined)

  const start = useCallback(
    (file: File, before?: StoredUpload) => {
      const chosen = { file, kind: kindOf(file), loadedBytes: before?.receivedBytes ?? 0 }
      setUpload({ ...chosen, phase: 'sending' })
      sending.current = startUpload({
        ownerId,
        file,
        folder: folderOf(chosen.kind),
        before,
        draftId,
        onState: (state) =>
          setUpload((last) => ({ ...chosen, ...loadedOf(last), ...phaseOf(state, file) })),
      })
    },
    [ownerId, draftId],
  )
  useResumeAfterSignIn(ownerId, what, sending, start)
  useEffect(() => () => void sending.current?.pause(), [])

  const discard = () => {
    void sending.current?.discard()
    sending.current = undefined
  }
  return {
    upload,
    isOnItsWay: ['sending', 'waiting', 'finishing'].includes(upload.phase),
    choose: (file) => {
      discard()
      const error = validateFile(file)
      if (error) setUpload({ phase: 'refused', error })
      else start(file)
    },
    resume: start,
    retry: () => {
      if (upload.phase === 'waiting') return sending.current?.skipWait()
      if (upload.phase !== 'failed') return
      setUpload({ ...upload, phase: 'sending' })
      sending.current?.retry()
    },
    remove: () => {
      discard()
      setUpload({ phase: 'none' })
    },
    reject: async (error) => {
      if (upload.phase !== 'sent') return
      await sending.current?.discardArrived()
      setUpload({ ...upload, phase: 'failed', error, mayRetry: true, loadedBytes: 0 })
    },
    complete: () => {
      sending.current?.complete()
      sending.current = undefined
    },
  }
}

function loadedOf(upload: Upload) {
  return 'loadedBytes' in upload ? { loadedBytes: upload.loadedBytes } : {}
}

type UploadEvent = Parameters<Parameters<typeof startUpload>[0]['onState']>[0]

function phaseOf(event: UploadEvent, { size }: File) {
  if ('phase' in event) return event.phase === 'finishing' ? { ...event, loadedBytes: size } : event
  if (event.state === 'sent')
    return { phase: 'sent', result: event.result, loadedBytes: size } as const
  const { error, code, mayRetry } = event
  return { phase: 'failed', error, code, mayRetry } as const
}

/** An upload that the end of the session stopped resumes once the same person is back on this page. */
function useResumeAfterSignIn(
  ownerId: string,
  what: string,
  sending: { current: RunningUpload | undefined },
  start: (file: File, before: StoredUpload) => void,
): void {
  const { pathname } = useLocation()
  const path = pathname + what
  useEffect(() => {
    const interrupted = claimInterrupted(ownerId, path)
    let isOver = false
    void interrupted?.paused.then(() => {
      if (!isOver) start(interrupted.file, interrupted.stored)
    })
    const stop = onUnauthorized(() => {
      const stopped = sending.current
      const stored = stopped?.stored()
      if (!stopped || !stored) return
      sending.current = undefined
      storeInterrupted({ ownerId, path, file: stopped.file, stored, paused: stopped.pause() })
    })
    return () => {
      isOver = true
      stop()
    }
  }, [ownerId, path, sending, start])
}
