import { useState } from 'react'
import { ALBUM_MAX_FILES } from '#contract/albums.ts'
import type { StoredUpload } from '#web/features/uploads/uploads-store.ts'
import {
  type AlbumEntry,
  type AlbumItem,
  chosenOf,
  isListed,
  isSame,
  moveEntry,
  problemOf,
  refusalsOf,
  type StoredFile,
  setCaptionOf,
  withNew,
} from './album-rules.ts'
import { validateFile } from './file-facts.ts'
import {
  type Attachment,
  type TeaserChoice,
  type Teasers,
  useAttachment,
} from './use-attachment.ts'
import { isOnItsWay, useUploads } from './use-uploads.ts'

/** What a draft stores of its files, besides what is stored of each upload. */
export interface DraftAlbum {
  files: readonly AlbumEntry[]
  /** Of the first. */
  teaser: TeaserChoice | null
}

export interface Album {
  items: readonly AlbumItem[]
  first: Attachment
  /** It is shown as a list: there are several files, or there were, or one has a caption. */
  isList: boolean
  isFull: boolean
  /** A file is being sent, and not finished. */
  isOnItsWay: boolean
  /** A film that is not the first any more, and whose teaser is not shown for that. */
  withoutTeaser: AlbumItem | undefined
  /** Why the form cannot be submitted. */
  problem: string | undefined
  /** Why what was chosen last is not there. */
  refusal: string | undefined
  /** The order and captions, with those of files that have to be chosen again. */
  entries: readonly AlbumEntry[]
  /** Whether the files, their order or captions are others than those of the letter. */
  isChanged: boolean
  add: (files: readonly File[]) => void
  /** Sends a file in the place of the only one, which comes back if it is removed. */
  replace: (file: File) => void
  /** Takes a file away, and deletes what has arrived of it. */
  remove: (id: string) => void
  clear: () => void
  /** Retries now what waits or has failed. */
  retry: (id: string) => void
  move: (id: string, to: number) => void
  setCaption: (id: string, caption: string) => void
  /** Resumes an upload with its file, of which nothing is known but that. */
  resume: (file: File, before: StoredUpload) => void
  /** Resumes one of the draft; `teaser` if the draft does not know its order. */
  restore: (file: File, before: StoredUpload, teaser: TeaserChoice | null) => void
  /** Shows what the server refuses of single files; false when it is about none. */
  showRefusals: (fields: Readonly<Record<string, string>>) => boolean
  clearRefusals: () => void
  /** Deletes what has arrived from here and shows the error; the files may be sent again. */
  reject: (error: string) => Promise<void>
  /** The revelation uses the files: this device forgets them. */
  complete: () => void
}

interface AlbumOptions {
  stored?: readonly StoredFile[] | undefined
  draftAlbum?: DraftAlbum | undefined
  draftId?: string | undefined
}

const NO_FILES: readonly StoredFile[] = []

/** The files of a form in their author’s order: stored ones and new ones, each with its caption and its own upload. */
export function useAlbum({ stored = NO_FILES, draftAlbum, draftId }: AlbumOptions): Album {
  const uploads = useUploads('', draftId)
  const [known, setKnown] = useState<readonly AlbumEntry[]>(() =>
    initialEntries(stored, draftAlbum),
  )
  const [teasers, setTeasers] = useState<Teasers>(() => initialTeasers(stored, draftAlbum))
  const [refused, setRefused] = useState<Readonly<Record<string, string>>>({})
  const [refusal, setRefusal] = useState<string>()
  const [replaced, setReplaced] = useState<AlbumEntry>()
  const [opened] = useState(stored)

  const entries = withNew(
    known,
    uploads.files.map(({ id }) => id),
  )
  const items = entries.flatMap((entry) => itemOf(entry) ?? [])
  const isList = useIsList(items)
  const isHere = (id: string) => items.some((item) => item.id === id)
  const setTeaserOf = (id: string, choice: TeaserChoice) =>
    setTeasers((chosen) => ({ ...chosen, [id]: choice }))
  const first = useAttachment(items[0], teasers, setTeaserOf)

  function itemOf(entry: AlbumEntry): AlbumItem | undefined {
    const shared = { ...entry, refusal: refused[entry.id] }
    const upload = uploads.files.find(({ id }) => id === entry.id)?.upload
    if (upload) {
      const { name, size } = upload.file
      return { ...shared, kind: upload.kind, name, sizeBytes: size, upload, stored: undefined }
    }
    const file = stored.find(({ id }) => id === entry.id)
    if (!file) return undefined
    const { kind, name, sizeBytes } = file
    return { ...shared, kind, name, sizeBytes, upload: undefined, stored: file }
  }
  /** A film that comes to be the first shows nothing of itself unless its author says so. */
  const arrange = (next: readonly AlbumEntry[]) => {
    setKnown(next)
    const [leading] = next.filter(({ id }) => isHere(id))
    if (leading && teasers[leading.id] === undefined) setTeaserOf(leading.id, { state: 'none' })
  }
  const drop = (id: string) => {
    uploads.remove(id)
    arrange(entries.filter((entry) => entry.id !== id))
    setRefusal(undefined)
  }

  return {
    items,
    first,
    isList,
    isFull: items.length >= ALBUM_MAX_FILES,
    isOnItsWay: items.some(({ upload }) => upload && isOnItsWay(upload)),
    withoutTeaser: items.slice(1).find(({ id }) => teasers[id]?.state === 'chosen'),
    problem: problemOf(items) ?? first.problem,
    refusal,
    entries,
    isChanged: !isSame(entries, opened),
    add: (files) => {
      const { accepted, sentence } = chosenOf(files, ALBUM_MAX_FILES - items.length)
      setRefusal(sentence)
      setReplaced(undefined)
      for (const file of accepted) uploads.start(file)
    },
    replace: (file) => {
      const error = validateFile(file)
      setRefusal(error)
      if (error) return
      const [former] = items
      for (const { id } of items) uploads.remove(id)
      setReplaced(former?.stored && { id: former.id, caption: former.caption })
      setKnown([])
      uploads.start(file)
    },
    remove: (id) => {
      drop(id)
      if (items.length === 1 && replaced) setKnown([replaced])
      setReplaced(undefined)
    },
    clear: () => {
      for (const { id } of items) uploads.remove(id)
      setKnown([])
      setRefusal(undefined)
      setRefused({})
    },
    retry: uploads.retry,
    move: (id, to) => arrange(moveEntry(entries, isHere, { id, to })),
    setCaption: (id, caption) => {
      setKnown(setCaptionOf(entries, id, caption))
      setRefused(({ [id]: _, ...others }) => others)
    },
    resume: (file, before) => void uploads.start(file, before),
    restore: (file, before, teaser) => {
      const isOnly = known.length === 0 && items.length === 0
      if (teaser && isOnly) setTeaserOf(before.id, teaser)
      uploads.start(file, before)
    },
    showRefusals: (fields) => {
      const found = refusalsOf(fields, items)
      setRefused(found)
      return Object.keys(found).length > 0
    },
    clearRefusals: () => setRefused({}),
    reject: uploads.reject,
    complete: uploads.complete,
  }
}

/** The fields of the API for the files and the teaser of the first: one without a caption has no list. */
export function albumInput({ items, first, isChanged }: Album, stored: readonly StoredFile[] = []) {
  const { teaser } = first
  const hasTeaser = teaser.state === 'chosen'
  const urls = items.map(urlOf)
  const wasList = isListed(stored)
  const isSent = isChanged && urls.length > 0 && (wasList || isListed(items))
  return {
    file_url: urls[0] ?? null,
    file_type: first.kind ?? null,
    teaser_start: hasTeaser ? teaser.window.start : null,
    teaser_end: hasTeaser ? teaser.window.end : null,
    ...(isSent && {
      file_urls: urls.map((url) => url ?? ''),
      captions: items.map(({ caption }) => caption.trim() || null),
    }),
  }
}

function urlOf({ upload, stored }: AlbumItem): string | null {
  return upload?.phase === 'sent' ? upload.result.url : (stored?.url ?? null)
}

/** A list stays one while there is something in it: it does not turn into something else under a hand. */
function useIsList(items: readonly AlbumItem[]): boolean {
  const [wasList, setWasList] = useState(false)
  const isList = items.length > 0 && (wasList || isListed(items))
  if (isList !== wasList) setWasList(isList)
  return isList
}

function initialEntries(stored: readonly StoredFile[], draftAlbum: DraftAlbum | undefined) {
  return [...stored, ...(draftAlbum?.files ?? [])].map(({ id, caption }) => ({ id, caption }))
}

function initialTeasers(
  stored: readonly StoredFile[],
  draftAlbum: DraftAlbum | undefined,
): Teasers {
  const ofStored = stored.map(({ id, teaser }) => [
    id,
    teaser ? ({ state: 'chosen', window: teaser } as const) : ({ state: 'none' } as const),
  ])
  const [draftFirst] = draftAlbum?.files ?? []
  return {
    ...Object.fromEntries(ofStored),
    ...(draftFirst && draftAlbum?.teaser && { [draftFirst.id]: draftAlbum.teaser }),
  }
}
