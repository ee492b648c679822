import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { appendFile, chmod, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { z } from 'zod'
import { StartError } from '#server/platform/start-error.ts'
import { createSum, type Sum } from '#server/platform/storage/copy-files.ts'
import { openDiskReader, openDiskStorage } from '#server/platform/storage/disk-storage.ts'
import { createFolder, ignoreMissing, moveInto } from '#server/platform/storage/folders.ts'
import type { ReadableStorage, Storage } from '#server/platform/storage/storage.ts'
import { logMarkSchema } from './log-mark.ts'

export interface BackupFolder {
  path: string
  /** The files of the backup, under their keys in the installation. */
  files: Storage
  /** The finished backup that the folder contains. */
  previous: Manifest | undefined
  /** Whether the folder contains a backup with an altered manifest, which cannot be trusted. */
  isAltered: boolean
}

/** Opens a folder to write a backup to: new, empty, or with backups of this installation. */
export async function openBackupFolder(
  folder: string,
  keyFingerprint: string,
): Promise<BackupFolder> {
  let isAltered = false
  const previous = await findManifest(folder).catch(async (error) => {
    if (!(await hasKeyFingerprint(folder, keyFingerprint))) throw error
    isAltered = true
    return undefined
  })
  if (previous && previous.keyFingerprint !== keyFingerprint) {
    throw new StartError(
      `${folder} holds the backup of another installation: choose another folder.`,
    )
  }
  const entries = (await ignoreMissing(readdir(folder))) ?? []
  if (entries.length > 0 && !entries.includes('database')) {
    throw new StartError(`${folder} is not empty and holds no backup: choose another folder.`)
  }
  await prepare(folder)
  const files = await openDiskStorage(path.join(folder, 'files'))
  return { path: folder, files, previous, isAltered }
}

async function prepare(folder: string): Promise<void> {
  try {
    await createFolder(path.join(folder, 'database'), 0o700)
    // Even sealed, it contains the names and texts of people.
    await chmod(folder, 0o700)
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    throw new StartError(`A backup cannot be written to ${folder} (${code ?? message}).`)
  }
}

/** The files of a backup, which may be on a read-only medium. */
export function openBackupFiles(folder: string): ReadableStorage {
  return openDiskReader(path.join(folder, 'files'))
}

/** Deletes the files that the finished backup does not name, and returns their keys. */
export async function deleteUnnamed(
  { path: folder, files }: BackupFolder,
  run: string,
  named: FileList,
): Promise<string[]> {
  await rm(journalPath(folder), { force: true })
  for (const name of await readdir(path.join(folder, 'database'))) {
    if (name !== run) await rm(tablesFolder(folder, name), { recursive: true, force: true })
  }
  const removed: string[] = []
  for await (const { key } of files.list('')) {
    if (named.has(key)) continue
    await files.delete(key)
    removed.push(key)
  }
  return removed
}

const FORMAT = 1
const FILE = 'manifest.json'

const sumSchema = z.object({
  sizeBytes: z.int().nonnegative(),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
})
const nameSchema = z.string().regex(/^[a-z_][a-z0-9_]*$/)

const tableSchema = sumSchema.extend({
  schema: nameSchema,
  name: nameSchema,
  columns: z.array(nameSchema),
  rows: z.int().nonnegative(),
})

const manifestSchema = z.object({
  format: z.literal(FORMAT),
  productVersion: z.string(),
  /** The name of the folder of this backup's tables, and of the backup during a restore. */
  run: z.string().regex(/^[\w-]+$/),
  beganAt: z.iso.datetime(),
  endedAt: z.iso.datetime(),
  /** The fingerprint of the master key that opens this backup; the key itself is not part of it. */
  keyFingerprint: z.string().regex(/^[0-9a-f]{64}$/),
  migrations: z.array(z.string()).min(1),
  tables: z.array(tableSchema),
  sequences: z.array(z.object({ schema: nameSchema, name: nameSchema, value: z.string() })),
  /** Earlier versions wrote none. */
  log: z.optional(logMarkSchema),
  files: z.object({ count: z.int(), bytes: z.int(), list: sumSchema }),
  /** Objects that rows name and that were missing in the storage. */
  missing: z.array(z.string()),
  /** Objects whose rows were deleted during the backup. */
  gone: z.array(z.string()),
})

export type Manifest = z.infer<typeof manifestSchema>
export type TableFile = Manifest['tables'][number]

export function tablesFolder(folder: string, run: string): string {
  return path.join(folder, 'database', run)
}

export function tablePath(folder: string, run: string, table: { schema: string; name: string }) {
  return path.join(tablesFolder(folder, run), `${table.schema}.${table.name}.copy.zst`)
}

export function listPath(folder: string, run: string): string {
  return path.join(tablesFolder(folder, run), 'files.jsonl')
}

/** The text of a manifest. It ends with its own hash: a changed bit is noticed. */
function formatManifest(manifest: Manifest): string {
  // zod puts the fields into the order of the schema.
  const facts = manifestSchema.parse(manifest)
  const sha256 = createHash('sha256').update(JSON.stringify(facts)).digest('hex')
  return `${JSON.stringify({ ...facts, sha256 }, null, 1)}\n`
}

/** Replaces the manifest in one step: from then on the written files are the backup. */
export async function writeManifest(folder: string, manifest: Manifest): Promise<void> {
  const draft = path.join(folder, '.manifest.json')
  await writeFile(draft, formatManifest(manifest), { mode: 0o600, flush: true })
  await moveInto(folder, draft, path.join(folder, FILE))
}

/** Undefined in a folder without a finished backup; throws a `StartError` for an altered manifest. */
async function findManifest(folder: string): Promise<Manifest | undefined> {
  const text = await ignoreMissing(readFile(path.join(folder, FILE), 'utf8'))
  if (text === undefined) return undefined
  const parsed = manifestSchema.safeParse(parse(text)).data
  if (parsed && formatManifest(parsed) === text) return parsed
  throw new StartError(
    `${path.join(folder, FILE)} was altered, or written by another version of this program: this backup cannot be trusted.`,
  )
}

/** Whether a manifest, altered or not, contains the fingerprint of this key. */
async function hasKeyFingerprint(folder: string, keyFingerprint: string): Promise<boolean> {
  const text = await ignoreMissing(readFile(path.join(folder, FILE), 'utf8'))
  return text?.includes(`"keyFingerprint": "${keyFingerprint}"`) ?? false
}

export async function getManifest(folder: string): Promise<Manifest> {
  const manifest = await findManifest(folder)
  if (manifest) return manifest
  throw new StartError(`There is no finished backup in ${folder}: it has no ${FILE}.`)
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const entrySchema = z.object({
  key: z.string(),
  sizeBytes: z.int(),
  sha256: z.string(),
  readAt: z.optional(z.string()),
})

/** The sum of an object in a backup, and when it was last read there; lists of earlier versions lack `readAt`. */
export interface ListedFile extends Sum {
  readAt?: string | undefined
}

/** The objects of a backup by their keys. */
export type FileList = Map<string, ListedFile>

/** Writes one line per object, in order: equal lists are equal files. */
export async function writeFileList(file: string, files: FileList): Promise<Sum> {
  const lines = [...files].sort(([one], [other]) => (one < other ? -1 : 1)).map(formatLine)
  const bytes = Buffer.from(lines.join(''))
  await writeFile(file, bytes, { flag: 'wx', mode: 0o600, flush: true })
  const { add, sum } = createSum()
  add(bytes)
  return sum()
}

/** Empty for a missing file; skips a line that a kill cut. */
export async function readFileList(file: string): Promise<FileList> {
  const files: FileList = new Map()
  try {
    for await (const line of createInterface({ input: createReadStream(file) })) {
      const entry = parseLine(line)
      if (!entry) continue
      const { key, ...file } = entry
      files.set(key, file)
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
  return files
}

/** The list of copied files, from which an interrupted backup continues. */
export function journalPath(folder: string): string {
  return path.join(folder, 'database', 'copied.jsonl')
}

export async function appendCopied(folder: string, key: string, sum: Sum): Promise<void> {
  // A line feed on both sides: an incomplete line before it must not damage it.
  await appendFile(journalPath(folder), `\n${formatLine([key, sum])}`, { mode: 0o600 })
}

function formatLine([key, { sizeBytes, sha256, readAt }]: [string, ListedFile]): string {
  return `${JSON.stringify({ key, sizeBytes, sha256, readAt })}\n`
}

function parseLine(line: string) {
  try {
    return entrySchema.safeParse(JSON.parse(line)).data
  } catch {
    return undefined
  }
}

/** The progress of a backup or a restore, and the signal that stops it. */
export interface Report {
  /** Prints a sentence for the operator. */
  print(sentence: string): void
  /** Reports the number of files that are done. */
  count(done: number, total: number, bytes: number): void
  signal: AbortSignal
}
