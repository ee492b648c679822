import { expect, it } from 'vitest'
import { createCorpus } from '#contract/test/hostile/corpus.ts'
import { ALL, mutationsOf } from '#contract/test/hostile/mutations.ts'
import { judge } from '#testing/two-verifiers.ts'

it('10,000 hostile proofs deceive neither verifier, and both say the same of them', () => {
  const corpus = createCorpus()
  const { faults, states } = judge(mutationsOf(corpus, ALL, 2), corpus)
  expect(faults).toEqual([])
  // These are right still, and all that is told of them is true.
  expect(states.proved).toBeGreaterThan(300)
  expect(states.failed).toBeGreaterThan(5_000)
})
