import { StartError } from '#server/platform/start-error.ts'
import { copyFile, FileAltered, forEachFile, sumOf } from '#server/platform/storage/copy-files.ts'
import { isSame } from '#server/platform/storage/hashing.ts'
import type { ReadableStorage, Storage } from '#server/platform/storage/storage.ts'
import type { FileList } from './file-lists.ts'
import type { Report } from './report.ts'

/**
 * Refuses a place for files that is not empty: it may be that of an installation that lives, and each of the two would delete
 * the files of the other. With `inPlace` those of this backup may be there, never others: no row of it names them, so that
 * they would be swept once the program runs.
 */
export async function requireOwnPlace(
  storage: ReadableStorage,
  files: FileList,
  { inPlace }: { inPlace: boolean },
): Promise<void> {
  for await (const { key } of storage.list('')) {
    if (!inPlace) {
      throw new StartError(
        `The place for files is not empty (it has ${key}): choose an empty DATA_DIR or bucket, or say --files-in-place if you move an installation that will never start again as it was.`,
      )
    }
    if (files.has(key)) continue
    throw new StartError(
      `The place for files holds some that are not of this backup (${key}) and would be deleted: choose an empty DATA_DIR or bucket.`,
    )
  }
}

/** Puts every file in its place and reads it back there; those that are there already are only read. */
export async function restoreFiles(
  source: ReadableStorage,
  target: Storage,
  files: FileList,
  { count, signal }: Report,
): Promise<{ copied: number; damaged: string[] }> {
  const damaged: string[] = []
  let [done, copied, bytes] = [0, 0, 0]
  await forEachFile(files, signal, async ([key, expected]) => {
    if (!(await isThere(key))) {
      const sum = await copyFile(source, target, key, { signal, expected }).catch((error) => {
        if (error instanceof FileAltered) return undefined
        throw error
      })
      if (!sum) damaged.push(key)
      else if (await isThere(key)) copied += 1
      else throw new StartError(`${key} was not read back as it was written: start again.`)
    }
    done += 1
    bytes += expected.sizeBytes
    count(done, files.size, bytes)
    async function isThere(wanted: string): Promise<boolean> {
      if ((await target.size(wanted)) !== expected.sizeBytes) return false
      const sum = await sumOf(target, wanted, signal)
      return sum !== undefined && isSame(sum, expected)
    }
  })
  return { copied, damaged }
}
