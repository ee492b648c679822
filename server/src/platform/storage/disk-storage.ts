import { createHash, randomBytes } from 'node:crypto'
import fs from 'node:fs'
import {
  access,
  constants,
  mkdir,
  open,
  readdir,
  readFile,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises'
import { hostname } from 'node:os'
import { join, resolve } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { freeMemory } from '#server/platform/free-memory.ts'
import { StartError } from '#server/platform/start-error.ts'
import { ignoreMissing, moveInto, walkFiles } from './folders.ts'
import {
  type ByteRange,
  isDiskFull,
  ObjectMissing,
  READ_SIZE,
  type ReadableStorage,
  readParts,
  requireStorageKey,
  type Storage,
  StorageFull,
  type StoredPart,
} from './storage.ts'

/** Files under `folder`, which is created if it is missing; several processes may share it. */
export async function openDiskStorage(folder: string): Promise<Storage> {
  const root = resolve(folder)
  const reader = openDiskReader(root)
  // No key begins with a dot: a draft is never listed, read or replaced as an object.
  const drafts = join(root, '.drafts')
  try {
    await mkdir(drafts, { recursive: true, mode: 0o700 })
    await sweepStaleDrafts(drafts)
  } catch (error) {
    throw new StartError(`Files cannot be kept in "${root}" (${codeOf(error)}).`)
  }

  async function put(key: string, bytes: Readable): Promise<{ sizeBytes: number }> {
    const path = pathOf(root, key)
    const draft = join(drafts, createDraftName())
    const file = createDurableFile(draft)
    try {
      // No await before this: an error of the source must find its listener.
      await pipeline(bytes, file)
      await moveInto(root, draft, path)
    } catch (error) {
      await rm(draft, { force: true })
      throw isDiskFull(error)
        ? new StorageFull('No room is left for files', { cause: error })
        : error
    }
    return { sizeBytes: file.bytesWritten }
  }

  async function compose(key: string, parts: readonly StoredPart[]): Promise<void> {
    await put(key, readParts(reader, parts))
  }

  async function remove(key: string): Promise<void> {
    // The folder stays: deleted when empty, it could vanish under an object that is being stored.
    await ignoreMissing(rm(pathOf(root, key)))
  }

  async function check(): Promise<void> {
    const draft = join(drafts, createDraftName())
    try {
      await access(root, constants.R_OK | constants.W_OK | constants.X_OK)
      await writeFile(draft, 'check', { flag: 'wx', flush: true })
      await readFile(draft)
    } catch (error) {
      if (isDiskFull(error)) throw new StorageFull('No room is left for files', { cause: error })
      throw new StartError(`Files cannot be written and read in "${root}" (${codeOf(error)}).`)
    } finally {
      await rm(draft, { force: true }).catch(() => {})
    }
  }

  return { ...reader, put, compose, delete: remove, check }
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? 'unknown error'
}

function pathOf(root: string, key: string): string {
  requireStorageKey(key)
  return join(root, key)
}

/** Files under a folder that is never written, such as on a read-only medium. */
export function openDiskReader(folder: string): ReadableStorage {
  const root = resolve(folder)

  async function get(key: string, range?: ByteRange): Promise<Readable> {
    const file = await ignoreMissing(open(pathOf(root, key)))
    if (!file) throw new ObjectMissing(`There is no object ${key}`)
    try {
      const facts = await file.stat()
      if (!facts.isFile()) throw new ObjectMissing(`There is no object ${key}`)
      if (range && !(range.start >= 0 && range.start <= range.end && range.start < facts.size)) {
        throw new RangeError(`Bytes ${range.start} to ${range.end} are not inside ${facts.size}`)
      }
    } catch (error) {
      await file.close()
      throw error
    }
    return file.createReadStream({ ...range, highWaterMark: READ_SIZE })
  }

  async function size(key: string): Promise<number | undefined> {
    const facts = await ignoreMissing(stat(pathOf(root, key)))
    return facts?.isFile() ? facts.size : undefined
  }

  async function* list(prefix: string): AsyncIterable<{ key: string; modifiedAt: Date }> {
    if (prefix !== '') requireStorageKey(prefix.replace(/\/$/, ''))
    for await (const key of walkFiles(root, prefix)) {
      const facts = await ignoreMissing(stat(join(root, key)))
      if (facts) yield { key, modifiedAt: facts.mtime }
    }
  }

  return { get, size, list }
}

const WRITE_AHEAD_SIZE = 1024 * 1024

/**
 * A new file, durable once its stream has ended. The memory of each piece is freed as soon as the disk has it: hundreds
 * of megabytes would otherwise wait for the garbage collector.
 */
function createDurableFile(path: string): fs.WriteStream {
  return fs.createWriteStream(path, {
    flags: 'wx',
    mode: 0o600,
    highWaterMark: WRITE_AHEAD_SIZE,
    flush: true,
    fs: freeing,
  })
}

/** Frees only whole writes: the stream continues a partial one. */
const freeing = {
  ...fs,
  write(
    file: number,
    piece: Buffer,
    offset: number,
    length: number,
    position: number | null,
    done: (error: Error | null, written: number, piece: Buffer) => void,
  ) {
    fs.write(file, piece, offset, length, position, (error, written) => {
      done(error, written, piece)
      if (written === length) freeMemory(piece)
    })
  },
  writev(
    file: number,
    pieces: Buffer[],
    position: number | null,
    done: (error: Error | null, written: number, pieces: Buffer[]) => void,
  ) {
    const length = pieces.reduce((sum, piece) => sum + piece.length, 0)
    fs.writev(file, pieces, position, (error, written) => {
      done(error, written, pieces)
      if (written === length) for (const piece of pieces) freeMemory(piece)
    })
  },
}

// No transfer lasts as long.
const MAX_AGE_MS = 24 * 60 * 60 * 1000

/** The name of an incomplete file: the machine, the process and a random part. */
export function createDraftName(): string {
  return `${machineName()}-${process.pid}-${randomBytes(9).toString('hex')}`
}

/** Deletes the drafts of killed processes, and none that another process may still write. */
async function sweepStaleDrafts(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const path = join(folder, name)
    const facts = await ignoreMissing(stat(path))
    if (facts && isStale(name, facts.mtimeMs)) await rm(path, { force: true })
  }
}

function isStale(name: string, modifiedAtMs: number): boolean {
  const [machine, pid] = name.split('-')
  // Whether a process of another machine or container runs is unknown.
  if (machine !== machineName()) return modifiedAtMs < Date.now() - MAX_AGE_MS
  const startedAtMs = Date.now() - process.uptime() * 1000
  if (Number(pid) === process.pid) return modifiedAtMs < startedAtMs
  return !isRunning(Number(pid))
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

function machineName(): string {
  return createHash('sha256').update(hostname()).digest('hex').slice(0, 8)
}
