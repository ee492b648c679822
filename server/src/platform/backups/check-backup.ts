import { readFile } from 'node:fs/promises'
import { forEachFile, sumOf } from '#server/platform/storage/copy-files.ts'
import { unlessAbsent } from '#server/platform/storage/folders.ts'
import { isSame, type Sum, summing } from '#server/platform/storage/hashing.ts'
import { openFilesOf } from './backup-folder.ts'
import { type FileList, journalPath, readFileList } from './file-lists.ts'
import { listPath, type Manifest, readManifest, tablePath } from './manifest.ts'
import type { Report } from './report.ts'
import { checkTable } from './table-files.ts'

/** A backup whose tables and list were read to their end and are what was written. */
export interface CheckedBackup {
  manifest: Manifest
  files: FileList
  /** Whether the list of files is what was written; an altered one says nothing of any file. */
  isListWhole: boolean
  /** What is wrong with it, one sentence each. */
  problems: string[]
}

/** Reads everything but the files. */
export async function checkTables(folder: string, { signal }: Report): Promise<CheckedBackup> {
  const manifest = await readManifest(folder)
  const problems: string[] = []
  for (const table of manifest.tables) {
    const file = tablePath(folder, manifest.run, table)
    const problem = await checkTable(file, table, signal)
    if (problem) problems.push(`${file}: ${problem}.`)
  }
  const list = listPath(folder, manifest.run)
  const isWhole = isSame(manifest.files.list, await sumOfFile(list))
  if (!isWhole) problems.push(`${list}: it was altered.`)
  return { manifest, files: await readFileList(list), isListWhole: isWhole, problems }
}

/** Reads a backup to its end: every table, every file; `extra` are files that it does not name. */
export async function checkBackup(
  folder: string,
  report: Report,
): Promise<CheckedBackup & { extra: string[] }> {
  const checked = await checkTables(folder, report)
  const storage = openFilesOf(folder)
  let [done, bytes] = [0, 0]
  await forEachFile(checked.files, report.signal, async ([key, expected]) => {
    const sum = await sumOf(storage, key, report.signal)
    const problem = problemOf(sum, expected)
    if (problem) checked.problems.push(`files/${key}: ${problem}.`)
    done += 1
    bytes += sum?.sizeBytes ?? 0
    report.count(done, checked.files.size, bytes)
  })
  return { ...checked, extra: await listExtra(folder, checked.files) }
}

/** Why a file of a backup is not what was written, or undefined. */
export function problemOf(sum: Sum | undefined, expected: Sum): string | undefined {
  if (!sum) return 'it is not there'
  if (sum.sizeBytes !== expected.sizeBytes) {
    return `it has ${sum.sizeBytes} bytes instead of ${expected.sizeBytes}`
  }
  return isSame(sum, expected) ? undefined : 'it was altered'
}

/** What a backup that was cut has copied is waiting for the next one, and is none of them. */
async function listExtra(folder: string, files: FileList): Promise<string[]> {
  const copied = await readFileList(journalPath(folder))
  const extra: string[] = []
  for await (const { key } of openFilesOf(folder).list('')) {
    if (!files.has(key) && !copied.has(key)) extra.push(key)
  }
  return extra.sort()
}

async function sumOfFile(file: string): Promise<Sum> {
  const { add, sum } = summing()
  add((await unlessAbsent(readFile(file))) ?? Buffer.alloc(0))
  return sum()
}
