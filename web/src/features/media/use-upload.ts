import { useCallback, useEffect, useRef, useState } from 'react'
import { useLocation } from 'react-router'
import type { ErrorCode } from '#contract/errors.ts'
import type { UploadResult } from '#contract/media.ts'
import type { FileType } from '#contract/revelations.ts'
import { useSignedInUser } from '#web/features/auth/session.tsx'
import { noteInterrupted, takeInterrupted } from '#web/features/uploads/interrupted-upload.ts'
import type { KeptUpload } from '#web/features/uploads/kept-upload.ts'
import { onUnauthorized } from '#web/lib/api-client.ts'
import { kindOf, refuseFile } from './file-facts.ts'
import { type FileSending, startSending } from './file-sending.ts'

interface ChosenFile {
  file: File
  kind: FileType
  /** Bytes that have left. */
  loadedBytes: number
}

/** `refused`: never sent. `waiting`: goes on by itself. `failed`: turned away on the way; the file is still at hand. */
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
  /** The file is not on the server yet, and is on its way. */
  isOnItsWay: boolean
  /** Sends a file at once, in place of the one before. */
  choose: (file: File) => void
  /** Goes on with an upload that was begun before, with its file. */
  resume: (file: File, before: KeptUpload) => void
  /** Sends at once what waits, or again what failed. */
  retry: () => void
  /** Stops what is on its way and takes back what has arrived. */
  remove: () => void
  /** Takes back what has arrived and says why; the file may be sent again. */
  takeBack: (error: string) => Promise<void>
  /** From now on the file belongs to something: nothing of it is kept on this device. */
  keep: () => void
}

/** The file that is being sent from this page. Leaving the page stops it; it can be gone on with later. */
export function useUpload(): UploadControls {
  const { id: ownerId } = useSignedInUser()
  const [upload, setUpload] = useState<Upload>({ phase: 'none' })
  const sending = useRef<FileSending>(undefined)

  const start = useCallback(
    (file: File, before?: KeptUpload) => {
      const chosen = { file, kind: kindOf(file), loadedBytes: before?.receivedBytes ?? 0 }
      setUpload({ ...chosen, phase: 'sending' })
      sending.current = startSending({
        ownerId,
        file,
        before,
        onState: (state) =>
          setUpload((last) => ({ ...chosen, ...loadedOf(last), ...shown(state, file) })),
      })
    },
    [ownerId],
  )
  useGoOnAfterSignIn(ownerId, sending, start)
  useEffect(() => () => void sending.current?.leave(), [])

  const drop = () => {
    void sending.current?.drop()
    sending.current = undefined
  }
  return {
    upload,
    isOnItsWay: ['sending', 'waiting', 'finishing'].includes(upload.phase),
    choose: (file) => {
      drop()
      const error = refuseFile(file)
      if (error) setUpload({ phase: 'refused', error })
      else start(file)
    },
    resume: start,
    retry: () => {
      if (upload.phase === 'waiting') return sending.current?.goOn()
      if (upload.phase !== 'failed') return
      setUpload({ ...upload, phase: 'sending' })
      sending.current?.retry()
    },
    remove: () => {
      drop()
      setUpload({ phase: 'none' })
    },
    takeBack: async (error) => {
      if (upload.phase !== 'sent') return
      await sending.current?.takeBack()
      setUpload({ ...upload, phase: 'failed', error, mayRetry: true, loadedBytes: 0 })
    },
    keep: () => {
      sending.current?.settle()
      sending.current = undefined
    },
  }
}

function loadedOf(upload: Upload) {
  return 'loadedBytes' in upload ? { loadedBytes: upload.loadedBytes } : {}
}

type Told = Parameters<Parameters<typeof startSending>[0]['onState']>[0]

function shown(told: Told, { size }: File) {
  if ('phase' in told) return told.phase === 'finishing' ? { ...told, loadedBytes: size } : told
  if (told.state === 'sent')
    return { phase: 'sent', result: told.result, loadedBytes: size } as const
  const { error, code, mayRetry } = told
  return { phase: 'failed', error, code, mayRetry } as const
}

/** When the session ends in the middle, what was on its way goes on as soon as the same person is back here. */
function useGoOnAfterSignIn(
  ownerId: string,
  sending: { current: FileSending | undefined },
  start: (file: File, before: KeptUpload) => void,
): void {
  const { pathname: place } = useLocation()
  useEffect(() => {
    const interrupted = takeInterrupted(ownerId, place)
    let isOver = false
    void interrupted?.left.then(() => {
      if (!isOver) start(interrupted.file, interrupted.kept)
    })
    const stop = onUnauthorized(() => {
      const stopped = sending.current
      const kept = stopped?.kept()
      if (!stopped || !kept) return
      sending.current = undefined
      noteInterrupted({ ownerId, place, file: stopped.file, kept, left: stopped.leave() })
    })
    return () => {
      isOver = true
      stop()
    }
  }, [ownerId, place, sending, start])
}
