import { findCheckpoint, openCheckpoint, parseLogKey } from '#contract/proofs/checkpoint.ts'
import { compareCheckpoints } from '#contract/proofs/verify-proof.ts'
import { fetchConsistency, fetchLogEnd } from '#web/features/proofs/proofs.queries.ts'

/** What a pasted checkpoint is, compared with the log. */
export type Outcome = 'contained' | 'forked' | 'not_signed' | 'unreadable' | 'unanswered'

interface Comparison {
  outcome: Outcome
  sizes?: { pasted: number; now: number }
}

const OUTCOMES = { passed: 'contained', failed: 'forked', later: 'unanswered' } as const

/** Compares a pasted checkpoint with the log of today; everything is computed here. */
export async function compare(pasted: string): Promise<Comparison> {
  const found = findCheckpoint(pasted)
  if (found === undefined) return { outcome: 'unreadable' }
  const { key, note } = await fetchLogEnd()
  const logKey = parseLogKey(key)
  const [former, now] = [found, note].map((text) => logKey && openCheckpoint(text, logKey))
  if (!former || !now) return { outcome: 'not_signed' }
  const state = compareCheckpoints(former, now, await fetchConsistency(former.size, now.size))
  return { outcome: OUTCOMES[state], sizes: { pasted: former.size, now: now.size } }
}
