import { chmod, readdir, rm } from 'node:fs/promises'
import path from 'node:path'
import { StartError } from '#server/platform/start-error.ts'
import { readDisk } from '#server/platform/storage/disk-reading.ts'
import { openDiskStorage } from '#server/platform/storage/disk-storage.ts'
import { makeFolder, unlessAbsent } from '#server/platform/storage/folders.ts'
import type { ReadableStorage, Storage } from '#server/platform/storage/storage.ts'
import { type FileList, journalPath } from './file-lists.ts'
import { findManifest, type Manifest, namesKey, tablesFolder } from './manifest.ts'

export interface BackupFolder {
  path: string
  /** The files it keeps, under the keys they have in the installation. */
  files: Storage
  /** The backup that stands there until another one is finished. */
  previous: Manifest | undefined
  /** Whether there is one whose manifest was altered, so that nothing of it can be trusted. */
  isAltered: boolean
}

/** Opens a folder to write a backup to: a new one, an empty one, or one that holds backups of this installation. */
export async function openBackupFolder(
  folder: string,
  keyFingerprint: string,
): Promise<BackupFolder> {
  let isAltered = false
  const previous = await findManifest(folder).catch(async (error) => {
    if (!(await namesKey(folder, keyFingerprint))) throw error
    isAltered = true
    return undefined
  })
  if (previous && previous.keyFingerprint !== keyFingerprint) {
    throw new StartError(
      `${folder} holds the backup of another installation: choose another folder.`,
    )
  }
  const entries = (await unlessAbsent(readdir(folder))) ?? []
  if (entries.length > 0 && !entries.includes('database')) {
    throw new StartError(`${folder} is not empty and holds no backup: choose another folder.`)
  }
  await prepare(folder)
  const files = await openDiskStorage(path.join(folder, 'files'))
  return { path: folder, files, previous, isAltered }
}

async function prepare(folder: string): Promise<void> {
  try {
    await makeFolder(path.join(folder, 'database'), 0o700)
    // Sealed or not, what people wrote under their names is in it.
    await chmod(folder, 0o700)
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    throw new StartError(`A backup cannot be written to ${folder} (${code ?? message}).`)
  }
}

/** The files of a backup, which may lie on a medium that cannot be written. */
export function openFilesOf(folder: string): ReadableStorage {
  return readDisk(path.join(folder, 'files'))
}

/** Removes what the finished backup does not name, and gives the keys of files: of what was deleted, of what was cut. */
export async function removeRest(
  { path: folder, files }: BackupFolder,
  run: string,
  kept: FileList,
): Promise<string[]> {
  await rm(journalPath(folder), { force: true })
  for (const name of await readdir(path.join(folder, 'database'))) {
    if (name !== run) await rm(tablesFolder(folder, name), { recursive: true, force: true })
  }
  const removed: string[] = []
  for await (const { key } of files.list('')) {
    if (kept.has(key)) continue
    await files.delete(key)
    removed.push(key)
  }
  return removed
}
