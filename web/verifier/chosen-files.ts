import type { Bytes } from '#contract/proofs/bytes.ts'
import { hashStream } from '#contract/proofs/file-hash.ts'

export interface HashedFile {
  name: string
  sha256: Bytes
}

/**
 * Reads what was chosen, and only what was chosen last: a large file of a former choice, read to its end later, decides
 * nothing. Answers undefined when another choice was made meanwhile.
 */
export function latestOnly<Input, Output>(
  read: (input: Input, isLatest: () => boolean) => Promise<Output>,
): (input: Input) => Promise<Output | undefined> {
  let choices = 0
  return async (input) => {
    choices += 1
    const own = choices
    const isLatest = () => own === choices
    try {
      const output = await read(input, isLatest)
      return isLatest() ? output : undefined
    } catch (error) {
      if (!isLatest()) return undefined
      throw error
    }
  }
}

/** The hash of each file, one after the other; `onProgress` learns the percentage of all their bytes. */
export async function hashFiles(
  files: readonly File[],
  isLatest: () => boolean,
  onProgress: (percent: number) => void,
): Promise<HashedFile[]> {
  const total = files.reduce((sum, { size }) => sum + size, 0)
  const hashed: HashedFile[] = []
  let before = 0
  for (const file of files) {
    const sha256 = await hashStream(file.stream(), (bytes) => {
      if (!isLatest()) throw new Error('Other files were chosen')
      onProgress(((before + bytes) / total) * 100)
    })
    hashed.push({ name: file.name, sha256 })
    before += file.size
  }
  return hashed
}
