import { statfs } from 'node:fs/promises'
import { pipeline, Transform } from 'node:stream'
import { setTimeout } from 'node:timers/promises'
import type { Log } from '#server/platform/log.ts'
import { type Storage, StorageFull } from './storage.ts'

const MEASURED_EVERY_MS = 1_000
const MEASURED_EVERY_BYTES = 16 * 1024 * 1024
const LOOKED_AT_EVERY_MS = 5_000
/** What PostgreSQL needs to go on: of the reserve, below which nothing large is written at all. */
const LAST_PART = 1 / 3
/** A little more than the reserve ends what a little less began: the log is not told at every byte. */
const ENDS_ABOVE = 1.05

type Level = 'enough' | 'low' | 'last'

/** Room on this machine's disk that nobody's files may take: without any, PostgreSQL stops, and all the rest with it. */
export interface DiskReserve {
  /** Rejects with `StorageFull` unless so many bytes of files fit above the reserve. */
  require(bytes?: number): Promise<void>
  /** Whether work nobody waits for at this moment may write, which it may down to the last part of the reserve. */
  hasRoomForWork(): Promise<boolean>
  /** Resolves once it may; rejects with the reason of `signal` when that comes first. */
  untilRoomForWork(signal: AbortSignal): Promise<void>
  isLow(): Promise<boolean>
  /** The same storage, which keeps out of the last part of the reserve: what is put is counted as it comes. */
  guard(storage: Storage): Storage
  close(): void
}

interface Options {
  reserveBytes: number
  /** Whatever disks these are on; the fullest of them counts. A reserve of no folder is none. */
  folders: readonly string[]
  /** Whether files are on them, too. */
  holdsFiles: boolean
  log: Pick<Log, 'info' | 'warn'>
}

/** Watches the disks of these folders as long as it is open. */
export function openDiskReserve({ reserveBytes, folders, holdsFiles, log }: Options): DiskReserve {
  const isOn = reserveBytes > 0 && folders.length > 0
  /** Of files, since the program began: what was written after the last measure is taken off what it found. */
  let writtenBytes = 0
  let measured = {
    freeBytes: Number.POSITIVE_INFINITY,
    writtenBytes: 0,
    atMs: Number.NEGATIVE_INFINITY,
  }
  let measuring: Promise<void> | undefined
  let level: Level = 'enough'

  async function measure(): Promise<void> {
    const before = writtenBytes
    const free = await Promise.all(folders.map(freeBytesIn))
    measured = { freeBytes: Math.min(...free), writtenBytes: before, atMs: performance.now() }
    noteLevel()
  }

  function isFresh(): boolean {
    const ageMs = performance.now() - measured.atMs
    return ageMs < MEASURED_EVERY_MS && writtenBytes - measured.writtenBytes < MEASURED_EVERY_BYTES
  }

  /** What is free now, as far as this process knows without a look. */
  function known(): number {
    return measured.freeBytes - (writtenBytes - measured.writtenBytes)
  }

  async function free(): Promise<number> {
    if (!isOn) return Number.POSITIVE_INFINITY
    if (!isFresh()) {
      measuring ??= measure().finally(() => {
        measuring = undefined
      })
      await measuring
    }
    return known()
  }

  function noteLevel(): void {
    const next = levelAt(measured.freeBytes, reserveBytes, level)
    if (next === level) return
    const facts = { freeMb: inMb(measured.freeBytes), reserveMb: inMb(reserveBytes) }
    if (next === 'enough') log.info(facts, 'the disk has room again')
    else if (next === 'last') log.warn(facts, 'the disk is nearly full: background work waits, too')
    else if (level === 'last') log.info(facts, 'background work goes on, the disk is still low')
    else log.warn(facts, 'the disk is low: uploads, exports and new letters are refused')
    level = next
  }

  const timer = isOn ? setInterval(() => void free(), LOOKED_AT_EVERY_MS).unref() : undefined
  const lastBytes = reserveBytes * LAST_PART

  async function hasRoomForWork(): Promise<boolean> {
    return (await free()) >= lastBytes
  }

  /** Counts what passes, and lets nothing pass that would end in the last part of the reserve. */
  function counting(): Transform {
    return new Transform({
      transform(piece: Buffer, _encoding, done) {
        writtenBytes += piece.length
        const settle = (freeBytes: number) =>
          freeBytes >= lastBytes ? done(null, piece) : done(noRoom())
        // At once as a rule: a film is thousands of pieces.
        if (isFresh()) settle(known())
        else free().then(settle, done)
      },
    })
  }

  return {
    async require(bytes = 0) {
      if ((await free()) - (holdsFiles ? bytes : 0) < reserveBytes) throw noRoom()
    },
    hasRoomForWork,
    async untilRoomForWork(signal) {
      while (!(await hasRoomForWork())) await setTimeout(MEASURED_EVERY_MS, undefined, { signal })
    },
    isLow: async () => (await free()) < reserveBytes || level !== 'enough',
    guard(storage) {
      if (!isOn || !holdsFiles) return storage
      const put: Storage['put'] = (key, bytes) => {
        // An error of the source, or a reader who leaves, reaches both.
        return storage.put(
          key,
          pipeline(bytes, counting(), () => undefined),
        )
      }
      return { ...storage, put }
    },
    close: () => clearInterval(timer),
  }
}

function levelAt(freeBytes: number, reserveBytes: number, level: Level): Level {
  const margin = (from: Level[]) => (from.includes(level) ? ENDS_ABOVE : 1)
  if (freeBytes < reserveBytes * LAST_PART * margin(['last'])) return 'last'
  if (freeBytes < reserveBytes * margin(['last', 'low'])) return 'low'
  return 'enough'
}

function noRoom(): StorageFull {
  return new StorageFull('The reserve of the disk would be taken')
}

/** A folder that is not there yet, or a disk that says nothing, keeps nobody from writing. */
async function freeBytesIn(folder: string): Promise<number> {
  try {
    const { bavail, bsize } = await statfs(folder)
    return bavail * bsize
  } catch {
    return Number.POSITIVE_INFINITY
  }
}

function inMb(bytes: number): number {
  return Math.floor(bytes / 1024 / 1024)
}
