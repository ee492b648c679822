import fc from 'fast-check'
import { discuss, mailAboutTalk } from './discussion.ts'
import type { Mutant } from './mutant-kinds.ts'
import {
  NOTIFICATION_MUTANTS,
  RECEIVED_MUTANTS,
  REPLY_MUTANTS,
  TRANSFER_MUTANTS,
  VOICE_MUTANTS,
} from './mutants.ts'
import { play } from './play.ts'
import { receiveLetters } from './received.ts'
import { exchangeReplies } from './replies.ts'
import { Difference, newStory, type Story } from './story.ts'
import {
  epilogue,
  notifyAll,
  requireUnguessable,
  requireUntouched,
  sweepEverything,
  sweepItems,
} from './sweep.ts'
import { type Step, traces } from './trace.ts'
import { transfers } from './transfers.ts'
import { shareVoices } from './voice-messages.ts'
import type { Worlds } from './worlds.ts'

interface TraceSearch {
  seed: number
  runs: number
  /** Replays a failure by its path and shrinks its trace. */
  path?: string | undefined
}

export interface TraceSearchResult {
  runs: number
  /** How many answers of one world were compared with the other’s. */
  compared: number
  /** Each request as `METHOD /path`, once. */
  requested: ReadonlySet<string>
  /** What differed, with the trace that showed it and how to replay it. */
  failure: string | undefined
}

/** Plays random traces in both worlds until one shows a difference. */
export async function searchTraces(
  worlds: Worlds,
  { seed, runs, path }: TraceSearch,
): Promise<TraceSearchResult> {
  const requested = new Set<string>()
  let compared = 0
  const property = fc.asyncProperty(traces, async (trace) => {
    const { finding, story } = await runTrace(worlds, trace)
    compared += story.compared
    for (const request of story.requested) requested.add(request)
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
  return { runs: result.numRuns, compared, requested, failure }
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

/** The first trace of this seed seals a video, a sound and a picture and is short, so most leaks show in it. */
const MUTANTS_SEED = 992

/** Plants the leak in both worlds, searches at most that many traces for it, and removes it. */
export async function findPlanted(
  worlds: Worlds,
  mutant: Mutant,
  { traceCount }: { traceCount: number },
): Promise<Finding | undefined> {
  const undo = [mutant.plant(worlds.A), mutant.plant(worlds.B)]
  try {
    const group = PHASES_ALONE.find(({ mutants }) => mutants.includes(mutant))
    const { phases, needsTrace } = group ?? { phases: PHASES, needsTrace: true }
    const played = needsTrace
      ? fc.sample(traces, { seed: MUTANTS_SEED, numRuns: traceCount })
      : [[]]
    for (const trace of played) {
      const { finding } = await runTrace(worlds, trace, phases)
      if (finding) return finding
    }
    return undefined
  } finally {
    for (const remove of undo) remove()
  }
}

export interface Finding {
  /** The phase that found it: a step of the trace, the sweep after it, or the audit of the author’s items. */
  by: 'trace' | 'sweep' | 'audit'
  what: string
}

export interface Run {
  finding: Finding | undefined
  story: Story
}

type Phase = readonly [Finding['by'], (story: Story) => Promise<void>]

/** The phases after a trace; quick ones that find much come first. */
const PHASES: readonly Phase[] = [
  ['sweep', sweepItems],
  ['audit', requireUnguessable],
  // Before the sweep, so that the file sent in parts is among the files.
  ['sweep', transfers],
  ['sweep', sweepEverything],
  ['sweep', discuss],
  ['sweep', shareVoices],
  ['sweep', epilogue],
  ['sweep', exchangeReplies],
  ['sweep', receiveLetters],
  ['sweep', mailAboutTalk],
  ['audit', requireUntouched],
  ['audit', requireUnguessable],
]

interface PhasesAlone {
  mutants: readonly Mutant[]
  phases: readonly Phase[]
  needsTrace: boolean
}

/** The few phases in which the leaks of a group show; all others may show in any phase. */
const PHASES_ALONE: readonly PhasesAlone[] = [
  { mutants: VOICE_MUTANTS, phases: [['sweep', shareVoices]], needsTrace: false },
  { mutants: TRANSFER_MUTANTS, phases: [['sweep', transfers]], needsTrace: false },
  {
    mutants: REPLY_MUTANTS,
    phases: [
      ['sweep', epilogue],
      ['sweep', exchangeReplies],
    ],
    needsTrace: true,
  },
  {
    mutants: RECEIVED_MUTANTS,
    phases: [
      ['sweep', epilogue],
      ['sweep', receiveLetters],
    ],
    needsTrace: true,
  },
  { mutants: NOTIFICATION_MUTANTS, phases: [['sweep', notifyAll]], needsTrace: true },
]

/** Plays a trace in both worlds from the same start, then sweeps, then audits; stops at the first difference. */
async function runTrace(worlds: Worlds, trace: readonly Step[], phases = PHASES): Promise<Run> {
  await worlds.reset()
  const story = newStory(worlds)
  let by: Finding['by'] = 'trace'
  try {
    for (const step of trace) await play(story, step)
    for (const [name, phase] of phases) {
      by = name
      await phase(story)
    }
  } catch (error) {
    if (!(error instanceof Difference)) throw error
    return { finding: { by, what: error.message }, story }
  }
  return { finding: undefined, story }
}
