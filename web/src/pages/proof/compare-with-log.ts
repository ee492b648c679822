import { openCheckpoint, parseLogKey } from '#contract/proofs/checkpoint.ts'
import { findCheckpoint } from '#contract/proofs/found-checkpoint.ts'
import { compareCheckpoints } from '#contract/proofs/verify-proof.ts'
import { fetchConsistency, fetchLogEnd } from '#web/features/proofs/proofs.queries.ts'
import type { Outcome } from './comparisons.ts'

interface Comparison {
  outcome: Outcome
  sizes?: { met: number; now: number }
}

const OUTCOMES = { passed: 'contained', failed: 'forked', later: 'unanswered' } as const

/** Compares a pasted checkpoint with the log of today; everything is computed here. */
export async function compare(pasted: string): Promise<Comparison> {
  const found = findCheckpoint(pasted)
  if (found === undefined) return { outcome: 'unreadable' }
  const { key, note } = await fetchLogEnd()
  const logKey = parseLogKey(key)
  const [met, now] = [found, note].map((text) => logKey && openCheckpoint(text, logKey))
  if (!met || !now) return { outcome: 'not_signed' }
  const state = compareCheckpoints(met, now, await fetchConsistency(met.size, now.size))
  return { outcome: OUTCOMES[state], sizes: { met: met.size, now: now.size } }
}
