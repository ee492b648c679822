import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, expect, it } from 'vitest'
import type { Answer } from '#contract/test/answers.ts'
import { attacksOn } from '#contract/test/hostile/attacks.ts'
import { createCorpus } from '#contract/test/hostile/corpus.ts'
import { mutationsOf } from '#contract/test/hostile/mutations.ts'
import { WEAKENINGS, type Weakening } from '#contract/test/hostile/weakenings.ts'
import { answerOfPage, answerOfProduct, faultIn, type Verifier } from '#testing/two-verifiers.ts'

const CONTRACT = path.resolve(import.meta.dirname, '../../contract')
const COPIES = path.join(CONTRACT, '.cache/weakened')

const corpus = createCorpus()
const bundles = [...attacksOn(corpus), ...corpus.bundles, ...mutationsOf(corpus, 2_000)]
const answers = new Map<string, Answer>()

afterAll(() => rmSync(COPIES, { recursive: true, force: true }))

/** A copy of the product’s verifier with one thing changed. */
async function weakened(name: string, change?: Weakening): Promise<Verifier> {
  const folder = path.join(COPIES, name)
  cpSync(path.join(CONTRACT, 'src/proofs'), folder, { recursive: true })
  if (change) {
    const file = path.join(folder, change.file)
    const source = readFileSync(file, 'utf8')
    expect({ change, times: source.split(change.from).length - 1 }).toEqual({ change, times: 1 })
    writeFileSync(
      file,
      source.replace(change.from, () => change.to),
    )
  }
  const [{ verify }, { knownLogOf }] = await Promise.all([
    import(path.join(folder, 'verify.ts')),
    import(path.join(folder, 'known-log.ts')),
  ])
  return { verify, knownLogOf }
}

function firstFaultOf(verifier: Verifier) {
  for (const bundle of bundles) {
    const page = () => {
      const answer = answers.get(bundle.name) ?? answerOfPage(bundle)
      answers.set(bundle.name, answer)
      return answer
    }
    const fault = faultIn(bundle, corpus, {
      product: () => answerOfProduct(bundle, verifier),
      page,
    })
    if (fault) return fault
  }
  return undefined
}

it('the unchanged verifier is found without fault', async () => {
  expect(firstFaultOf(await weakened('unchanged'))).toBeUndefined()
})

it.each(WEAKENINGS.map((change, at) => ({ ...change, at })))(
  'a verifier is found out in which $name',
  async ({ at, ...change }) => {
    expect(firstFaultOf(await weakened(String(at), change))).toBeDefined()
  },
)
