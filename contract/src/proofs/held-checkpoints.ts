import * as z from 'zod/mini'
import { readCheckpoint } from './checkpoint.ts'
import { isInstant } from './instant.ts'

const MAX_MET = 8
const MAX_MAILED = 32

const DAY_MS = 86_400_000
/** Between the oldest and the newest. */
const AGES_DAYS = [1, 2, 4, 8, 16, 32]

const instant = z.string().check(z.refine(isInstant))

export const heldSchema = z.object({
  key: z.string(),
  note: z.string(),
  /** `mailed`: somebody pasted it here. */
  source: z.enum(['met', 'mailed']),
  since: instant,
  /** How often the log did not answer about it. */
  tries: z.optional(z.int().check(z.gte(0))),
  triedAt: z.optional(instant),
})
/** A checkpoint of a log that this browser keeps. It entered by its signature. */
export type Held = z.infer<typeof heldSchema>

export function sizeOf({ note }: Pick<Held, 'note'>): number {
  return readCheckpoint(note)?.size ?? 0
}

/** The one that contains all others. */
export function largestOf(held: readonly Held[]): Held | undefined {
  return held.toSorted((one, other) => sizeOf(other) - sizeOf(one))[0]
}

export function hasRoomForMailed(held: readonly Held[]): boolean {
  return held.filter(({ source }) => source === 'mailed').length < MAX_MAILED
}

/** Of those that were met, the oldest, the newest and those nearest to each age stay: the largest contains the others. */
export function thin(held: readonly Held[], now: Date): Held[] {
  const met = held
    .filter(({ source }) => source === 'met')
    .toSorted((one, other) => one.since.localeCompare(other.since))
  if (met.length <= MAX_MET) return [...held]
  const distance = (one: Held, days: number) =>
    Math.abs(now.getTime() - Date.parse(one.since) - days * DAY_MS)
  const nearest = AGES_DAYS.map(
    (days) => met.toSorted((one, other) => distance(one, days) - distance(other, days))[0],
  )
  const kept = new Set([met[0], met.at(-1), largestOf(held), ...nearest])
  return held.filter((one) => one.source === 'mailed' || kept.has(one))
}
