import type { DBSchema } from 'idb'
import type { LetterFile, OpenRevelation, OwnRevelation } from '#contract/revelations.ts'
import { createStoreDatabase } from '#web/lib/store-database.ts'
import { LINKS_OWNER, markOfflineLetters, OFFLINE_DATABASE } from './offline-database.ts'

/** The files of a letter that are stored with it, by the field that has their address. */
export const FILE_FIELDS = [
  'file_url',
  'file_mobile_url',
  'thumbnail_complete',
  'seal_voice_url',
] as const satisfies (keyof OpenRevelation)[]
/** Of the files after the first: its own are the fields of the letter. */
export const ALBUM_FIELDS = [
  'url',
  'mobile_url',
  'thumbnail',
] as const satisfies (keyof LetterFile)[]
export type AlbumField = (typeof ALBUM_FIELDS)[number]

export type FileField = (typeof FILE_FIELDS)[number] | `files.${number}.${AlbumField}`

export type OfflineFiles = Partial<Record<FileField, Blob>>

/** Nothing on the disk is readable without the key, which no script can take out of the browser. */
interface Sealed {
  iv: Uint8Array<ArrayBuffer>
  data: ArrayBuffer
}

interface SealedLetter extends Sealed {
  sizeBytes: number
  files: (Sealed & { field: FileField; type: string })[]
}

interface OfflineSchema extends DBSchema {
  /** `owner/key` and `owner/letter/id`. */
  records: { key: string; value: CryptoKey | SealedLetter }
}

const STORE = 'records'
const ALGORITHM = { name: 'AES-GCM', length: 256 }

const withDatabase = createStoreDatabase<OfflineSchema>(OFFLINE_DATABASE, STORE)

const keyName = (owner: string) => `${owner}/key`
const letterName = (owner: string, id: string) => `${owner}/letter/${id}`
const allOf = (prefix: string) => IDBKeyRange.bound(prefix, `${prefix}\uffff`)

export interface OfflineLetter {
  revelation: OpenRevelation
  sizeBytes: number
}

/** Rejects on a device without room. */
export async function storeLetter(
  owner: string,
  revelation: OpenRevelation,
  files: OfflineFiles,
): Promise<OfflineLetter> {
  const key = await getKey(owner)
  const sealed = await seal(key, new TextEncoder().encode(JSON.stringify(revelation)))
  const sealedFiles = await Promise.all(
    (Object.entries(files) as [FileField, Blob][]).map(([field, file]) =>
      sealFile(key, field, file),
    ),
  )
  const sizeBytes = [sealed, ...sealedFiles].reduce((sum, { data }) => sum + data.byteLength, 0)
  markOfflineLetters()
  const letter = { ...sealed, sizeBytes, files: sealedFiles }
  await withDatabase((database) => database.put(STORE, letter, letterName(owner, revelation.id)))
  return { revelation, sizeBytes }
}

async function sealFile(key: CryptoKey, field: FileField, file: Blob) {
  return { ...(await seal(key, await file.arrayBuffer())), field, type: file.type }
}

/** The letters of this owner, without their files. */
export async function listLetters(owner: string): Promise<OfflineLetter[]> {
  const found = await withDatabase(async (database) => {
    const { store, done } = database.transaction(STORE)
    const [key, letters] = await Promise.all([
      store.get(keyName(owner)),
      store.getAll(allOf(letterName(owner, ''))),
    ])
    await done
    return { key, letters: letters as SealedLetter[] }
  })
  const { key } = found
  if (!isKey(key)) return []
  return Promise.all(
    found.letters.map(async (letter) => ({
      revelation: parseLetter(await unseal(key, letter)),
      sizeBytes: letter.sizeBytes,
    })),
  )
}

export async function findLetter(
  owner: string,
  id: string,
): Promise<{ revelation: OpenRevelation; files: OfflineFiles } | undefined> {
  const [key, letter] = await withDatabase((database) =>
    Promise.all([
      database.get(STORE, keyName(owner)),
      database.get(STORE, letterName(owner, id)) as Promise<SealedLetter | undefined>,
    ]),
  )
  if (!isKey(key) || !letter) return undefined
  const files: OfflineFiles = {}
  for (const file of letter.files) {
    files[file.field] = new Blob([await unseal(key, file)], { type: file.type })
  }
  return { revelation: parseLetter(await unseal(key, letter)), files }
}

export async function deleteLetter(owner: string, id: string): Promise<void> {
  await withDatabase((database) => database.delete(STORE, letterName(owner, id)))
}

/** The letters of this owner and the key they are under. */
export async function deleteOwner(owner: string): Promise<void> {
  await withDatabase((database) => database.delete(STORE, allOf(`${owner}/`)))
}

/** What accounts stored: their session ended, and their keys go with it. */
export async function deleteAccounts(): Promise<void> {
  await withDatabase(async (database) => {
    const { store, done } = database.transaction(STORE, 'readwrite')
    for (const name of await store.getAllKeys()) {
      if (!name.startsWith(`${LINKS_OWNER}/`)) void store.delete(name)
    }
    await done
  })
}

async function getKey(owner: string): Promise<CryptoKey> {
  const created = await crypto.subtle.generateKey(ALGORITHM, false, ['encrypt', 'decrypt'])
  return withDatabase(async (database) => {
    const { store, done } = database.transaction(STORE, 'readwrite')
    const known = await store.get(keyName(owner))
    if (!known) await store.put(created, keyName(owner))
    await done
    return isKey(known) ? known : created
  })
}

function isKey(record: CryptoKey | SealedLetter | undefined): record is CryptoKey {
  return record !== undefined && !('data' in record)
}

async function seal(key: CryptoKey, plain: BufferSource): Promise<Sealed> {
  const iv = crypto.getRandomValues(new Uint8Array(12))
  return { iv, data: await crypto.subtle.encrypt({ name: ALGORITHM.name, iv }, key, plain) }
}

function unseal(key: CryptoKey, { iv, data }: Sealed): Promise<ArrayBuffer> {
  return crypto.subtle.decrypt({ name: ALGORITHM.name, iv }, key, data)
}

function parseLetter(plain: ArrayBuffer): OpenRevelation {
  const letter: OpenRevelation & Partial<OwnRevelation> = JSON.parse(
    new TextDecoder().decode(plain),
  )
  const { delivery, deliveries } = letter
  // Stored before a letter had several recipients.
  return delivery && !deliveries ? { ...letter, ...{ deliveries: [delivery] } } : letter
}
