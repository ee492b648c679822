import { createHash } from 'node:crypto'

/** Pseudo-random numbers, the same at each run, so that seeded feeds can be compared. */
export interface Random {
  /** From 0 (included) to 1. */
  next(): number
  below(limit: number): number
  pick<T>(choices: readonly T[]): T
  uuid(): string
}

export function createRandom(name: string): Random {
  const seed = createHash('sha256').update(name).digest()
  let state = seed.readUInt32BE()

  // mulberry32
  function next(): number {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }

  function below(limit: number): number {
    return Math.floor(next() * limit)
  }

  return {
    next,
    below,
    pick: <T>(choices: readonly T[]) => choices[below(choices.length)] as T,
    uuid() {
      const bytes = Buffer.from(Array.from({ length: 16 }, () => below(256)))
      bytes[6] = ((bytes[6] as number) & 0x0f) | 0x40
      bytes[8] = ((bytes[8] as number) & 0x3f) | 0x80
      const hex = bytes.toString('hex')
      return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
    },
  }
}
