import { statfs } from 'node:fs/promises'
import { pipeline, Transform } from 'node:stream'
import { setTimeout } from 'node:timers/promises'
import type { Log } from '#server/platform/log.ts'
import { readParts, type Storage, StorageFull } from './storage.ts'

const MEASURE_EVERY_MS = 1_000
const MEASURE_EVERY_BYTES = 16 * 1024 * 1024
const LOG_LEVEL_EVERY_MS = 5_000
/** The part of the reserve that PostgreSQL needs: below it nothing large is written at all. */
const LAST_PART = 1 / 3
/** The margin above the reserve at which a level ends, so that the log does not repeat itself at every byte. */
const ENDS_ABOVE = 1.05

type Level = 'enough' | 'low' | 'last'

/** Space on this machine's disk that no file may use: without it PostgreSQL would stop, and everything with it. */
export interface DiskReserve {
  /** Rejects with `StorageFull` unless `bytes` bytes of files fit above the reserve. */
  require(bytes?: number): Promise<void>
  /** Whether background work may write, which it may down to the last part of the reserve. */
  hasRoomForWork(): Promise<boolean>
  /** Resolves once background work may write; rejects with the reason of `signal` if that comes first. */
  untilRoomForWork(signal: AbortSignal): Promise<void>
  isLow(): Promise<boolean>
  /** The same storage, which never writes to the last part of the reserve: it counts bytes as they arrive. */
  guard(storage: Storage): Storage
  close(): void
}

interface Options {
  reserveBytes: number
  /** The folders on the disks to watch; the fullest disk counts. Without a folder there is no reserve. */
  folders: readonly string[]
  /** Whether the files of the storage are on these disks. */
  hasFiles: boolean
  log: Pick<Log, 'info' | 'warn'>
}

/** Watches the disks of these folders until it is closed. */
export function openDiskReserve({ reserveBytes, folders, hasFiles, log }: Options): DiskReserve {
  const isOn = reserveBytes > 0 && folders.length > 0
  /** Bytes of files since the start: those written after the last measurement are subtracted from its result. */
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
    logLevel()
  }

  function isFresh(): boolean {
    const ageMs = performance.now() - measured.atMs
    return ageMs < MEASURE_EVERY_MS && writtenBytes - measured.writtenBytes < MEASURE_EVERY_BYTES
  }

  /** The free bytes by the last measurement and the bytes written since. */
  function estimate(): number {
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
    return estimate()
  }

  function logLevel(): void {
    const next = levelAt(measured.freeBytes, reserveBytes, level)
    if (next === level) return
    const facts = { freeMb: inMb(measured.freeBytes), reserveMb: inMb(reserveBytes) }
    if (next === 'enough') log.info(facts, 'the disk has room again')
    else if (next === 'last') log.warn(facts, 'the disk is nearly full: background work waits, too')
    else if (level === 'last') log.info(facts, 'background work goes on, the disk is still low')
    else log.warn(facts, 'the disk is low: uploads, exports and new letters are refused')
    level = next
  }

  const timer = isOn ? setInterval(() => void free(), LOG_LEVEL_EVERY_MS).unref() : undefined
  const lastBytes = reserveBytes * LAST_PART

  async function hasRoomForWork(): Promise<boolean> {
    return (await free()) >= lastBytes
  }

  /** Counts bytes, and refuses those that would use the last part of the reserve. */
  function counting(): Transform {
    return new Transform({
      transform(piece: Buffer, _encoding, done) {
        writtenBytes += piece.length
        const settle = (freeBytes: number) =>
          freeBytes >= lastBytes ? done(null, piece) : done(noSpace())
        // Synchronous as a rule: a film is thousands of pieces.
        if (isFresh()) settle(estimate())
        else free().then(settle, done)
      },
    })
  }

  return {
    async require(bytes = 0) {
      if ((await free()) - (hasFiles ? bytes : 0) < reserveBytes) throw noSpace()
    },
    hasRoomForWork,
    async untilRoomForWork(signal) {
      while (!(await hasRoomForWork())) await setTimeout(MEASURE_EVERY_MS, undefined, { signal })
    },
    isLow: async () => (await free()) < reserveBytes || level !== 'enough',
    guard(storage) {
      if (!isOn || !hasFiles) return storage
      const put: Storage['put'] = (key, bytes) => {
        // An error of the source, and the end of the reader, reach both streams.
        return storage.put(
          key,
          pipeline(bytes, counting(), () => undefined),
        )
      }
      const compose: Storage['compose'] = async (key, parts) => {
        await put(key, readParts(storage, parts))
      }
      return { ...storage, put, compose }
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

function noSpace(): StorageFull {
  return new StorageFull('The reserve of the disk would be taken')
}

/** Infinity for a missing folder, or a disk that does not answer: neither prevents writing. */
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
