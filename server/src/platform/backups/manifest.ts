import { createHash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { z } from 'zod'
import { StartError } from '#server/platform/start-error.ts'
import { moveInto, unlessAbsent } from '#server/platform/storage/folders.ts'

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
  /** Names the folder of this backup’s tables, and the backup itself while it is restored. */
  run: z.string().regex(/^[\w-]+$/),
  beganAt: z.iso.datetime(),
  endedAt: z.iso.datetime(),
  /** Of the master key, which is not here: tells which one opens what is. */
  keyFingerprint: z.string().regex(/^[0-9a-f]{64}$/),
  migrations: z.array(z.string()).min(1),
  tables: z.array(tableSchema),
  sequences: z.array(z.object({ schema: nameSchema, name: nameSchema, value: z.string() })),
  files: z.object({ count: z.int(), bytes: z.int(), list: sumSchema }),
  /** Objects that the rows name and that storage no longer had. */
  missing: z.array(z.string()),
  /** Objects whose rows were deleted while the backup was made. */
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

/** Its own sum is its last line: what was altered by a bit is no manifest. */
function inText(manifest: Manifest): string {
  // In the order of the schema, however it was put together.
  const facts = manifestSchema.parse(manifest)
  const sha256 = createHash('sha256').update(JSON.stringify(facts)).digest('hex')
  return `${JSON.stringify({ ...facts, sha256 }, null, 1)}\n`
}

/** Makes what was written the backup, at once. */
export async function writeManifest(folder: string, manifest: Manifest): Promise<void> {
  const draft = path.join(folder, '.manifest.json')
  await writeFile(draft, inText(manifest), { mode: 0o600, flush: true })
  await moveInto(folder, draft, path.join(folder, FILE))
}

/** Undefined where no backup was ever finished; a `StartError` for one that was altered. */
export async function findManifest(folder: string): Promise<Manifest | undefined> {
  const text = await unlessAbsent(readFile(path.join(folder, FILE), 'utf8'))
  if (text === undefined) return undefined
  const parsed = manifestSchema.safeParse(parse(text)).data
  if (parsed && inText(parsed) === text) return parsed
  throw new StartError(
    `${path.join(folder, FILE)} was altered, or written by another version of this program: this backup cannot be trusted.`,
  )
}

/** Whether a manifest, altered or not, says that it is of the installation with this key. */
export async function namesKey(folder: string, keyFingerprint: string): Promise<boolean> {
  const text = await unlessAbsent(readFile(path.join(folder, FILE), 'utf8'))
  return text?.includes(`"keyFingerprint": "${keyFingerprint}"`) ?? false
}

export async function readManifest(folder: string): Promise<Manifest> {
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
