import { execFile } from 'node:child_process'
import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { cp, mkdir, rm } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import type { Kind } from '#contract/kinds.ts'
import type { Visibility } from '#contract/revelations.ts'
import { readConfig } from '#server/config.ts'
import type { AppContext } from '#server/context.ts'
import { createContext } from '#server/create-context.ts'
import { createMediaKeys, sealFacts } from '#server/features/media/file-keys.service.ts'
import { MEDIA_PREFIX } from '#server/features/media/media.rules.ts'
import { appendSeals } from '#server/features/proofs/seals.service.ts'
import { sealLetter } from '#server/features/revelations/letters.service.ts'
import { hooks } from '#server/hooks.ts'
import { createLog } from '#server/platform/log.ts'
import { putSealed } from '#server/platform/sealing/stored-file.ts'
import { newStorageKey } from '#server/platform/storage/storage.ts'
import { seedDatabase } from '#server/seed/seed-database.ts'
import { type AtEnd, createFolder } from './harness/clean-up.ts'
import { describeMachine, watchForeignCpu } from './harness/machine.ts'
import type { Options } from './harness/options.ts'

const FILE_BYTES = 5_000_000
const COMMANDS = path.resolve(import.meta.dirname, '../../server/src/operator')

const runTool = promisify(execFile)

/** The duration of a backup, its restore and the opening of everything, beside a copy of the same bytes. */
export async function run({ gigabytes, ...options }: Options, atEnd: AtEnd): Promise<void> {
  const revelations = options.revelations[0] ?? 0
  const folder = await createFolder(atEnd)
  const source = path.join(folder, 'source')
  const target = path.join(folder, 'target')
  const backup = path.join(folder, 'backup')
  await createInstallation(source, gigabytes, revelations)
  console.log(describeMachine())
  console.log(`${revelations} revelations, ${gigabytes} GB of sealed files.\n`)
  const rows: Record<string, object> = {}
  async function time(name: string, work: () => Promise<string>): Promise<void> {
    const foreign = await watchForeignCpu()
    const startedAt = performance.now()
    const summary = await work()
    const seconds = (performance.now() - startedAt) / 1000
    rows[name] = {
      seconds: Math.round(seconds * 10) / 10,
      'MB/s': Math.round((gigabytes * 1000) / seconds),
      'cores busy elsewhere': Math.round((await foreign()) * 10) / 10,
    }
    console.log(`${name}, ${Math.round(seconds)} s: ${summary}`)
  }
  const command = (name: string, dataDir: string, ...args: string[]) =>
    runCommand(path.join(COMMANDS, `${name}.ts`), dataDir, args)
  await time('cp and sync of the same files', () => copyPlainly(source, path.join(folder, 'plain')))
  await time('backup', () => command('backup', source, backup))
  await time('backup again', () => command('backup', source, backup))
  await time('backup --verify', () => command('backup', source, '--verify', backup))
  await mkdir(target)
  await cp(path.join(source, 'keys'), path.join(target, 'keys'), { recursive: true })
  await time('restore', () => command('restore', target, backup))
  await time('verify', () => command('verify', target))
  console.table(rows)
}

async function createInstallation(
  dataDir: string,
  gigabytes: number,
  revelations: number,
): Promise<void> {
  const config = readConfig({ DATA_DIR: dataDir, PATH: process.env.PATH })
  const ctx = await createContext(config, {
    log: createLog('error', process.stderr),
    jobs: [],
    hooks,
  })
  try {
    await seedDatabase(ctx, { users: Math.max(1, Math.round(revelations / 100)), revelations })
    const count = Math.round((gigabytes * 1e9) / FILE_BYTES)
    await attachFiles(ctx, { count, sizeBytes: FILE_BYTES })
  } finally {
    await ctx.close()
  }
}

async function copyPlainly(source: string, target: string): Promise<string> {
  await runTool('cp', ['-a', path.join(source, 'files'), target])
  await runTool('sync', ['-f', target])
  await rm(target, { recursive: true })
  return 'copied.'
}

/** The last line of its output. */
async function runCommand(script: string, dataDir: string, args: string[]): Promise<string> {
  const { PATH } = process.env
  const env = { PATH, DATA_DIR: dataDir }
  const { stdout } = await runTool(process.execPath, [script, ...args], { env })
  return stdout.trim()
}

const CONTENT = 'Une lettre, et le document qui va avec.'

/** Attaches a document to this many of the seeded revelations, sealed and stored as an upload would be. */
async function attachFiles(
  ctx: AppContext,
  { count, sizeBytes }: { count: number; sizeBytes: number },
): Promise<void> {
  const revelations = await ctx.db
    .selectFrom('revelations')
    .select(['id', 'authorId', 'title', 'revealAt', 'version', 'visibility', 'kind'])
    .$castTo<{
      id: string
      authorId: string
      title: string
      revealAt: Date
      version: number
      visibility: Visibility
      kind: Kind
    }>()
    .where('mediaId', 'is', null)
    .limit(count)
    .execute()
  for (const revelation of revelations) {
    const { mediaId, fileSha256 } = await storeFile(ctx, revelation.authorId, sizeBytes)
    const files = [{ sha256: fileSha256, caption: null }]
    const { row, fields } = sealLetter(ctx, { ...revelation, content: CONTENT, files })
    const { id, authorId } = revelation
    const version = revelation.version + 1
    await ctx.db
      .updateTable('revelations')
      .set({ ...row, version, mediaId, fileType: 'document' })
      .where('id', '=', id)
      .execute()
    const seal = { revelationId: id, authorId, version, sealedAt: ctx.now(), fields }
    await appendSeals(ctx, [{ ...seal, kind: 'edit', commitment: row.commitment }])
  }
}

async function storeFile(ctx: AppContext, ownerId: string, sizeBytes: number) {
  const mediaId = randomUUID()
  // Nothing in it repeats, as in a film or a photo.
  const bytes = randomBytes(sizeBytes)
  const fileSha256 = createHash('sha256').update(bytes).digest()
  const { letterKey, wrappedKey, wrappedTeaserKey } = createMediaKeys(ctx, mediaId)
  const storageKey = newStorageKey(MEDIA_PREFIX)
  await putSealed(ctx.storage, letterKey, storageKey, [bytes])
  const mimeType = 'application/pdf'
  const sha256 = fileSha256.toString('hex')
  const none = { durationSeconds: null, width: null, height: null }
  const facts = { name: 'acte.pdf', mimeType, sizeBytes, sha256, ...none }
  const at = { createdAt: ctx.now() }
  await ctx.db
    .insertInto('media')
    .values({
      ...at,
      id: mediaId,
      ownerId,
      kind: 'document',
      state: 'ready',
      mimeType,
      extension: 'pdf',
      sizeBytes,
      wrappedKey,
      wrappedTeaserKey,
      sealedFacts: sealFacts(letterKey, facts),
      attachedAt: ctx.now(),
    })
    .execute()
  await ctx.db
    .insertInto('mediaObjects')
    .values({ ...at, mediaId, variant: 'original', storageKey, mimeType, sizeBytes })
    .execute()
  return { mediaId, fileSha256 }
}
