import type { Given } from '../answers.ts'
import type { Bundle } from './corpus.ts'

/** A proof as JSON has it, to be altered. */
export type Json = Record<string, unknown>

/** What became of a bundle. */
export interface Mutation {
  name: string
  proof: unknown
  /** Where it is another than that of the bundle. */
  given?: Given
  /** Between which instants its last version was really sealed, where the log itself lies. */
  sealedWithin?: readonly [from: string, to: string]
}

/** The same numbers for the same seed (mulberry32). */
export class Random {
  private state: number

  constructor(seed: number) {
    this.state = seed
  }

  private next(): number {
    this.state = (this.state + 0x6d2b79f5) | 0
    let bits = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state)
    bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits
    return (bits ^ (bits >>> 14)) >>> 0
  }

  below(limit: number): number {
    return limit === 0 ? 0 : this.next() % limit
  }

  oneOf<T>(list: readonly T[]): T {
    return list[this.below(list.length)] as T
  }
}

/** A copy of the proof, altered. */
export function altered({ proof }: Bundle, alter: (proof: Json) => void): Json {
  const copy = structuredClone(proof) as Json
  alter(copy)
  return copy
}

/** The leaves of either format. */
export function leavesOf(proof: Json): [Json, ...Json[]] {
  return (proof.leaves ?? proof.versions) as [Json, ...Json[]]
}

export function listAt(value: Json | undefined, name: string): Json[] {
  const list = value?.[name]
  return Array.isArray(list) ? list : []
}

export function otherThan(bundle: Bundle, bundles: readonly Bundle[], random: Random): Bundle {
  const at = bundles.indexOf(bundle)
  // Half of them are neighbours, which share their checkpoint.
  const step = random.below(2) === 0 ? 1 + random.below(4) : 1 + random.below(bundles.length - 1)
  return bundles[(at + step) % bundles.length] as Bundle
}

export function oneOfNames<V>(ways: Readonly<Record<string, V>>, random: Random): [string, V] {
  return random.oneOf(Object.entries(ways))
}
