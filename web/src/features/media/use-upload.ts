import { useState } from 'react'
import type { StoredUpload } from '#web/features/uploads/uploads-store.ts'
import { validateFile } from './file-facts.ts'
import { type FileUpload, isOnItsWay, useUploads } from './use-uploads.ts'

/** `refused`: never sent. */
type Upload = { phase: 'none' } | { phase: 'refused'; error: string } | FileUpload

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

/** The one file that this page sends for something (`useUploads`). */
export function useUpload(what: string, draftId?: string): UploadControls {
  const uploads = useUploads(what, draftId)
  const [refusal, setRefusal] = useState<string>()
  const last = uploads.files.at(-1)
  const upload: Upload =
    last?.upload ??
    (refusal === undefined ? { phase: 'none' } : { phase: 'refused', error: refusal })
  const remove = () => {
    for (const { id } of uploads.files) uploads.remove(id)
    setRefusal(undefined)
  }
  return {
    upload,
    isOnItsWay: isOnItsWay(upload),
    choose: (file) => {
      remove()
      const error = validateFile(file)
      if (error) setRefusal(error)
      else uploads.start(file)
    },
    resume: (file, before) => void uploads.start(file, before),
    retry: () => last && uploads.retry(last.id),
    remove,
    reject: uploads.reject,
    complete: uploads.complete,
  }
}
