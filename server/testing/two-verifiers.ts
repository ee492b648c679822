import { isDeepStrictEqual } from 'node:util'
import { knownLogOf } from '#contract/proofs/known-log.ts'
import { verify } from '#contract/proofs/verify.ts'
import { type Answer, answerOf, contextOf } from '#contract/test/answers.ts'
import type { Bundle, Corpus } from '#contract/test/hostile/corpus.ts'
import { lieIn } from '#contract/test/hostile/truth.ts'
import { verify as verifyByThePage } from './independent-verifier/verdict.ts'

/** A verifier that is a copy of the product’s, or the product’s. */
export interface Verifier {
  verify: typeof verify
  knownLogOf: typeof knownLogOf
}

export function answerOfProduct(
  { proof, given }: Pick<Bundle, 'proof' | 'given'>,
  verifier: Verifier = { verify, knownLogOf },
): Answer {
  return answerOf(verifier.verify(proof, contextOf(given, verifier.knownLogOf)))
}

export function answerOfPage({ proof, given }: Pick<Bundle, 'proof' | 'given'>): Answer {
  return verifyByThePage(proof, given)
}

/** What is wrong in the answers to a bundle: a lie, a disagreement, or something thrown. Undefined when nothing is. */
export function faultIn(
  bundle: Bundle,
  corpus: Corpus,
  answers: { product: () => Answer; page: () => Answer },
): { bundle: string; fault: unknown } | undefined {
  try {
    const [product, page] = [answers.product(), answers.page()]
    const lie = lieIn(product, bundle, corpus)
    if (lie) return { bundle: bundle.name, fault: lie }
    return isDeepStrictEqual(product, page)
      ? undefined
      : { bundle: bundle.name, fault: { product, page } }
  } catch (error) {
    return { bundle: bundle.name, fault: error }
  }
}

/** The faults of both verifiers over these bundles, and how many of each state there are. */
export function judge(bundles: Iterable<Bundle>, corpus: Corpus) {
  const faults: NonNullable<ReturnType<typeof faultIn>>[] = []
  const states = { proved: 0, partly: 0, unproved: 0, failed: 0 }
  for (const bundle of bundles) {
    const product = () => {
      const answer = answerOfProduct(bundle)
      states[answer.state] += 1
      return answer
    }
    const fault = faultIn(bundle, corpus, { product, page: () => answerOfPage(bundle) })
    if (fault) faults.push(fault)
  }
  return { faults, states }
}
