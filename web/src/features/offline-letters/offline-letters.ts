import { listReceived } from '#contract/received.ts'
import {
  type FileType,
  getRevelation,
  isOpen,
  type LetterFile,
  LIST_MAX_LIMIT,
  type OpenRevelation,
  type Revelation,
} from '#contract/revelations.ts'
import { ApiError, callApi, isGone, isUnreachable } from '#web/lib/api-client.ts'
import { deliveryKeyHeaders, deviceChoiceOf } from '#web/lib/delivery-key.ts'
import {
  hasOfflineLetters,
  isOfflineCheckDue,
  LINKS_OWNER,
  markOfflineChecked,
  offlineOwner,
  setStoresAllOffline,
  storesAllOffline,
} from './offline-database.ts'
import {
  ALBUM_FIELDS,
  type AlbumField,
  deleteLetter,
  deleteOwner,
  FILE_FIELDS,
  type FileField,
  findLetter,
  listLetters,
  type OfflineFiles,
  type OfflineLetter,
  storeLetter,
} from './offline-store.ts'

export const OFFLINE_MAX_BYTES = 200 * 1024 * 1024

/** There is no room left for this letter among those that are stored. */
export class OfflineFullError extends Error {}

/** Fetches a letter that its reader has opened, and stores it. */
export async function storeOffline(id: string): Promise<void> {
  await storeAmong(await listOffline(), id)
}

/** The same beside what is stored already, which it then is part of. */
async function storeAmong(stored: OfflineLetter[], id: string): Promise<void> {
  const owner = offlineOwner()
  const revelation = await fetchLetter(id)
  if (!isOpen(revelation) || !revelation.is_revealed || revelation.opening.needed) return
  const others = stored.filter((letter) => letter.revelation.id !== id)
  const usedBytes = others.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
  const freeBytes = OFFLINE_MAX_BYTES - usedBytes - revelation.content.length
  const files = await fetchFiles(revelation, freeBytes)
  // Whoever signed out meanwhile leaves nothing here.
  if (offlineOwner() === owner) stored.push(await storeLetter(owner, revelation, files))
}

export async function forgetOffline(id: string): Promise<void> {
  release(id)
  for (const owner of readers()) await deleteLetter(owner, id)
}

/** Whose copies this page reads: what was stored by a link stays readable once its reader signs in. */
function readers(): string[] {
  return [...new Set([offlineOwner(), LINKS_OWNER])]
}

export async function listOffline(): Promise<OfflineLetter[]> {
  if (!hasOfflineLetters()) return []
  const stored = (await Promise.all(readers().map(listLetters))).flat()
  return [...new Map(stored.map((letter) => [letter.revelation.id, letter])).values()]
}

export async function eraseOffline(): Promise<void> {
  setStoresAllOffline(false)
  for (const owner of readers()) await deleteOwner(owner)
}

async function fetchLetter(id: string): Promise<Revelation> {
  const headers = deliveryKeyHeaders(id)
  return (await callApi(getRevelation, { params: { id } }, { headers })).revelation
}

async function fetchFiles(revelation: OpenRevelation, freeBytes: number): Promise<OfflineFiles> {
  const files: OfflineFiles = {}
  let leftBytes = freeBytes
  for (const [field, url] of addressesOf(revelation)) {
    const download = new AbortController()
    const answer = await fetch(new URL(url, window.location.origin), {
      cache: 'no-store',
      signal: download.signal,
    })
    if (!answer.ok) throw new ApiError('', 'http', answer.status)
    // Before its bytes come: each visit would download them again, to throw them away.
    if (Number(answer.headers.get('content-length')) > leftBytes) {
      download.abort()
      throw new OfflineFullError()
    }
    const file = await answer.blob()
    leftBytes -= file.size
    files[field] = file
  }
  if (leftBytes < 0) throw new OfflineFullError()
  return files
}

function addressesOf(revelation: OpenRevelation): [FileField, string][] {
  const { file_type, file_url, file_mobile_url, files = [] } = revelation
  const first = { type: file_type, url: file_url, mobile_url: file_mobile_url }
  const own = FILE_FIELDS.map((field) => {
    const isStoredFile = isStoredOffline(first, OWN_FIELDS[field])
    return [field, isStoredFile ? revelation[field] : null] as const
  })
  const others = files.flatMap((file, at) =>
    ALBUM_FIELDS.map((field) => {
      const isOther = at > 0 && isStoredOffline(file, field)
      return [`files.${at}.${field}`, isOther ? file[field] : null] as const
    }),
  )
  return [...own, ...others].filter((entry): entry is [FileField, string] => Boolean(entry[1]))
}

/** What the fields of a letter are of its first file. */
const OWN_FIELDS = {
  file_url: 'url',
  file_mobile_url: 'mobile_url',
  thumbnail_complete: 'thumbnail',
  seal_voice_url: undefined,
} as const satisfies Record<(typeof FILE_FIELDS)[number], AlbumField | undefined>

/** Films are too large, documents need their reader; of pictures and sounds the light file is enough where there is one. */
function isStoredOffline(
  { type, mobile_url }: Pick<LetterFile, 'mobile_url'> & { type: FileType | null },
  field: AlbumField | undefined,
): boolean {
  const isPlain = type === 'image' || type === 'audio'
  if (field === 'mobile_url') return isPlain
  if (field === 'url') return isPlain && mobile_url === null
  return true
}

/** What is read without a network, each created once: its files have addresses of this page. */
const shown = new Map<string, { revelation: OpenRevelation; urls: string[] }>()

export async function readOffline(id: string): Promise<Revelation | undefined> {
  const owner = offlineOwner()
  const found =
    (owner !== LINKS_OWNER && (await findLetter(owner, id))) ||
    // A link that this device may not store opens nothing from its disk.
    (deviceChoiceOf(id) === 'persisted' && (await findLetter(LINKS_OWNER, id)))
  if (!found) {
    release(id)
    return undefined
  }
  const known = shown.get(id)
  if (known) return known.revelation
  const urls = new Map(
    (Object.entries(found.files) as [FileField, Blob][]).map(([field, file]) => [
      field,
      URL.createObjectURL(file),
    ]),
  )
  const revelation = { ...found.revelation }
  for (const field of FILE_FIELDS) revelation[field] = urls.get(field) ?? revelation[field]
  const { file_mobile_url } = found.files
  // The original was left: what there is of it is the light one.
  if (file_mobile_url) revelation.file_url = revelation.file_mobile_url
  if (revelation.files)
    revelation.files = revelation.files.map((file, at) => copyOf(file, at, urls))
  shown.set(id, { revelation, urls: [...urls.values()] })
  return revelation
}

/** A file of an album as it is stored: what needs the network has no address. */
function copyOf(file: LetterFile, at: number, urls: Map<FileField, string>): LetterFile {
  const find = (own: FileField, field: AlbumField) =>
    urls.get(at === 0 ? own : `files.${at}.${field}`) ?? null
  const mobile_url = find('file_mobile_url', 'mobile_url')
  return {
    ...file,
    mobile_url,
    url: find('file_url', 'url') ?? mobile_url,
    thumbnail: find('thumbnail_complete', 'thumbnail'),
  }
}

function release(id: string): void {
  for (const url of shown.get(id)?.urls ?? []) URL.revokeObjectURL(url)
  shown.delete(id)
}

let updating: Promise<void> = Promise.resolve()

/** Brings the copies up to date: what may not be read any more goes; where all is stored, what was opened since comes. */
export function updateOffline(): Promise<void> {
  // One after the other: two at once would fetch each letter twice.
  updating = updating.catch(() => undefined).then(update)
  return updating
}

async function update(): Promise<void> {
  const ids = new Set((await listOffline()).map(({ revelation }) => revelation.id))
  if (isOfflineCheckDue()) await check(ids)
  if (!storesAllOffline()) return
  const stored = await listOffline()
  let cursor: string | null = null
  do {
    const querystring = {
      state: 'opened',
      limit: LIST_MAX_LIMIT,
      ...(cursor && { cursor }),
    } as const
    const page: Awaited<ReturnType<typeof fetchOpened>> = await fetchOpened(querystring)
    for (const { id } of page.revelations) {
      if (!ids.has(id) && storesAllOffline()) await storeAmong(stored, id)
    }
    cursor = page.next_cursor
  } while (cursor)
}

/** What may not be read any more goes. Without a network nothing was checked. */
async function check(ids: Set<string>): Promise<void> {
  for (const id of ids) {
    try {
      await fetchLetter(id)
    } catch (error) {
      if (isUnreachable(error)) return
      if (isGone(error)) await forgetOffline(id)
    }
  }
  markOfflineChecked()
}

function fetchOpened(querystring: { state: 'opened'; limit: number; cursor?: string }) {
  return callApi(listReceived, { querystring })
}
