import { ALBUM_MAX_FILES, CAPTION_MAX_LENGTH } from '#contract/albums.ts'
import type { FileType } from '#contract/revelations.ts'
import { counted } from '#web/lib/format.ts'
import { validateFile } from './file-facts.ts'
import type { TeaserWindow } from './teaser-window.ts'
import type { FileUpload } from './use-uploads.ts'

/** One file of an album, whichever it is: its place in the order, and what its author says of it. */
export interface AlbumEntry {
  id: string
  caption: string
}

/** A file that the revelation has already. */
export interface StoredFile extends AlbumEntry {
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

/** A file of the form: sent from here, or in the letter already. */
export interface AlbumItem extends AlbumEntry {
  kind: FileType
  name: string
  sizeBytes: number
  upload: FileUpload | undefined
  stored: StoredFile | undefined
  /** What the server refuses of it. */
  refusal: string | undefined
}

/** The order that is known, with what came since at its end. */
export function withNew(
  known: readonly AlbumEntry[],
  ids: readonly string[],
): readonly AlbumEntry[] {
  const others = ids.filter((id) => !known.some((entry) => entry.id === id))
  return others.length === 0 ? known : [...known, ...others.map((id) => ({ id, caption: '' }))]
}

/**
 * Moves one to a place among those that are here. Those that have to be chosen again are not, and stay where they
 * are.
 */
export function moveEntry(
  entries: readonly AlbumEntry[],
  isHere: (id: string) => boolean,
  { id, to }: { id: string; to: number },
): readonly AlbumEntry[] {
  const here = entries.filter((entry) => isHere(entry.id))
  const from = here.findIndex((entry) => entry.id === id)
  const [moved] = from === -1 ? [] : here.splice(from, 1)
  if (!moved) return entries
  here.splice(Math.max(0, Math.min(to, here.length)), 0, moved)
  return entries.map((entry) => (isHere(entry.id) ? (here.shift() ?? entry) : entry))
}

export function setCaptionOf(
  entries: readonly AlbumEntry[],
  id: string,
  caption: string,
): readonly AlbumEntry[] {
  return entries.map((entry) => (entry.id === id ? { id, caption } : entry))
}

/** Whether they are more than one file alone. */
export function isListed(files: readonly AlbumEntry[]): boolean {
  return files.length > 1 || files.some(({ caption }) => caption.trim() !== '')
}

/** Whether nothing was added, moved, removed or described otherwise. */
export function isSame(entries: readonly AlbumEntry[], stored: readonly StoredFile[]): boolean {
  return (
    entries.length === stored.length &&
    entries.every(
      ({ id, caption }, at) => id === stored[at]?.id && caption.trim() === stored[at]?.caption,
    )
  )
}

/** What is accepted of the files that were chosen, and why others are not. */
export function chosenOf(files: readonly File[], room: number) {
  const sentences: string[] = []
  const valid = files.filter((file) => {
    const error = validateFile(file)
    if (error)
      sentences.push(files.length > 1 ? `«\u202F${file.name}\u202F»\u202F: ${error}` : error)
    return error === undefined
  })
  const left = valid.slice(room).length
  if (left > 0) {
    sentences.push(
      `Une lettre porte ${ALBUM_MAX_FILES} fichiers au plus\u202F: ${
        left > 1 ? `les ${left} derniers ne sont pas joints` : 'le dernier n’est pas joint'
      }.`,
    )
  }
  return { accepted: valid.slice(0, room), sentence: together(sentences) }
}

function together(sentences: readonly string[]): string | undefined {
  if (sentences.length < 2) return sentences[0]
  return sentences.map((sentence) => (sentence.endsWith('.') ? sentence : `${sentence}.`)).join(' ')
}

/** Why files cannot be sealed as they are. */
export function problemOf(items: readonly AlbumItem[]): string | undefined {
  const failed = items.filter(({ upload }) => upload?.phase === 'failed')
  const [one] = failed
  if (one && items.length === 1) return 'Le fichier n’est pas arrivé. Réessayez, ou retirez-le.'
  if (failed.length > 1) {
    return `${counted(failed.length, 'fichier n’est', 'fichiers ne sont')} pas arrivés. Réessayez, ou retirez-les.`
  }
  if (one) return `«\u202F${one.name}\u202F» n’est pas arrivé. Réessayez, ou retirez ce fichier.`
  return items.some(({ caption }) => caption.trim().length > CAPTION_MAX_LENGTH)
    ? CAPTION_TOO_LONG
    : undefined
}

export const CAPTION_TOO_LONG = 'Une légende ne peut pas dépasser 200 caractères'

/** « file_urls.3 » and « captions.2 » are about the files in these places. */
export function refusalsOf(
  fields: Readonly<Record<string, string>>,
  items: readonly AlbumItem[],
): Record<string, string> {
  const found: Record<string, string> = {}
  for (const [name, sentence] of Object.entries(fields)) {
    const [, at] = /^(?:file_urls|captions)\.(\d+)$/.exec(name) ?? []
    const item = at === undefined ? undefined : items[Number(at)]
    if (item) found[item.id] = sentence
  }
  return found
}
