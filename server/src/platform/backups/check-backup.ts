import { readFile } from 'node:fs/promises'
import { forEachFile, sumOf } from '#server/platform/storage/copy-files.ts'
import { unlessAbsent } from '#server/platform/storage/folders.ts'
import { isSame, type Sum, summing } from '#server/platform/storage/hashing.ts'
import type { Report } from './back-up.ts'
import { openFilesOf } from './backup-folder.ts'
import { type FileList, readFileList } from './file-lists.ts'
import { listPath, type Manifest, readManifest, tablePath } from './manifest.ts'
import { checkTable } from './table-files.ts'

/** A backup whose tables and list were read to their end and are what was written. */
export interface CheckedBackup {
  manifest: Manifest
  files: FileList
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
  return { manifest, files: await readFileList(list), problems }
}

/** Reads a backup to its end: every table, every file. */
export async function checkBackup(folder: string, report: Report): Promise<CheckedBackup> {
  const checked = await checkTables(folder, report)
  const storage = openFilesOf(folder)
  let [done, bytes] = [0, 0]
  await forEachFile(checked.files, report.signal, async ([key, expected]) => {
    const sum = await sumOf(storage, key, report.signal)
    if (!sum) checked.problems.push(`files/${key}: it is not there.`)
    else if (!isSame(sum, expected)) checked.problems.push(`files/${key}: it was altered.`)
    done += 1
    bytes += sum?.sizeBytes ?? 0
    report.count(done, checked.files.size, bytes)
  })
  return checked
}

async function sumOfFile(file: string): Promise<Sum> {
  const { add, sum } = summing()
  add((await unlessAbsent(readFile(file))) ?? Buffer.alloc(0))
  return sum()
}
