import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Mutant } from './two-worlds/mutant-kinds.ts'
import { MUTANTS, TRANSFER_MUTANTS, VOICE_MUTANTS } from './two-worlds/mutants.ts'
import { type Finding, runTrace, TRANSFERS_ALONE, VOICES_ALONE } from './two-worlds/run-trace.ts'
import { traces } from './two-worlds/trace.ts'
import { openWorlds, type Worlds } from './two-worlds/worlds.ts'

/** More of them: `TWO_WORLDS_RUNS=200 npx vitest run server/test/two-worlds.test.ts`, with any `TWO_WORLDS_SEED`. */
const RUNS = Number(process.env.TWO_WORLDS_RUNS || 3)
const SEED = Number(process.env.TWO_WORLDS_SEED || 20_261_120)
const PATH = process.env.TWO_WORLDS_PATH
/** Its first trace seals a video, a sound and a picture and is short: most leaks show in it. */
const MUTANTS_SEED = 992
const MUTANTS_TRACES = 6

let worlds: Worlds

beforeAll(async () => {
  worlds = await openWorlds()
})
afterAll(() => worlds.close())

describe('two worlds that differ in what is locked and in nothing else', () => {
  const asked = new Set<string>()

  it(
    'look the same to everybody but the author, whatever is asked',
    async () => {
      let compared = 0
      const property = fc.asyncProperty(traces, async (trace) => {
        const { finding, story } = await runTrace(worlds, trace)
        compared += story.compared
        for (const request of story.asked) asked.add(request)
        if (finding) throw new Error(`Found by the ${finding.by}: ${finding.what}`)
      })
      // A first failure says enough; replayed by its path, it is made smaller.
      const search = PATH ? { path: PATH } : { endOnFailure: true }
      const result = await fc.check(property, { seed: SEED, numRuns: RUNS, ...search })
      if (result.failed) {
        const [trace = []] = result.counterexample ?? []
        const replay = `TWO_WORLDS_SEED=${SEED} TWO_WORLDS_PATH=${result.counterexamplePath}`
        const steps = trace.map((step) => JSON.stringify(step)).join('\n  ')
        expect.fail(`${result.errorInstance}\nReplay it with ${replay}. The trace:\n  ${steps}`)
      }
      console.info(
        `two worlds: ${result.numRuns} traces (seed ${SEED}), ${compared} answers compared`,
      )
    },
    600_000 + RUNS * 90_000,
  )

  it('were asked for everything the API offers', async () => {
    const { body } = await worlds.A.server.call('GET', '/api/docs')
    const forgotten = routesOf(body).filter(
      ({ name, pattern }) =>
        !OF_ONES_OWN_ACCOUNT.includes(name) && ![...asked].some((request) => pattern.test(request)),
    )
    expect(forgotten.map(({ name }) => name)).toEqual([])
  })
})

/** What touches nothing that somebody else could have locked. */
const OF_ONES_OWN_ACCOUNT = [
  'POST /api/auth/register',
  'POST /api/auth/login',
  'POST /api/auth/logout',
  'PUT /api/auth/profile',
  'PUT /api/auth/change-password',
  'POST /api/auth/onboarded',
  'DELETE /api/auth/sessions',
  'DELETE /api/auth/sessions/{id}',
  'PUT /api/subscriptions/preferences',
  'POST /api/subscriptions/upgrade',
  'POST /api/subscriptions/storage',
  'GET /api/push',
  'PUT /api/push/subscription',
  'DELETE /api/push/subscription',
  'GET /api/health',
  'GET /api/site',
]

function routesOf(document: {
  paths: Record<string, object>
}): { name: string; pattern: RegExp }[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => {
      const name = `${method.toUpperCase()} ${path}`
      return { name, pattern: new RegExp(`^${name.replaceAll(/\{[^}]+\}/g, '[^/]+')}$`) }
    }),
  )
}

describe('a leak planted in the servers', () => {
  const table: string[] = []
  afterAll(() => console.info(table.join('\n')))

  it.each(MUTANTS)('is found: $name', async (mutant) => {
    await requireFound(mutant, async () => {
      for (const trace of fc.sample(traces, { seed: MUTANTS_SEED, numRuns: MUTANTS_TRACES })) {
        const { finding } = await runTrace(worlds, trace)
        if (finding) return finding
      }
      return undefined
    })
  })

  it.each(VOICE_MUTANTS)('is found among the voices: $name', (mutant) =>
    requireFound(mutant, async () => (await runTrace(worlds, [], VOICES_ALONE)).finding),
  )

  it.each(TRANSFER_MUTANTS)('is found among transfers: $name', (mutant) =>
    requireFound(mutant, async () => (await runTrace(worlds, [], TRANSFERS_ALONE)).finding),
  )

  async function requireFound(
    { name, plant }: Mutant,
    search: () => Promise<Finding | undefined>,
  ): Promise<void> {
    const undo = [plant(worlds.A), plant(worlds.B)]
    let finding: Finding | undefined
    try {
      finding = await search()
    } finally {
      for (const takeOut of undo) takeOut()
    }
    expect(finding, 'the harness saw nothing').toBeDefined()
    table.push(`${name}: found by the ${finding?.by}`)
  }
})
