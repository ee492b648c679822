import { requireUnguessable, requireUntouched } from './audit.ts'
import { play } from './play.ts'
import { Difference, newStory, type Story } from './story.ts'
import { epilogue, sweepEverything, sweepItems } from './sweep.ts'
import { talk } from './talk.ts'
import type { Step } from './trace.ts'
import { transfers } from './transfers.ts'
import { voices } from './voices.ts'
import type { Worlds } from './worlds.ts'

export interface Finding {
  /** What noticed it: a step of the trace itself, the sweep after it, or the look at what the author has left. */
  by: 'trace' | 'sweep' | 'audit'
  what: string
}

export interface Run {
  finding: Finding | undefined
  story: Story
}

type Phase = readonly [Finding['by'], (story: Story) => Promise<void>]

/** After the trace; what is quick and finds much comes first. */
const PHASES: readonly Phase[] = [
  ['sweep', sweepItems],
  ['audit', requireUnguessable],
  // Before everything is asked: what was sent in parts is then among the files.
  ['sweep', transfers],
  ['sweep', sweepEverything],
  ['sweep', talk],
  ['sweep', voices],
  ['sweep', epilogue],
  ['audit', requireUntouched],
  ['audit', requireUnguessable],
]

export const TRANSFERS_ALONE: readonly Phase[] = [['sweep', transfers]]
export const VOICES_ALONE: readonly Phase[] = [['sweep', voices]]

/** Plays a trace in both worlds from the same start, then sweeps, then audits; stops at the first difference. */
export async function runTrace(
  worlds: Worlds,
  trace: readonly Step[],
  phases = PHASES,
): Promise<Run> {
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
