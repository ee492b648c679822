import type { EditRevelationInput } from '#contract/sealing.ts'
import { fileIdIn } from '#server/features/media/file-names.rules.ts'

type AlbumInput = Pick<EditRevelationInput, 'file_url' | 'file_urls' | 'captions'>

/** A file that a letter has. */
export interface StoredFile {
  mediaId: string
  caption: string | null
}

/** A file that a letter is to have. */
export interface PlannedFile {
  /** What named it, for a refusal. */
  field: string
  url: string
  /** Its place among those that the letter has already; undefined for one that is to be claimed. */
  storedAt: number | undefined
  caption: string | null
}

interface Refusal {
  field: string
  refusal: string
}

export type AlbumPlan = { files: PlannedFile[]; isChanged: boolean } | Refusal

/** The files of a letter as an input wants them, in its order; what is absent stays (behaviour.md 3.4). */
export function planAlbum(input: AlbumInput, stored: readonly StoredFile[]): AlbumPlan {
  const named = namedFiles(input, stored)
  if ('refusal' in named) return named
  const { captions } = input
  if (captions && captions.length !== named.length) {
    const refusal = 'Il faut une légende, même vide, pour chaque fichier'
    return { field: 'captions', refusal }
  }
  const ids = named.map(({ url }) => fileIdIn(url) ?? url)
  const twice = ids.findIndex((id, at) => ids.indexOf(id) < at)
  if (twice !== -1) {
    return { field: `file_urls.${twice}`, refusal: 'Ce fichier est déjà dans la lettre' }
  }
  const files = named.map((file, at): PlannedFile => {
    const found = stored.findIndex(({ mediaId }) => mediaId === ids[at])
    const storedCaption = stored[found]?.caption ?? null
    const caption = captions === undefined ? storedCaption : captions?.[at] || null
    return { ...file, storedAt: found === -1 ? undefined : found, caption }
  })
  const isChanged =
    files.length !== stored.length ||
    files.some(({ storedAt, caption }, at) => storedAt !== at || caption !== stored[at]?.caption)
  return { files, isChanged }
}

function namedFiles(
  { file_url, file_urls }: AlbumInput,
  stored: readonly StoredFile[],
): Pick<PlannedFile, 'field' | 'url'>[] | Refusal {
  const first = file_url || undefined
  if (file_urls !== undefined) {
    const urls = file_urls ?? []
    if (file_url !== undefined && !isSameAddress(first, urls[0])) {
      return { field: 'file_url', refusal: 'Le premier des fichiers a une autre adresse' }
    }
    return urls.map((url, at) => ({ field: `file_urls.${at}`, url }))
  }
  // An older client sends back the first file alone: it knows of no other, and takes none away.
  const [storedFirst] = stored
  const isUnchanged = storedFirst !== undefined && first && fileIdIn(first) === storedFirst.mediaId
  if (file_url === undefined || isUnchanged)
    return stored.map(({ mediaId }) => ({ field: 'file_url', url: mediaId }))
  return first ? [{ field: 'file_url', url: first }] : []
}

function isSameAddress(one: string | undefined, other: string | undefined): boolean {
  if (one === undefined || other === undefined) return one === other
  return (fileIdIn(one) ?? one) === (fileIdIn(other) ?? other)
}
