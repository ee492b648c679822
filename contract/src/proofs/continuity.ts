import { type Bytes, bytesOfBase64, isSameBytes } from './bytes.ts'
import { type Checkpoint, openCheckpointOf } from './checkpoint.ts'
import type { KnownLog } from './known-log.ts'
import type { ReadProof } from './read-proof.ts'
import { verifyConsistency } from './tree.ts'
import type { Because, Context, HeldCheckpoint, Step, StepState } from './verdict.ts'

const OFTEN = 3

export interface OpenHeld {
  held: HeldCheckpoint
  checkpoint: Checkpoint
}

/** Those that a key of this log signed; the others say nothing of it. */
export function openHeld(held: readonly HeldCheckpoint[], known: KnownLog | undefined): OpenHeld[] {
  const keys = known ? [known.key, ...known.former.map(({ key }) => key)] : []
  return held.flatMap((one) => {
    const checkpoint = keys.includes(one.key) ? openCheckpointOf(one.key, one.note) : undefined
    return checkpoint ? [{ held: one, checkpoint }] : []
  })
}

/** How two checkpoints of one log contradict each other. */
export type Contradiction = 'roots' | 'shrunk' | 'v2_from' | 'fork'

/**
 * Whether two checkpoints are of one log that only grew. `failed`: they cannot both be true. `later`: the hashes (base64) that
 * lead from one to the other are missing.
 */
export function compareCheckpoints(
  one: Checkpoint,
  other: Checkpoint,
  consistency: readonly string[] | undefined,
): { state: StepState; kind?: Contradiction } {
  const [earlier, later] = one.size <= other.size ? [one, other] : [other, one]
  if (one.origin !== other.origin) return { state: 'failed', kind: 'fork' }
  if (earlier.size === later.size && !isSameBytes(earlier.root, later.root))
    return { state: 'failed', kind: 'roots' }
  if (one.dated && other.dated && one.dated.v2From !== other.dated.v2From)
    return { state: 'failed', kind: 'v2_from' }
  if (earlier.size === later.size) return { state: 'passed' }
  if (earlier.dated && later.dated && earlier.dated.signedAt > later.dated.signedAt)
    return { state: 'failed', kind: 'shrunk' }
  if (!consistency) return { state: 'later' }
  const path = hashesOf(consistency)
  return path && verifyConsistency(earlier, later, path)
    ? { state: 'passed' }
    : { state: 'failed', kind: 'fork' }
}

function hashesOf(encoded: readonly string[]): Bytes[] | undefined {
  const hashes = encoded.flatMap((text) => bytesOfBase64(text) ?? [])
  return hashes.length === encoded.length ? hashes : undefined
}

const BECAUSE: Readonly<Record<Contradiction, Because>> = {
  roots: 'rewritten',
  fork: 'rewritten',
  v2_from: 'rewritten',
  shrunk: 'shrunk',
}

/** Against every checkpoint that was kept of this log, and against what it was seen to say before. */
export function checkContinuity(
  { proof }: ReadProof,
  checkpoint: Checkpoint | undefined,
  isKeyKnown: boolean,
  held: readonly OpenHeld[],
  { contradictedAt, contradiction, logBefore }: Context,
): Step[] {
  const step = (state: StepState, because: Because, detail?: Record<string, string>): Step[] => [
    { name: 'continuity', state, because, ...(detail && { detail }) },
  ]
  if (contradiction) return step('failed', contradiction.because, contradiction.detail)
  if (contradictedAt !== undefined)
    return step('failed', 'contradicted before', { date: contradictedAt })
  const kept = held.filter((one) => one.held.source !== 'carried')
  const isEmpty = proof.key === null && proof.checkpoint === null
  if (isEmpty && kept.length > 0) return step('failed', 'emptied')
  if (!checkpoint || !isKeyKnown) return []
  const quarrel = quarrelAmong(held.map((one) => one.checkpoint))
  if (quarrel) return step('failed', BECAUSE[quarrel.kind], shrinkingOf(...quarrel.between))
  const answers = held.map((one) => ({ one, ...compareHeld(one, checkpoint, proof) }))
  const wrong = answers.find(({ state }) => state === 'failed')
  if (wrong?.kind) {
    return step('failed', BECAUSE[wrong.kind], shrinkingOf(wrong.one.checkpoint, checkpoint))
  }
  if (logBefore !== undefined) return step('later', 'another log before', { before: logBefore })
  if (kept.length === 0) return []
  const open = answers.find(({ one, state }) => state === 'later' && one.held.source !== 'carried')
  if (!open) return step('passed', 'only grown')
  const { since, tries = 1, silentSince = since } = open.one.held
  return tries >= OFTEN
    ? step('later', 'not answered for long', { date: silentSince, tries: String(tries) })
    : step('later', 'not answered', { date: since })
}

/** The same of a kept checkpoint and that of the proof, with what the log answered or the proof brings along. */
export function compareHeld(
  { held, checkpoint }: OpenHeld,
  found: Checkpoint,
  { consistency = [] }: ReadProof['proof'],
): { state: StepState; kind?: Contradiction } {
  const answer = compareCheckpoints(checkpoint, found, held.consistency)
  if (answer.state !== 'later') return answer
  if (held.isLinked) return { state: 'passed' }
  // What the proof brings along may prove, and can never accuse: anybody may have written it.
  const isProved = consistency.some(
    ({ from, hashes }) =>
      from === checkpoint.size &&
      from < found.size &&
      compareCheckpoints(checkpoint, found, hashes).state === 'passed',
  )
  return isProved ? { state: 'passed' } : answer
}

/** What two kept checkpoints say against each other by themselves: at most one of them is of the log of the proof. */
function quarrelAmong(
  checkpoints: readonly Checkpoint[],
): { kind: Contradiction; between: [Checkpoint, Checkpoint] } | undefined {
  for (const [at, one] of checkpoints.entries()) {
    for (const other of checkpoints.slice(0, at)) {
      const { kind } = compareCheckpoints(one, other, undefined)
      if (kind) return { kind, between: [one, other] }
    }
  }
  return undefined
}

/** The two states of a log that lost entries, for the sentence about it. */
export function shrinkingOf(one: Checkpoint, other: Checkpoint): Record<string, string> {
  const [larger, smaller] = one.size >= other.size ? [one, other] : [other, one]
  return {
    date: larger.dated?.signedAt ?? '',
    other: smaller.dated?.signedAt ?? '',
    larger: String(larger.size),
    smaller: String(smaller.size),
  }
}
