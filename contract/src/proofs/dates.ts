import type { Checkpoint } from './checkpoint.ts'
import type { OpenHeld } from './continuity.ts'
import type { ReadLeaf, ReadProof } from './read-proof.ts'
import type { Because, SealedVersion, Step } from './verdict.ts'

/** A leaf may be written while a checkpoint is signed that does not hold it yet. */
const UNDER_WAY_MS = 15 * 60_000
/** Clocks of devices are often a little wrong. */
const CLOCK_MS = 24 * 60 * 60_000

/**
 * Whether the places of the leaves contradict their dates, by every dated checkpoint at hand: a leaf that one of them holds
 * is no younger than it, and one that it does not hold is no older.
 */
export function checkDates(
  { leaves, last }: ReadProof,
  checkpoint: Checkpoint | undefined,
  held: readonly OpenHeld[],
  now: Date,
): Step[] {
  if (!checkpoint) return []
  const dates = [checkpoint, ...held.map((one) => one.checkpoint)].flatMap(({ size, dated }) =>
    dated ? [{ size, signedAt: dated.signedAt }] : [],
  )
  for (const leaf of leaves) {
    for (const date of dates) {
      const because = contradictionOf(leaf, date)
      const detail = { date: leaf.sealedAt, other: date.signedAt }
      if (because) return [{ name: 'dates', state: 'failed', because, detail }]
    }
  }
  const latest = checkpoint.dated?.signedAt ?? last.sealedAt
  if (now.getTime() < Date.parse(latest) - CLOCK_MS)
    return [{ name: 'dates', state: 'later', because: 'clock behind' }]
  const because = dates.length > 0 ? 'dates not contradicted' : 'dates unsigned'
  return [{ name: 'dates', state: 'passed', because }]
}

type Placed = Pick<SealedVersion, 'index' | 'sealedAt'>

/**
 * Of versions that one log holds, of whatever letters: two whose dates contradict their places, so that one of the dates at
 * least is false; undefined where no two do.
 */
export function findDatesOutOfOrder<T extends Placed>(
  versions: readonly T[],
): { earlier: T; later: T } | undefined {
  const placed = versions
    .filter(({ index }) => index !== null)
    .toSorted((one, other) => (one.index as number) - (other.index as number))
  let youngest: T | undefined
  for (const one of placed) {
    if (youngest && Date.parse(one.sealedAt) < Date.parse(youngest.sealedAt) - UNDER_WAY_MS)
      return { earlier: youngest, later: one }
    if (!youngest || one.sealedAt > youngest.sealedAt) youngest = one
  }
  return undefined
}

/** What a dated checkpoint says against a leaf at this place. */
export function contradictionOf(
  { index, sealedAt }: Pick<ReadLeaf, 'index' | 'sealedAt'>,
  { size, signedAt }: { size: number; signedAt: string },
): Because | undefined {
  if (index === null) return undefined
  if (index < size) return sealedAt > signedAt ? 'dated too late' : undefined
  return Date.parse(sealedAt) < Date.parse(signedAt) - UNDER_WAY_MS ? 'dated too early' : undefined
}
