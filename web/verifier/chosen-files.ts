import type { Bytes } from '#contract/proofs/bytes.ts'
import { hashStream } from '#contract/proofs/file-hash.ts'

export interface HashedFile {
  name: string
  sha256: Bytes
}

/**
 * Reads what was chosen, and only what was chosen last: a large file of a former choice is given up, and decides nothing.
 * Answers undefined when another choice was made meanwhile.
 */
export function latestOnly<Input, Output>(
  read: (input: Input, signal: AbortSignal) => Promise<Output>,
): (input: Input) => Promise<Output | undefined> {
  let last: AbortController | undefined
  return async (input) => {
    last?.abort()
    const own = new AbortController()
    last = own
    try {
      const output = await read(input, own.signal)
      return own.signal.aborted ? undefined : output
    } catch (error) {
      if (own.signal.aborted) return undefined
      throw error
    }
  }
}

/** The hash of each file, one after the other; `onProgress` learns the percentage of all their bytes. */
export async function hashFiles(
  files: readonly File[],
  signal: AbortSignal,
  onProgress: (percent: number) => void,
): Promise<HashedFile[]> {
  const total = files.reduce((sum, { size }) => sum + size, 0)
  const hashed: HashedFile[] = []
  let before = 0
  for (const file of files) {
    const sha256 = await hashStream(file.stream(), (bytes) => {
      signal.throwIfAborted()
      onProgress(((before + bytes) / total) * 100)
    })
    hashed.push({ name: file.name, sha256 })
    before += file.size
  }
  return hashed
}
