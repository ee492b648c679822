import { useEffect, useState } from 'react'
import type { FileType } from '#contract/revelations.ts'
import type { AlbumItem } from './album-rules.ts'
import { defaultWindow, type TeaserWindow, validateTeaser } from './teaser-window.ts'
import { useObjectUrl } from './use-object-url.ts'

/** What the author shows of a video before the reveal: only a chosen window. */
export type TeaserChoice =
  | { state: 'editing'; window: TeaserWindow }
  | { state: 'chosen'; window: TeaserWindow }
  | { state: 'none' }

/** The first file of a form, or its only one. */
export interface Attachment {
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
  /** Why nothing can be sealed with this teaser. */
  problem: string | undefined
}

/** What was chosen to be shown of films, by their ids. */
export type Teasers = Readonly<Record<string, TeaserChoice>>

const NONE: TeaserChoice = { state: 'none' }

/** The first file with its teaser, which is offered once for a new video, as soon as its length is known. */
export function useAttachment(
  first: AlbumItem | undefined,
  teasers: Teasers,
  setTeaserOf: (id: string, choice: TeaserChoice) => void,
): Attachment {
  const file = first?.upload?.file
  const objectUrl = useObjectUrl(file)
  const kind = first?.kind
  const localDuration = useLocalDuration(kind === 'video' && file ? objectUrl : undefined)
  const sent = first?.upload?.phase === 'sent' ? first.upload.result : undefined
  const duration = sent?.duration ?? localDuration ?? first?.stored?.duration ?? undefined

  const chosen = first && teasers[first.id]
  const teaser = kind === 'video' && chosen ? chosen : NONE
  const setTeaser = (choice: TeaserChoice) => first && setTeaserOf(first.id, choice)
  const initialWindow = duration === undefined ? undefined : defaultWindow(duration)
  const chooseTeaser = () => {
    if (initialWindow) setTeaser({ state: 'editing', window: initialWindow })
  }
  const isToOffer = kind === 'video' && chosen === undefined && initialWindow !== undefined
  useEffect(() => {
    if (isToOffer) chooseTeaser()
  })

  return {
    kind,
    name: first?.name,
    sizeBytes: first?.sizeBytes,
    previewUrl: file ? objectUrl : first?.stored?.previewUrl,
    duration,
    teaser,
    setTeaser,
    chooseTeaser,
    problem: kind === 'video' ? problemOf(teaser, duration) : undefined,
  }
}

function problemOf(teaser: TeaserChoice, duration: number | undefined): string | undefined {
  if (teaser.state === 'none') return undefined
  const refusal = duration === undefined ? undefined : validateTeaser(teaser.window, duration)
  if (refusal) return refusal
  if (teaser.state === 'chosen') return undefined
  return 'Gardez l’extrait choisi, ou préférez «\u202FSans extrait\u202F».'
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
