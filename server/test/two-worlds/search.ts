import fc from 'fast-check'
import type { Mutant } from './mutant-kinds.ts'
import { TRANSFER_MUTANTS, VOICE_MUTANTS } from './mutants.ts'
import { type Finding, runTrace, TRANSFERS_ALONE, VOICES_ALONE } from './run-trace.ts'
import { type Step, traces } from './trace.ts'
import type { Worlds } from './worlds.ts'

interface TraceSearch {
  seed: number
  runs: number
  /** Replays a failure by its path and makes its trace smaller. */
  path?: string | undefined
}

export interface TraceSearchResult {
  runs: number
  /** How many answers of one world were compared with the other’s. */
  compared: number
  /** Each request as `METHOD /path`, once. */
  asked: ReadonlySet<string>
  /** What differed, with the trace that showed it and how to replay it. */
  failure: string | undefined
}

/** Plays random traces in both worlds until one shows a difference. */
export async function searchTraces(
  worlds: Worlds,
  { seed, runs, path }: TraceSearch,
): Promise<TraceSearchResult> {
  const asked = new Set<string>()
  let compared = 0
  const property = fc.asyncProperty(traces, async (trace) => {
    const { finding, story } = await runTrace(worlds, trace)
    compared += story.compared
    for (const request of story.asked) asked.add(request)
    if (finding) throw new Error(`Found by the ${finding.by}: ${finding.what}`)
  })
  const result = await fc.check(property, {
    seed,
    numRuns: runs,
    ...(path ? { path } : { endOnFailure: true }),
  })
  const failure = result.failed
    ? describeFailure(result.errorInstance, result.counterexample?.[0] ?? [], {
        seed,
        path: result.counterexamplePath,
      })
    : undefined
  return { runs: result.numRuns, compared, asked, failure }
}

function describeFailure(
  error: unknown,
  trace: readonly Step[],
  { seed, path }: { seed: number; path: string | null },
): string {
  const replay = `TWO_WORLDS_SEED=${seed} TWO_WORLDS_PATH=${path}`
  const steps = trace.map((step) => JSON.stringify(step)).join('\n  ')
  return `${error}\nReplay it with ${replay}. The trace:\n  ${steps}`
}

/** The first trace of this seed seals a video, a sound and a picture and is short: most leaks show in it. */
const MUTANTS_SEED = 992

/** Plants the leak in both worlds, looks for it where it shows, in that many traces at most, and takes it out again. */
export async function findPlanted(
  worlds: Worlds,
  mutant: Mutant,
  { traceCount }: { traceCount: number },
): Promise<Finding | undefined> {
  const undo = [mutant.plant(worlds.A), mutant.plant(worlds.B)]
  try {
    if (VOICE_MUTANTS.includes(mutant)) return (await runTrace(worlds, [], VOICES_ALONE)).finding
    if (TRANSFER_MUTANTS.includes(mutant))
      return (await runTrace(worlds, [], TRANSFERS_ALONE)).finding
    for (const trace of fc.sample(traces, { seed: MUTANTS_SEED, numRuns: traceCount })) {
      const { finding } = await runTrace(worlds, trace)
      if (finding) return finding
    }
    return undefined
  } finally {
    for (const takeOut of undo) takeOut()
  }
}
