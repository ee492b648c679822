import {
  emptyMemory,
  importFormer,
  type LogMemory,
  logMemorySchema,
  merge,
} from '#contract/proofs/log-memory.ts'
import { isStorageTemporary } from '#web/lib/provided-storage.ts'
import { storedValue } from '#web/lib/storage.ts'

const KEY = 'log_memory'

/** What this browser holds against the log: it stays when its reader signs out. */
export const storedMemory = storedValue(KEY, (stored) => logMemorySchema.safeParse(stored).data)

/** Where the one last checkpoint was before there was a memory. */
const formerStore = storedValue('log_checkpoint', (stored) => stored ?? undefined)

export function loadMemory(now: Date): LogMemory {
  const memory = storedMemory.read() ?? emptyMemory()
  return importFormer(memory, formerStore.read(), now) ?? memory
}

/** Adds it to what is stored, one tab after the other. `isStored`: whether it was there when it was read again. */
export function storeMemory(
  memory: LogMemory,
  now: Date,
): Promise<{ memory: LogMemory; isStored: boolean }> {
  return inLock(() => {
    // What a later version of this page wrote is not written over.
    if (isUnreadable()) return { memory, isStored: false }
    const all = merge(storedMemory.read() ?? emptyMemory(), memory, now)
    storedMemory.write(all)
    const isWritten = isSame(storedMemory.read(), logMemorySchema.parse(all))
    const isStored = isWritten && !isStorageTemporary()
    if (isStored && hasFormer(all, now)) formerStore.remove()
    return { memory: all, isStored }
  })
}

/** Browsers without locks write at once: of two tabs in the same millisecond one may lose what it met. */
async function inLock<T>(work: () => T): Promise<T> {
  return 'locks' in navigator ? navigator.locks.request(KEY, work) : work()
}

function isUnreadable(): boolean {
  try {
    return localStorage.getItem(KEY) !== null && storedMemory.read() === undefined
  } catch {
    return true
  }
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

/** Whether importing it once more changes nothing. */
function hasFormer(memory: LogMemory, now: Date): boolean {
  return isSame(importFormer(memory, formerStore.read(), now), memory)
}
