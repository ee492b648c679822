import { useEffect, useState } from 'react'
import type { UploadResult } from '#contract/media.ts'
import type { FileType } from '#contract/revelations.ts'
import { defaultWindow, refuseWindow, type TeaserWindow } from './teaser-window.ts'
import { useLocalDuration } from './use-local-duration.ts'
import { useObjectUrl } from './use-object-url.ts'
import { type UploadControls, useUpload } from './use-upload.ts'

/** A file that the revelation has already. */
export interface StoredFile {
  /** Its address as the revelation has it. */
  url: string
  /** Where this page can read it while it is edited. */
  previewUrl: string
  kind: FileType
  name: string
  sizeBytes: number
  duration: number | null
  teaser: TeaserWindow | null
}

/** What its author wants to show of a video before the instant; nothing is shown until it is kept. */
export type TeaserChoice =
  | { state: 'asking'; window: TeaserWindow }
  | { state: 'kept'; window: TeaserWindow }
  | { state: 'none' }

export interface Attachment extends UploadControls {
  /** The file the revelation had before, as long as it stays. */
  stored: StoredFile | undefined
  kind: FileType | undefined
  name: string | undefined
  sizeBytes: number | undefined
  /** Where this page can read the file. */
  previewUrl: string | undefined
  duration: number | undefined
  teaser: TeaserChoice
  setTeaser: (choice: TeaserChoice) => void
  /** Starts choosing a teaser, from the usual window. */
  askTeaser: () => void
  removeStored: () => void
  /** Why the form cannot be sent as it is, in words. */
  problem: string | undefined
}

/** The file of a revelation being written: the one it has, or a new one on its way, and what is shown of it. */
export function useAttachment(initial?: StoredFile): Attachment {
  const controls = useUpload()
  const { upload } = controls
  const [isStoredGone, setStoredGone] = useState(false)
  const file = 'file' in upload ? upload.file : undefined
  const stored = file || isStoredGone ? undefined : initial
  const objectUrl = useObjectUrl(file)
  const localDuration = useLocalDuration(
    file && 'kind' in upload && upload.kind === 'video' ? objectUrl : undefined,
  )
  const kind = 'kind' in upload ? upload.kind : stored?.kind
  const sent: UploadResult | undefined = upload.phase === 'sent' ? upload.result : undefined
  const duration = sent?.duration ?? localDuration ?? stored?.duration ?? undefined

  const [teaser, setTeaser] = useState<TeaserChoice>(
    initial?.teaser ? { state: 'kept', window: initial.teaser } : { state: 'none' },
  )
  const usual = duration === undefined ? undefined : defaultWindow(duration)
  const askTeaser = () => {
    if (usual) setTeaser({ state: 'asking', window: usual })
  }
  useAskOnce(file, kind === 'video' && usual !== undefined, askTeaser)

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
      setTeaser(stored?.teaser ? { state: 'kept', window: stored.teaser } : { state: 'none' })
    },
    stored,
    kind,
    name: file?.name ?? stored?.name,
    sizeBytes: file?.size ?? stored?.sizeBytes,
    previewUrl: file ? objectUrl : stored?.previewUrl,
    duration,
    teaser: kind === 'video' ? teaser : { state: 'none' },
    setTeaser,
    askTeaser,
    removeStored: () => {
      setStoredGone(true)
      setTeaser({ state: 'none' })
    },
    problem: problemOf(upload.phase, kind === 'video' ? teaser : undefined, duration),
  }
}

/** A new video goes to the teaser editor, once, as soon as its length is known. */
function useAskOnce(file: File | undefined, isReady: boolean, ask: () => void): void {
  const [askedFor, setAskedFor] = useState<File>()
  useEffect(() => {
    if (!file || !isReady || askedFor === file) return
    setAskedFor(file)
    ask()
  })
}

function problemOf(
  phase: UploadControls['upload']['phase'],
  teaser: TeaserChoice | undefined,
  duration: number | undefined,
): string | undefined {
  if (phase === 'failed') return 'Le fichier n’est pas arrivé. Réessayez, ou retirez-le.'
  if (!teaser || teaser.state === 'none') return undefined
  const refusal = duration === undefined ? undefined : refuseWindow(teaser.window, duration)
  if (refusal) return refusal
  if (teaser.state === 'kept') return undefined
  return 'Gardez l’extrait choisi, ou préférez «\u00A0Sans extrait\u00A0».'
}

/** How a revelation's file is told to the server. */
export function attachmentInput({ upload, stored, kind, teaser }: Attachment) {
  const hasTeaser = teaser.state === 'kept'
  return {
    file_url: upload.phase === 'sent' ? upload.result.url : (stored?.url ?? null),
    file_type: kind ?? null,
    teaser_start: hasTeaser ? teaser.window.start : null,
    teaser_end: hasTeaser ? teaser.window.end : null,
  }
}
