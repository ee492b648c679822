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
 * Lets one part of an upload in at a time, and the parts of a few uploads of one person; the others are refused before
 * they are read. Who comes back after a lost connection takes the place of the one that hangs, and is counted with it.
 */
export function createPartSlots() {
  const holders = new Map<string, Holder>()
  const counts = new Map<string, number>()

  return async <T>({ userId, uploadId, intake }: Bringer, work: () => Promise<T>): Promise<T> => {
    const before = holders.get(uploadId)
    if (before) await endOf(before)
    if (holders.has(uploadId)) throw new AppError('upload_moved_on')
    const count = counts.get(userId) ?? 0
    if (count >= PARTS_AT_ONCE) throw new AppError('too_many_requests', { retryAfterSeconds: 5 })
    const { promise: ended, resolve: end } = Promise.withResolvers<void>()
    counts.set(userId, count + 1)
    holders.set(uploadId, { intake, ended })
    try {
      return await work()
    } finally {
      holders.delete(uploadId)
      const left = (counts.get(userId) ?? 1) - 1
      if (left === 0) counts.delete(userId)
      else counts.set(userId, left)
      end()
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
