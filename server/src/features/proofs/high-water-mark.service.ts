import { randomBytes } from 'node:crypto'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { type Checkpoint, openCheckpointOf, readCheckpoint } from '#contract/proofs/checkpoint.ts'
import type { AppContext } from '#server/context.ts'
import { StartError } from '#server/platform/start-error.ts'
import { ignoreMissing } from '#server/platform/storage/folders.ts'
import { listKeys } from './log.repository.ts'
import { lastCheckpoint, rootAt } from './log.service.ts'

type Reader = Pick<AppContext, 'db' | 'config'>

/**
 * The last checkpoint that this installation saw signed, beside its keys: whoever owns the database alone cannot set the log
 * back unseen. One line of text of C2SP, as in the mails.
 */
export function markPath({ config }: Pick<Reader, 'config'>): string {
  return path.join(config.dataDir, 'keys', 'log-checkpoint.txt')
}

/** Keeps the checkpoint as the one below which the log must not fall. */
export async function raiseMark(ctx: Pick<AppContext, 'config'>, note: string): Promise<void> {
  const file = markPath(ctx)
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 })
  const draft = `${file}.${randomBytes(6).toString('hex')}`
  await writeFile(draft, note, { mode: 0o600, flush: true })
  await rename(draft, file)
}

/** Why the log in the database is not the one that the mark is of; undefined when it continues it, or nothing was signed yet. */
export async function findSetBack(ctx: Reader): Promise<string | undefined> {
  const note = await ignoreMissing(readFile(markPath(ctx), 'utf8'))
  if (note === undefined) return undefined
  const last = await lastCheckpoint(ctx)
  const marked = openMark(note, await listKeys(ctx.db))
  if (!marked) {
    return last
      ? `${markPath(ctx)} is no checkpoint of the log in this database: put the right database back, or remove that file if it is of another log.`
      : `The log in this database is empty, but this installation signed a checkpoint of it (${markPath(ctx)}): ${REMEDY}`
  }
  const since = marked.dated ? ` on ${marked.dated.signedAt}` : ''
  const { size, state } = await compareLog(ctx, marked)
  if (state === 'continued') return undefined
  return state === 'behind'
    ? `The log in this database has ${size} leaves, but this installation signed one of ${marked.size}${since} (${markPath(ctx)}): ${REMEDY}`
    : `The log in this database is not the one that this installation signed${since} (${markPath(ctx)}): ${REMEDY}`
}

/** How the log in the database stands to a state of it that was seen before. */
export async function compareLog(
  ctx: Pick<Reader, 'db'>,
  seen: { size: number; root: Uint8Array },
): Promise<{ size: number; state: 'continued' | 'behind' | 'another' }> {
  const size = (await lastCheckpoint(ctx))?.size ?? 0
  if (size < seen.size) return { size, state: 'behind' }
  const root = await rootAt(ctx, seen.size)
  return { size, state: root.equals(seen.root) ? 'continued' : 'another' }
}

/** The mark beside the keys, whoever signed it: before there is a database to compare it with. */
export async function readMark(ctx: Pick<Reader, 'config'>): Promise<Checkpoint | undefined> {
  const note = await ignoreMissing(readFile(markPath(ctx), 'utf8'))
  return note === undefined ? undefined : readCheckpoint(note)
}

const REMEDY =
  'it was set back or replaced, and whoever holds a checkpoint will see that. Put the newest database or backup back; remove that file only if there is none.'

/** By whichever key of the log signed it: the mark may be older than the newest key. */
function openMark(note: string, keys: readonly { logKey: string }[]): Checkpoint | undefined {
  for (const { logKey } of keys) {
    const opened = openCheckpointOf(logKey, note)
    if (opened) return opened
  }
  return undefined
}

/** Refuses to start with a log that is behind the mark or another one; else raises the mark to where the log is. */
export async function requireLogNotSetBack(ctx: Reader): Promise<void> {
  const problem = await findSetBack(ctx)
  if (problem !== undefined) throw new StartError(problem)
  const last = await lastCheckpoint(ctx)
  if (last) await raiseMark(ctx, last.note)
}
