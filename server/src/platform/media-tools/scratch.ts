import { constants } from 'node:fs'
import { access, chmod, lstat, mkdtemp, open, readdir, rm, statfs } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import type { Account } from './tool-process.ts'

export interface Scratch {
  folder: string
  /** False if the machine has no folder in memory: plain bytes of a variant then touch the disk. */
  inMemory: boolean
  /**
   * The path of a file in the folder. For another account the file is created here: a tool of that account can fill it,
   * but not replace it with a link to a file that only this program may read.
   */
  file(name: string, account?: Account): Promise<string>
  remove(): Promise<void>
}

const TMPFS = 0x01021994
const RAMFS = 0x858458f6
const OWN_FOLDER = /^revelations-scratch-(\d+)-/

let swept: Promise<void> | undefined
const ours = new Set<string>()

/**
 * A private folder for output that ffmpeg must write to a seekable file, in memory if a memory file system has
 * `neededBytes` free (see docs/decisions/0003-media-variants.md).
 */
export async function createScratch(neededBytes = 0): Promise<Scratch> {
  swept ??= sweepScratch()
  await swept
  const inMemory = await findMemoryFolder(neededBytes)
  const parent = inMemory ?? os.tmpdir()
  const folder = await mkdtemp(path.join(parent, `revelations-scratch-${process.pid}-`))
  ours.add(folder)
  return {
    folder,
    inMemory: inMemory !== undefined,
    async file(name, account) {
      const file = path.join(folder, name)
      if (account) await createFileFor(file, account)
      return file
    },
    async remove() {
      await rm(folder, { recursive: true, force: true })
      ours.delete(folder)
    },
  }
}

async function createFileFor(file: string, { uid, gid }: Account): Promise<void> {
  const handle = await open(file, 'wx', 0o600)
  try {
    await handle.chown(uid, gid)
  } finally {
    await handle.close()
  }
  await chmod(path.dirname(file), 0o711)
}

/** Deletes the scratch folders of dead processes. */
export async function sweepScratch(): Promise<void> {
  for (const parent of scratchParents()) {
    const names = await readdir(parent).catch(() => [])
    for (const name of names) {
      const folder = path.join(parent, name)
      const pid = Number(OWN_FOLDER.exec(name)?.[1])
      if (pid && !ours.has(folder) && !isAlive(pid) && (await isOurFolder(folder))) {
        await rm(folder, { recursive: true, force: true })
      }
    }
  }
}

/** The folders in which a scratch folder may be created. */
export function scratchParents(): string[] {
  return [...new Set([...memoryFolders(), os.tmpdir()])]
}

function memoryFolders(): string[] {
  return ['/dev/shm', os.tmpdir(), `/run/user/${process.getuid?.()}`]
}

async function findMemoryFolder(neededBytes: number): Promise<string | undefined> {
  for (const folder of memoryFolders()) {
    try {
      const { type, bavail, bsize } = await statfs(folder)
      await access(folder, constants.W_OK | constants.X_OK)
      if ((type === TMPFS || type === RAMFS) && bavail * bsize >= neededBytes) return folder
    } catch {
      // Not on this machine.
    }
  }
  return undefined
}

/** A folder with the pid of this process that it did not create belongs to an earlier process. */
function isAlive(pid: number): boolean {
  if (pid === process.pid) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH'
  }
}

async function isOurFolder(folder: string): Promise<boolean> {
  const found = await lstat(folder).catch(() => undefined)
  return found?.isDirectory() === true && found.uid === process.getuid?.()
}
