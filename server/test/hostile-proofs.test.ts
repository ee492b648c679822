import { expect, it } from 'vitest'
import { attacksOn } from '#contract/test/hostile/attacks.ts'
import { createCorpus } from '#contract/test/hostile/corpus.ts'
import { mutationsOf } from '#contract/test/hostile/mutations.ts'
import { judge } from '#testing/two-verifiers.ts'

const corpus = createCorpus()

// Without it the others could look at proofs that nobody accepts.
it('right proofs are believed by both verifiers, which tell what was sealed', () => {
  const { faults, states } = judge(corpus.bundles, corpus)
  expect(faults).toEqual([])
  expect(states.proved).toBeGreaterThan(150)
  expect(states.failed).toBe(0)
})

it('what chance would seldom find deceives neither of them', () => {
  expect(judge(attacksOn(corpus), corpus).faults).toEqual([])
})

it('1,000 hostile proofs deceive neither verifier, and both say the same of them', () => {
  const { faults, states } = judge(mutationsOf(corpus, 1_000), corpus)
  expect(faults).toEqual([])
  // These are right still, and all that is told of them is true.
  expect(states.proved).toBeGreaterThan(30)
  expect(states.failed).toBeGreaterThan(500)
})
