import type { Readable } from 'node:stream'

/** The most that one sealed piece holds: what a killed server loses of a part. */
const PIECE_MAX_BYTES = 16 * 1024 * 1024
/** On a slow line a piece ends sooner, once it is worth an object of its own. */
const PIECE_MAX_MS = 10_000
const SHORT_PIECE_BYTES = 1024 * 1024
/** A phone that sends nothing for so long has gone to sleep. */
const SILENCE_MS = 60_000

/** The body of one request, a piece after the other. A cut is an end: what came before it is good. */
export interface Intake {
  /** Whether another byte comes. */
  hasMore(): Promise<boolean>
  /** The bytes up to `maxBytes`, each alone in its memory, or to where a piece ends; the whole request, however slow, when it `isChecked`. */
  piece(maxBytes: number, isChecked: boolean): AsyncGenerator<Buffer>
  /** Whether the end was a cut: by the client, by silence, or because the program stops. */
  isCut(): boolean
  /** How much came so far. */
  readBytes(): number
  /** Ends it here, as a lost connection would. */
  cut(): void
  close(): void
}

export function openIntake(source: Readable, stopping: AbortSignal): Intake {
  // The request lives on after the last piece: its answer is still to be sent.
  const iterator: AsyncIterator<Buffer> = source.iterator({ destroyOnReturn: false })
  let held: Buffer | undefined
  let isCut = false
  let readBytes = 0
  const cut = () => void source.destroy()
  if (stopping.aborted) cut()
  stopping.addEventListener('abort', cut, { once: true })

  async function next(): Promise<Buffer | undefined> {
    const silence = setTimeout(cut, SILENCE_MS)
    try {
      const { value, done } = await iterator.next()
      if (done) return undefined
      readBytes += value.length
      return value
    } catch {
      isCut = true
      return undefined
    } finally {
      clearTimeout(silence)
    }
  }

  async function* piece(maxBytes: number, isChecked: boolean): AsyncGenerator<Buffer> {
    const most = Math.min(maxBytes, PIECE_MAX_BYTES)
    const endsAt = performance.now() + PIECE_MAX_MS
    let size = 0
    while (size < most) {
      if (!isChecked && size >= SHORT_PIECE_BYTES && performance.now() > endsAt) return
      const chunk = held ?? (await next())
      held = undefined
      if (!chunk) return
      const taken = chunk.subarray(0, most - size)
      // Copied: who reads the one gives its memory back before the other is read.
      if (taken.length < chunk.length) held = Buffer.from(chunk.subarray(taken.length))
      size += taken.length
      yield taken
    }
  }

  return {
    piece,
    async hasMore() {
      held ??= await next()
      return held !== undefined
    },
    isCut: () => isCut,
    readBytes: () => readBytes,
    cut,
    close() {
      stopping.removeEventListener('abort', cut)
      // What is left of the body may then flow away.
      void iterator.return?.()
    },
  }
}
