import { useCallback, useEffect, useRef, useState } from 'react'
import type { UploadResult } from '#contract/media.ts'
import type { FileType } from '#contract/revelations.ts'
import { folderOf, kindOf, refuseFile } from './file-facts.ts'
import { deleteUploadedFile } from './media.queries.ts'
import { uploadFile } from './upload-file.ts'

interface ChosenFile {
  file: File
  kind: FileType
}

/** `refused`: never sent. `failed`: cut or turned away on the way; the file is still at hand. */
export type Upload =
  | { phase: 'none' }
  | { phase: 'refused'; error: string }
  | (ChosenFile & { phase: 'sending'; loadedBytes: number })
  | (ChosenFile & { phase: 'failed'; error: string; mayRetry: boolean })
  | (ChosenFile & { phase: 'sent'; result: UploadResult })

export interface UploadControls {
  upload: Upload
  /** Sends a file at once, in place of the one before. */
  choose: (file: File) => void
  retry: () => void
  /** Stops what is on its way and takes back what has arrived. */
  remove: () => void
  /** Takes back what has arrived and says why; the file may be sent again. */
  takeBack: (error: string) => Promise<void>
  /** From now on the file belongs to something: leaving the page does not take it back. */
  keep: () => void
}

export function useUpload(): UploadControls {
  const [upload, setUpload] = useState<Upload>({ phase: 'none' })
  const transfer = useRef<AbortController>(undefined)
  const unused = useRef<string>(undefined)
  unused.current = upload.phase === 'sent' ? upload.result.path : undefined
  const isKept = useRef(false)
  useEffect(
    () => () => {
      transfer.current?.abort()
      // A file that serves nothing still takes its author's room.
      if (unused.current && !isKept.current) void deleteUploadedFile(unused.current)
    },
    [],
  )

  const send = useCallback(async (file: File) => {
    transfer.current?.abort()
    const own = new AbortController()
    transfer.current = own
    const chosen = { file, kind: kindOf(file) }
    setUpload({ ...chosen, phase: 'sending', loadedBytes: 0 })
    const outcome = await uploadFile(
      file,
      { folder: folderOf(chosen.kind) },
      {
        signal: own.signal,
        onProgress: (loadedBytes) => setUpload({ ...chosen, phase: 'sending', loadedBytes }),
      },
    )
    if (own.signal.aborted) return
    if (outcome.state === 'sent') {
      setUpload({ ...chosen, phase: 'sent', result: outcome.result })
    } else if (outcome.state === 'failed') {
      const { error, mayRetry } = outcome
      setUpload({ ...chosen, phase: 'failed', error, mayRetry })
    }
  }, [])

  const forget = () => {
    transfer.current?.abort()
    if (upload.phase === 'sent') void deleteUploadedFile(upload.result.path)
  }
  return {
    upload,
    choose: (file) => {
      forget()
      const error = refuseFile(file)
      if (error) setUpload({ phase: 'refused', error })
      else void send(file)
    },
    retry: () => {
      if (upload.phase === 'failed') void send(upload.file)
    },
    remove: () => {
      forget()
      setUpload({ phase: 'none' })
    },
    takeBack: async (error) => {
      if (upload.phase !== 'sent') return
      const { file, kind, result } = upload
      await deleteUploadedFile(result.path)
      setUpload({ file, kind, phase: 'failed', error, mayRetry: true })
    },
    keep: () => {
      isKept.current = true
    },
  }
}
