import { findCheckpoints, openCheckpointOf, readCheckpoint } from '#contract/proofs/checkpoint.ts'
import { sizeOf } from '#contract/proofs/held-checkpoints.ts'
import { rememberedOf } from '#contract/proofs/log-memory.ts'
import { fetchLogEnd } from '#web/features/proofs/proofs.queries.ts'
import { type Recorded, recordCheckpoint } from '#web/features/proofs/record-checkpoint.ts'

/** Of one paste: nobody has more mails of one letter at hand. */
const MAX_PASTED = 20

export type Outcome = 'contained' | 'contradicted' | 'not_signed' | 'signed_later' | 'unanswered'

export interface Comparison {
  outcome: Outcome
  /** Entries of the pasted one, and of the largest that is proved to belong to the same log. */
  sizes?: { pasted: number; compared: number }
  /** When the former key that signed it was replaced. */
  replacedAt?: string | undefined
  isStored: boolean
}

/** Takes every checkpoint of a text into the memory of this browser, and says of each what the log of today makes of it. */
export async function compare(pasted: string): Promise<Comparison[]> {
  const notes = findCheckpoints(pasted).slice(0, MAX_PASTED)
  if (notes.length === 0) return []
  const now = new Date()
  const end = await fetchLogEnd()
  await recordCheckpoint(end?.note ?? null, 'met', now)
  const comparisons: Comparison[] = []
  // One after the other: each is compared with those before it, too.
  for (const note of new Set(notes)) {
    comparisons.push(comparisonOf(note, await recordCheckpoint(note, 'mailed', now)))
  }
  return comparisons
}

function comparisonOf(
  note: string,
  { memory, known, isSigned, isStored, found }: Recorded,
): Comparison {
  const former = known?.former.find(({ key }) => openCheckpointOf(key, note))
  if (!isSigned || !known)
    return { outcome: former ? 'signed_later' : 'not_signed', isStored: true }
  const { held, contradictions } = rememberedOf(memory, known.origin)
  const compared = Math.max(...held.map(sizeOf))
  const isRefused = [...found, ...contradictions].some(({ notes }) =>
    notes.some((one) => one.note === note),
  )
  const isRemembered = held.some((one) => one.note === note)
  return {
    outcome: isRefused ? 'contradicted' : isRemembered ? 'contained' : 'unanswered',
    sizes: { pasted: readCheckpoint(note)?.size ?? 0, compared },
    replacedAt: former?.replacedAt,
    isStored,
  }
}
