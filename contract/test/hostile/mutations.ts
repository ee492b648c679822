import { alterCheckpoint } from './checkpoints.ts'
import type { Bundle, Corpus } from './corpus.ts'
import { lie, redate } from './dates.ts'
import { forge } from './forgeries.ts'
import { misplace, remember } from './places.ts'
import { type Mutation, Random } from './random.ts'
import { reshape } from './shapes.ts'
import { splice } from './splices.ts'

type Mutate = (bundle: Bundle, random: Random, corpus: Corpus) => Mutation

/** How many of each there are among 10,000. */
const CLASSES: readonly [count: number, mutate: Mutate][] = [
  [2000, splice],
  [1500, forge],
  [1000, alterCheckpoint],
  [1000, remember],
  [1500, misplace],
  [750, redate],
  [750, lie],
  [1500, reshape],
]
export const ALL = CLASSES.reduce((sum, [count]) => sum + count, 0)

/** So many mutations of the right proofs, the same ones in every run. */
export function* mutationsOf(corpus: Corpus, count: number, seed = 1): Generator<Bundle> {
  const { bundles } = corpus
  for (const [at, [share, mutate]] of CLASSES.entries()) {
    const random = new Random(seed * 1000 + at)
    const wanted = Math.round((share * count) / ALL)
    for (let done = 0; done < wanted; done += 1) {
      // In their order, in which neighbours share a checkpoint and its signature is checked once.
      const bundle = bundles[Math.floor((done * bundles.length) / wanted)] as Bundle
      const { name, proof, given = bundle.given, sealedWithin } = mutate(bundle, random, corpus)
      yield { name: `${name}, ${bundle.name} (${done})`, proof, given, sealedWithin }
    }
  }
}
