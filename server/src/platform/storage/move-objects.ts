import { copyFile, forEachFile, sumOf } from './copy-files.ts'
import { isSame } from './hashing.ts'
import { type Storage, StorageFull } from './storage.ts'

interface Ends {
  source: Storage
  target: Storage
  signal: AbortSignal
}

export interface Move {
  copied: { count: number; bytes: number }
  /** What an earlier run had copied, read again at both ends. */
  there: { count: number; bytes: number }
  /** Deleted at the source since it was listed. */
  goneCount: number
  failed: { key: string; reason: string }[]
  /** What is the same at both ends now. */
  verified: string[]
}

/** Copies every object, reads each back, and says what could not be copied; the source keeps all. */
export async function copyObjects(
  ends: Ends,
  onProgress: (done: number, total: number, bytes: number) => void,
): Promise<Move> {
  const move: Move = {
    copied: { count: 0, bytes: 0 },
    there: { count: 0, bytes: 0 },
    goneCount: 0,
    failed: [],
    verified: [],
  }
  const keys: string[] = []
  for await (const { key } of ends.source.list('')) keys.push(key)
  let done = 0
  await forEachFile(keys, ends.signal, async (key) => {
    try {
      await copyObject(ends, key, move)
    } catch (error) {
      // The others would fail the same way.
      if (ends.signal.aborted || error instanceof StorageFull) throw error
      move.failed.push({ key, reason: (error as Error).message })
    }
    done += 1
    onProgress(done, keys.length, move.copied.bytes + move.there.bytes)
  })
  return move
}

async function copyObject({ source, target, signal }: Ends, key: string, move: Move) {
  const isThere = await isSameAtBothEnds({ source, target, signal }, key)
  const sum = isThere || (await copyFile(source, target, key, { signal }))
  if (!sum) {
    move.goneCount += 1
    return
  }
  if (!isThere) {
    const readBack = await sumOf(target, key, signal)
    if (!readBack || !isSame(sum, readBack)) throw new Error('other bytes were read back')
  }
  const counted = isThere ? move.there : move.copied
  counted.count += 1
  counted.bytes += sum.sizeBytes
  move.verified.push(key)
}

/** Reads both only when they have the same size. */
async function isSameAtBothEnds({ source, target, signal }: Ends, key: string) {
  const sizes = await Promise.all([source.size(key), target.size(key)])
  if (sizes[0] === undefined || sizes[0] !== sizes[1]) return undefined
  const [ours, theirs] = [await sumOf(source, key, signal), await sumOf(target, key, signal)]
  return ours && theirs && isSame(ours, theirs) ? ours : undefined
}
