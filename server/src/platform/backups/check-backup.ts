import { readFile } from 'node:fs/promises'
import {
  createSum,
  forEachFile,
  isSameSum,
  type Sum,
  sumOf,
} from '#server/platform/storage/copy-files.ts'
import { ignoreMissing } from '#server/platform/storage/folders.ts'
import {
  type FileList,
  getManifest,
  journalPath,
  listPath,
  type Manifest,
  openBackupFiles,
  type Report,
  readFileList,
  tablePath,
} from './backup-folder.ts'
import { checkTable } from './backup-tables.ts'

/** A backup whose tables and list of files were read to their end. */
export interface CheckedBackup {
  manifest: Manifest
  files: FileList
  /** Whether the list of files is unaltered; an altered list proves nothing of any file. */
  isListWhole: boolean
  /** Problems of the backup, one sentence each. */
  problems: string[]
}

/** Reads a backup without its files. */
export async function checkTables(folder: string, { signal }: Report): Promise<CheckedBackup> {
  const manifest = await getManifest(folder)
  const problems: string[] = []
  for (const table of manifest.tables) {
    const file = tablePath(folder, manifest.run, table)
    const problem = await checkTable(file, table, signal)
    if (problem) problems.push(`${file}: ${problem}.`)
  }
  const list = listPath(folder, manifest.run)
  const isWhole = isSameSum(manifest.files.list, await sumOfFile(list))
  if (!isWhole) problems.push(`${list}: it was altered.`)
  return { manifest, files: await readFileList(list), isListWhole: isWhole, problems }
}

/** Reads a backup with every table and file; `extra` are files that it does not name. */
export async function checkBackup(
  folder: string,
  report: Report,
): Promise<CheckedBackup & { extra: string[] }> {
  const checked = await checkTables(folder, report)
  const storage = openBackupFiles(folder)
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

/** Why a file of a backup differs from what was written, or undefined. */
export function problemOf(sum: Sum | undefined, expected: Sum): string | undefined {
  if (!sum) return 'it is not there'
  if (sum.sizeBytes !== expected.sizeBytes) {
    return `it has ${sum.sizeBytes} bytes instead of ${expected.sizeBytes}`
  }
  return isSameSum(sum, expected) ? undefined : 'it was altered'
}

/** Files that the backup does not name, without those that an interrupted backup copied for the next one. */
async function listExtra(folder: string, files: FileList): Promise<string[]> {
  const copied = await readFileList(journalPath(folder))
  const extra: string[] = []
  for await (const { key } of openBackupFiles(folder).list('')) {
    if (!files.has(key) && !copied.has(key)) extra.push(key)
  }
  return extra.sort()
}

async function sumOfFile(file: string): Promise<Sum> {
  const { add, sum } = createSum()
  add((await ignoreMissing(readFile(file))) ?? Buffer.alloc(0))
  return sum()
}
