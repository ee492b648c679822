import { AppError } from '#server/errors.ts'
import type { Intake } from './uploads-intake.service.ts'

const PARTS_AT_ONCE = 4
/** A connection that is over ends within it; one that brings nothing for as long is given up for the next. */
const GRACE_MS = 2_000

interface Holder {
  intake: Intake
  ended: Promise<void>
}

/** Whose part it is, and what will be read of it. */
interface Bringer {
  userId: string
  uploadId: string
  intake: Intake
}

/**
 * Lets one part of an upload in at a time, and a few of one person; the others are refused before they are read. Who
 * comes back after a lost connection takes the place of the one that hangs.
 */
export function createPartSlots() {
  const holders = new Map<string, Holder>()
  const counts = new Map<string, number>()

  async function requireFree(uploadId: string): Promise<void> {
    const before = holders.get(uploadId)
    if (before) await endOf(before)
    if (holders.has(uploadId)) throw new AppError('upload_moved_on')
  }

  return async <T>({ userId, uploadId, intake }: Bringer, work: () => Promise<T>): Promise<T> => {
    const count = counts.get(userId) ?? 0
    if (count >= PARTS_AT_ONCE) throw new AppError('too_many_requests', { retryAfterSeconds: 5 })
    counts.set(userId, count + 1)
    try {
      await requireFree(uploadId)
      const { promise: ended, resolve: end } = Promise.withResolvers<void>()
      holders.set(uploadId, { intake, ended })
      try {
        return await work()
      } finally {
        holders.delete(uploadId)
        end()
      }
    } finally {
      const left = (counts.get(userId) ?? 1) - 1
      if (left === 0) counts.delete(userId)
      else counts.set(userId, left)
    }
  }
}

/** Waits for a part to end a while, and cuts it when it brings nothing meanwhile. */
async function endOf({ intake, ended }: Holder): Promise<void> {
  const heard = intake.readBytes()
  const { promise: late, resolve } = Promise.withResolvers<'late'>()
  const timer = setTimeout(() => resolve('late'), GRACE_MS)
  const end = await Promise.race([ended, late])
  clearTimeout(timer)
  if (end !== 'late' || intake.readBytes() > heard) return
  intake.cut()
  await ended
}

/** Lets so many run at once under one name; the others wait in line. */
export function createLanes(most: number) {
  const lines = new Map<string, { running: number; waiting: (() => void)[] }>()
  return async <T>(name: string, work: () => Promise<T>): Promise<T> => {
    const line = lines.get(name) ?? { running: 0, waiting: [] }
    lines.set(name, line)
    if (line.running < most) line.running += 1
    else await new Promise<void>((resolve) => line.waiting.push(resolve))
    try {
      return await work()
    } finally {
      // The place passes to the next in line.
      const next = line.waiting.shift()
      if (next) next()
      else line.running -= 1
      if (line.running === 0) lines.delete(name)
    }
  }
}
