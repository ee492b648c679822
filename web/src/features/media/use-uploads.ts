import { useCallback, useEffect, useRef, useState } from 'react'
import { useLocation } from 'react-router'
import type { ErrorCode } from '#contract/errors.ts'
import type { UploadResult } from '#contract/media.ts'
import type { FileType } from '#contract/revelations.ts'
import { useSignedInUser } from '#web/features/auth/session.tsx'
import { claimInterrupted, storeInterrupted } from '#web/features/uploads/interrupted-upload.ts'
import {
  newUpload,
  type RunningUpload,
  startUpload,
  type UploadEvent,
} from '#web/features/uploads/start-upload.ts'
import { createUploadTurns } from '#web/features/uploads/upload-turns.ts'
import type { StoredUpload } from '#web/features/uploads/uploads-store.ts'
import { onUnauthorized } from '#web/lib/api-client.ts'
import { folderOf, kindOf } from './file-facts.ts'

interface ChosenFile {
  file: File
  kind: FileType
  /** Bytes that have left. */
  loadedBytes: number
}

/** `queued`: others are sent first. `waiting`: resumes by itself. `failed`: the file is still chosen. */
export type FileUpload =
  | (ChosenFile & { phase: 'queued' | 'sending' | 'finishing' })
  | (ChosenFile & { phase: 'waiting'; sentence: string })
  | (ChosenFile & {
      phase: 'failed'
      error: string
      code?: ErrorCode | undefined
      mayRetry: boolean
    })
  | (ChosenFile & { phase: 'sent'; result: UploadResult })

/** A file that this page sends, under the id that this device stores it with. */
export interface SentFile {
  id: string
  upload: FileUpload
}

const ON_ITS_WAY: readonly string[] = ['queued', 'sending', 'waiting', 'finishing']

/** Being sent, and not finished. */
export function isOnItsWay({ phase }: { phase: string }): boolean {
  return ON_ITS_WAY.includes(phase)
}

// More at once would share a slow line among themselves.
const AT_ONCE = 3

/**
 * Files that this page sends, few at once. Leaving the page stops them; they can be resumed later. A page that sends files
 * for several things says what these are. `draftId` is the letter that they are for, which the device keeps them with.
 */
export function useUploads(what = '', draftId?: string) {
  const { id: ownerId } = useSignedInUser()
  const [files, setFiles] = useState<SentFile[]>([])
  const running = useRef(new Map<string, RunningUpload>())
  const [turns] = useState(() => createUploadTurns(AT_ONCE))

  const change = useCallback(
    (id: string, next: (upload: FileUpload) => FileUpload) =>
      setFiles((known) =>
        known.map((one) => (one.id === id ? { id, upload: next(one.upload) } : one)),
      ),
    [],
  )
  const start = useCallback(
    (file: File, before?: StoredUpload): string => {
      const begun = before ?? newUpload(file)
      const { id } = begun
      if (running.current.has(id)) return id
      const chosen = { file, kind: kindOf(file), loadedBytes: begun.receivedBytes }
      setFiles((known) => [
        ...known.filter((one) => one.id !== id),
        { id, upload: { ...chosen, phase: 'sending' } },
      ])
      running.current.set(
        id,
        startUpload({
          ...{ ownerId, file, begun, draftId, turns },
          folder: folderOf(chosen.kind),
          onState: (state) =>
            change(id, ({ loadedBytes }) => ({ ...chosen, loadedBytes, ...phaseOf(state, file) })),
        }),
      )
      return id
    },
    [ownerId, draftId, turns, change],
  )
  useResumeAfterSignIn(ownerId, what, running, start)
  useEffect(() => {
    const { current } = running
    return () => {
      for (const upload of current.values()) void upload.pause()
    }
  }, [])

  return {
    files,
    /** Sends a file, or resumes `before` with it; answers its id. */
    start,
    /** Retries now what waits or has failed. */
    retry: (id: string) => {
      const phase = files.find((one) => one.id === id)?.upload.phase
      if (phase === 'waiting') return running.current.get(id)?.skipWait()
      if (phase !== 'failed') return
      change(id, (upload) => ({ ...upload, phase: 'sending' }))
      running.current.get(id)?.retry()
    },
    /** Stops the upload and deletes what has arrived. */
    remove: (id: string) => {
      void running.current.get(id)?.discard()
      running.current.delete(id)
      setFiles((known) => known.filter((one) => one.id !== id))
    },
    /** Deletes what has arrived and shows the error; the files may be sent again. */
    reject: async (error: string) => {
      const arrived = files.filter(({ upload }) => upload.phase === 'sent')
      await Promise.all(arrived.map(({ id }) => running.current.get(id)?.discardArrived()))
      for (const { id } of arrived) {
        change(id, (upload) => ({
          ...upload,
          ...{ phase: 'failed', error, mayRetry: true, loadedBytes: 0 },
        }))
      }
    },
    /** A revelation uses the files: this device forgets them. */
    complete: () => {
      for (const upload of running.current.values()) upload.complete()
      running.current.clear()
    },
  }
}

function phaseOf(event: UploadEvent, { size }: File) {
  if ('phase' in event) return event.phase === 'finishing' ? { ...event, loadedBytes: size } : event
  if (event.state === 'sent')
    return { phase: 'sent', result: event.result, loadedBytes: size } as const
  const { error, code, mayRetry } = event
  return { phase: 'failed', error, code, mayRetry } as const
}

/** Uploads that the end of the session stopped resume once the same person is back on this page. */
function useResumeAfterSignIn(
  ownerId: string,
  what: string,
  running: { current: Map<string, RunningUpload> },
  start: (file: File, before: StoredUpload) => void,
): void {
  const { pathname } = useLocation()
  const path = pathname + what
  useEffect(() => {
    let isOver = false
    for (const { file, stored, paused } of claimInterrupted(ownerId, path)) {
      void paused.then(() => !isOver && start(file, stored))
    }
    const stop = onUnauthorized(() => {
      const uploads = [...running.current].flatMap(([id, upload]) => {
        const stored = upload.stored()
        if (!stored) return []
        running.current.delete(id)
        return [{ file: upload.file, stored, paused: upload.pause() }]
      })
      if (uploads.length > 0) storeInterrupted({ ownerId, path, uploads })
    })
    return () => {
      isOver = true
      stop()
    }
  }, [ownerId, path, running, start])
}
