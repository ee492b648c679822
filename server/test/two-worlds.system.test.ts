import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { OTHER_MUTANTS } from '#testing/two-worlds/mutants.ts'
import { findPlanted, searchTraces } from '#testing/two-worlds/search.ts'
import { openWorlds, type Worlds } from '#testing/two-worlds/worlds.ts'

/** More of them: `TWO_WORLDS_RUNS=200 npm test -- two-worlds.system`, with any `TWO_WORLDS_SEED`. */
const RUNS = Number(process.env.TWO_WORLDS_RUNS || 2)
const SEED = Number(process.env.TWO_WORLDS_SEED || 20_261_120)
const PATH = process.env.TWO_WORLDS_PATH
const MUTANTS_TRACES = 6

let worlds: Worlds

beforeAll(async () => {
  worlds = await openWorlds()
})
afterAll(() => worlds.close())

it(
  'two worlds that differ in what is locked look the same to everybody but the author',
  async () => {
    const result = await searchTraces(worlds, { seed: SEED, runs: RUNS, path: PATH })
    console.info(
      `two worlds: ${result.runs} traces (seed ${SEED}), ${result.compared} answers compared`,
    )
    expect(result.failure).toBeUndefined()
  },
  600_000 + RUNS * 90_000,
)

describe('a leak planted in the servers', () => {
  const table: string[] = []
  afterAll(() => console.info(table.join('\n')))

  it.each(OTHER_MUTANTS)('is found: $name', async (mutant) => {
    const finding = await findPlanted(worlds, mutant, { traceCount: MUTANTS_TRACES })
    expect(finding, 'the harness saw nothing').toBeDefined()
    table.push(`${mutant.name}: found by the ${finding?.by}`)
  })
})
