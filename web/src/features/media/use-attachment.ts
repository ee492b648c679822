import { useEffect, useState } from 'react'
import type { UploadResult } from '#contract/media.ts'
import type { FileType } from '#contract/revelations.ts'
import type { StoredUpload } from '#web/features/uploads/uploads-store.ts'
import { defaultWindow, type TeaserWindow, validateTeaser } from './teaser-window.ts'
import { useObjectUrl } from './use-object-url.ts'
import { type UploadControls, useUpload } from './use-upload.ts'

/** The file that a revelation has already. */
export interface StoredFile {
  /** Its address in the revelation. */
  url: string
  /** An address under which this page can read it. */
  previewUrl: string
  kind: FileType
  name: string
  sizeBytes: number
  duration: number | null
  teaser: TeaserWindow | null
}

/** What the author shows of a video before the reveal: only a chosen window. */
export type TeaserChoice =
  | { state: 'editing'; window: TeaserWindow }
  | { state: 'chosen'; window: TeaserWindow }
  | { state: 'none' }

export interface Attachment extends UploadControls {
  /** The former file of the revelation, unless it is replaced or removed. */
  stored: StoredFile | undefined
  kind: FileType | undefined
  name: string | undefined
  sizeBytes: number | undefined
  /** An address under which this page can read the file. */
  previewUrl: string | undefined
  duration: number | undefined
  teaser: TeaserChoice
  setTeaser: (choice: TeaserChoice) => void
  /** Opens the teaser editor with the default window. */
  chooseTeaser: () => void
  removeStored: () => void
  /** Sends the file of a draft again, with what its author chose to show of it. */
  restore: (file: File, before: StoredUpload, teaser: TeaserChoice | null) => void
  /** Why the form cannot be submitted. */
  problem: string | undefined
}

/** The file of a form: the stored one or a new one, with its teaser. */
export function useAttachment(initial?: StoredFile, draftId?: string): Attachment {
  const controls = useUpload('', draftId)
  const { upload } = controls
  const [isStoredRemoved, setStoredRemoved] = useState(false)
  const file = 'file' in upload ? upload.file : undefined
  const stored = file || isStoredRemoved ? undefined : initial
  const objectUrl = useObjectUrl(file)
  const localDuration = useLocalDuration(
    file && 'kind' in upload && upload.kind === 'video' ? objectUrl : undefined,
  )
  const kind = 'kind' in upload ? upload.kind : stored?.kind
  const sent: UploadResult | undefined = upload.phase === 'sent' ? upload.result : undefined
  const duration = sent?.duration ?? localDuration ?? stored?.duration ?? undefined

  const [teaser, setTeaser] = useState<TeaserChoice>(
    initial?.teaser ? { state: 'chosen', window: initial.teaser } : { state: 'none' },
  )
  const initialWindow = duration === undefined ? undefined : defaultWindow(duration)
  const chooseTeaser = () => {
    if (initialWindow) setTeaser({ state: 'editing', window: initialWindow })
  }
  const settle = useOfferOnce(file, kind === 'video' && initialWindow !== undefined, chooseTeaser)

  return {
    ...controls,
    choose: (next) => {
      setTeaser({ state: 'none' })
      controls.choose(next)
    },
    resume: (file, before) => {
      setTeaser({ state: 'none' })
      controls.resume(file, before)
    },
    remove: () => {
      controls.remove()
      setTeaser(stored?.teaser ? { state: 'chosen', window: stored.teaser } : { state: 'none' })
    },
    restore: (next, before, choice) => {
      if (choice) settle(next)
      setTeaser(choice ?? { state: 'none' })
      controls.resume(next, before)
    },
    stored,
    kind,
    name: file?.name ?? stored?.name,
    sizeBytes: file?.size ?? stored?.sizeBytes,
    previewUrl: file ? objectUrl : stored?.previewUrl,
    duration,
    teaser: kind === 'video' ? teaser : { state: 'none' },
    setTeaser,
    chooseTeaser,
    removeStored: () => {
      setStoredRemoved(true)
      setTeaser({ state: 'none' })
    },
    problem: problemOf(upload.phase, kind === 'video' ? teaser : undefined, duration),
  }
}

/** Opens the teaser editor once for a new video, as soon as its length is known; not for one that is settled. */
function useOfferOnce(
  file: File | undefined,
  isReady: boolean,
  offer: () => void,
): (file: File) => void {
  const [offeredFor, setOfferedFor] = useState<File>()
  useEffect(() => {
    if (!file || !isReady || offeredFor === file) return
    setOfferedFor(file)
    offer()
  })
  return setOfferedFor
}

function problemOf(
  phase: UploadControls['upload']['phase'],
  teaser: TeaserChoice | undefined,
  duration: number | undefined,
): string | undefined {
  if (phase === 'failed') return 'Le fichier n’est pas arrivé. Réessayez, ou retirez-le.'
  if (!teaser || teaser.state === 'none') return undefined
  const refusal = duration === undefined ? undefined : validateTeaser(teaser.window, duration)
  if (refusal) return refusal
  if (teaser.state === 'chosen') return undefined
  return 'Gardez l’extrait choisi, ou préférez «\u202FSans extrait\u202F».'
}

/** The fields of the API for the file and its teaser. */
export function attachmentInput({ upload, stored, kind, teaser }: Attachment) {
  const hasTeaser = teaser.state === 'chosen'
  return {
    file_url: upload.phase === 'sent' ? upload.result.url : (stored?.url ?? null),
    file_type: kind ?? null,
    teaser_start: hasTeaser ? teaser.window.start : null,
    teaser_end: hasTeaser ? teaser.window.end : null,
  }
}

/** The length of a video as this browser reads it; undefined meanwhile, or when it cannot. */
function useLocalDuration(url: string | undefined): number | undefined {
  const [known, setKnown] = useState<{ url: string; duration: number }>()
  useEffect(() => {
    if (!url) return
    const video = document.createElement('video')
    video.preload = 'metadata'
    const read = () => {
      // A recording of a browser has an infinite length; the server measures it.
      if (Number.isFinite(video.duration)) setKnown({ url, duration: video.duration })
    }
    video.addEventListener('durationchange', read)
    video.src = url
    return () => {
      video.removeEventListener('durationchange', read)
      video.removeAttribute('src')
      video.load()
    }
  }, [url])
  return known?.url === url ? known?.duration : undefined
}
