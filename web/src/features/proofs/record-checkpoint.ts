import type { Evidence } from '#contract/proofs/evidence.ts'
import { type KnownLog, knownLogOf } from '#contract/proofs/known-log.ts'
import { believedLog, type LogMemory, pinnedLog } from '#contract/proofs/log-memory.ts'
import { answer, sight } from '#contract/proofs/sight.ts'
import { loadMemory, storeMemory } from './log-memory-store.ts'
import { fetchLogAnswer, fetchLogKeys } from './proofs.queries.ts'

export interface Recorded {
  memory: LogMemory
  /** The log to believe; undefined while there is none. */
  known: KnownLog | undefined
  /** Whether a key that is believed signed it. */
  isSigned: boolean
  /** Contradictions that were not known before. */
  found: readonly Evidence[]
  /** Whether this browser stored it. */
  isStored: boolean
}

/** Takes a checkpoint into the memory of this browser, and asks the log for what leads there from what is held. */
export async function recordCheckpoint(
  note: string | null,
  source: 'met' | 'mailed',
  now: Date,
): Promise<Recorded> {
  const { known: served, statements } = await servedLog()
  const memory = loadMemory(now)
  if (!served || note === null) {
    const known = served ? believedLog(memory, served, statements) : pinnedLog(memory)
    return { memory, known, isSigned: false, found: [], isStored: true }
  }
  const seen = sight(memory, { known: served, statements, note, source, now })
  const found = [...seen.found]
  // Before anything is asked: a page that is left meanwhile has it.
  let stored = await storeMemory(seen.memory, now)
  for (let { asks } = seen; asks.length > 0; ) {
    const answers = await Promise.all(asks.map(fetchLogAnswer))
    const again: typeof asks = []
    let { memory: all } = stored
    for (const [at, ask] of asks.entries()) {
      const next = answer(all, ask, answers[at], now)
      all = next.memory
      found.push(...next.found)
      again.push(...next.asks)
    }
    stored = await storeMemory(all, now)
    asks = again
  }
  const known = believedLog(stored.memory, served, statements)
  return { ...stored, known, isSigned: seen.isSigned, found }
}

/** As the site names it; nothing while its log is empty. */
async function servedLog(): Promise<{
  known?: KnownLog | undefined
  statements: readonly string[]
}> {
  const keys = await fetchLogKeys()
  if (!keys) return { statements: [] }
  const { key, statements } = keys
  return { known: knownLogOf(key, statements.at(-1) ?? null), statements }
}
