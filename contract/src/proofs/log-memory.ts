import * as z from 'zod/mini'
import { openCheckpointOf } from './checkpoint.ts'
import { type Evidence, evidenceSchema } from './evidence.ts'
import {
  type Held,
  hasRoomForMailed,
  heldSchema,
  largestOf,
  sizeOf,
  thin,
} from './held-checkpoints.ts'
import { type KnownLog, knownLogOf, leadsTo } from './known-log.ts'
import type { HeldCheckpoint } from './verdict.ts'

// What a browser holds against a log: nothing here is replaced, and nothing leaves before it is proved to be in what stays.

const MAX_UNPROVEN = 32
const MAX_CONTRADICTIONS = 64

const logSchema = z.object({
  /** The first was pinned when it was first seen, others only by statements that the ones before signed too. */
  keys: z.array(z.string()),
  /** The statement of the last key. */
  keys_note: z.optional(z.string()),
  /** Proved to be of one log that only grew. */
  held: z.array(heldSchema),
  /** Signed, and not linked to those held yet. */
  unproven: z.array(heldSchema),
  contradictions: z.array(evidenceSchema),
})
export type RememberedLog = z.infer<typeof logSchema>

export const logMemorySchema = z.object({
  version: z.literal(2),
  logs: z.record(z.string(), logSchema),
})
export type LogMemory = z.infer<typeof logMemorySchema>

export function emptyMemory(): LogMemory {
  return { version: 2, logs: {} }
}

/** What is remembered of a log; nothing of one never seen. */
export function rememberedOf({ logs }: LogMemory, origin: string): RememberedLog {
  const log = Object.hasOwn(logs, origin) ? logs[origin] : undefined
  return log ?? { keys: [], held: [], unproven: [], contradictions: [] }
}

export function withLog(memory: LogMemory, origin: string, log: RememberedLog): LogMemory {
  return { ...memory, logs: { ...memory.logs, [origin]: log } }
}

/** The log as this browser pinned it: the one begun last where none is named. */
export function pinnedLog(memory: LogMemory, origin?: string): KnownLog | undefined {
  const { keys, keys_note } = rememberedOf(memory, origin ?? Object.keys(memory.logs).at(-1) ?? '')
  const last = keys.at(-1)
  return last === undefined ? undefined : knownLogOf(last, keys_note ?? null)
}

/** The log to believe: the one that the site names, unless the pinned key does not lead to its key. */
export function believedLog(
  memory: LogMemory,
  served: KnownLog,
  statements: readonly string[],
): KnownLog | undefined {
  const pinned = rememberedOf(memory, served.origin).keys.at(-1)
  const isLinked = pinned === undefined || leadsTo(pinned, served, statements)
  return isLinked ? served : pinnedLog(memory, served.origin)
}

/** Puts a signed note among those of the log: held if it is the first, else unproven. */
export function enter(log: RememberedLog, one: Held): RememberedLog {
  const { held, unproven } = log
  const isSame = ({ note }: Held) => note === one.note
  if (isRefused(log, one)) return log
  if ([...held, ...unproven].some(isSame)) {
    // What somebody pasted stays for good, though it was met before.
    const isPasted = one.source === 'mailed' && hasRoomForMailed(held)
    const named = (known: Held) =>
      isPasted && isSame(known) ? { ...known, source: one.source } : known
    return { ...log, held: held.map(named), unproven: unproven.map(named) }
  }
  if (held.length === 0 && unproven.length === 0) return { ...log, held: [one] }
  // A full list refuses new ones: the oldest stay.
  return unproven.length < MAX_UNPROVEN ? { ...log, unproven: [...unproven, one] } : log
}

function isRefused({ contradictions }: RememberedLog, { note }: Held): boolean {
  return contradictions.some(({ kind, notes }) => kind !== 'dates' && notes[1].note === note)
}

/** Puts a note that was proved to be of the log among those held. */
export function join(held: readonly Held[], proved: Held, now: Date): Held[] {
  const { key, note, source, since } = proved
  const isPasted = source === 'mailed' && hasRoomForMailed(held)
  return thin([...held, { key, note, source: isPasted ? source : 'met', since }], now)
}

/** Adds what contradicts, never removes any; the first of a kind about one checkpoint stays. `found`: what was added. */
export function addContradictions(
  memory: LogMemory,
  evidence: readonly Evidence[],
): { memory: LogMemory; found: Evidence[] } {
  const found: Evidence[] = []
  let all = memory
  for (const one of evidence) {
    const log = rememberedOf(all, one.origin)
    const contradictions = unionOf(log.contradictions, [one])
    if (contradictions.length === log.contradictions.length) continue
    found.push(one)
    all = withLog(all, one.origin, { ...log, contradictions })
  }
  return { memory: all, found }
}

function unionOf(known: readonly Evidence[], others: readonly Evidence[]): Evidence[] {
  const isSame = (one: Evidence, other: Evidence) =>
    one.kind === other.kind && one.notes[0].note === other.notes[0].note
  const added = others.filter((one) => !known.some((other) => isSame(one, other)))
  return [...known, ...added].slice(0, MAX_CONTRADICTIONS)
}

/** When this browser first saw the log contradict itself. */
export function contradictedAt(memory: LogMemory, origin: string): string | undefined {
  return rememberedOf(memory, origin).contradictions[0]?.found_at
}

/** The log that this browser was shown first, where that is another one: under a new name nothing of it could be compared. */
export function logBefore({ logs }: LogMemory, origin: string): string | undefined {
  const seen = Object.entries(logs).flatMap(([name, { held, unproven }]) => {
    const [since] = [...held, ...unproven].map((one) => one.since).toSorted()
    return since === undefined ? [] : [{ name, since }]
  })
  // Of two at one instant the one that was written first.
  const [first] = seen.toSorted((one, other) => one.since.localeCompare(other.since))
  return first && first.name !== origin ? first.name : undefined
}

/** All that a proof is compared with; those held are proved of one log with its checkpoint if that one is held too. */
export function heldFor(
  memory: LogMemory,
  origin: string,
  note: string | null = null,
): HeldCheckpoint[] {
  const { held, unproven } = rememberedOf(memory, origin)
  const tries = Math.max(0, ...unproven.map((one) => one.tries ?? 0))
  const silentSince = unproven.map(({ since }) => since).toSorted()[0]
  const isHeld = held.some((one) => one.note === note)
  const waiting = { tries, silentSince }
  // The checkpoint of the proof itself shows nothing, unless somebody had it from elsewhere.
  const isOwn = (one: Held) => one.note === note && one.source === 'met'
  return [
    ...held
      .filter((one) => !isOwn(one))
      .map((one) => ({ ...plain(one), ...(isHeld ? { isLinked: true } : waiting) })),
    ...unproven.filter((one) => one.note !== note).map((one) => ({ ...plain(one), ...waiting })),
  ]
}

function plain({ key, note, source, since }: Held): HeldCheckpoint {
  return { key, note, source, since }
}

/** Both together, as two tabs wrote them: nothing of either is lost. */
export function merge(one: LogMemory, other: LogMemory, now: Date): LogMemory {
  const origins = new Set([...Object.keys(one.logs), ...Object.keys(other.logs)])
  const logs = [...origins].map((origin) => [
    origin,
    mergeLogs(rememberedOf(one, origin), rememberedOf(other, origin), now),
  ])
  return { version: 2, logs: Object.fromEntries(logs) }
}

function mergeLogs(one: RememberedLog, other: RememberedLog, now: Date): RememberedLog {
  const [longer, shorter] = one.keys.length >= other.keys.length ? [one, other] : [other, one]
  const contradictions = unionOf(one.contradictions, other.contradictions)
  // Each pinned another key at first sight: what was written first counts.
  if (!shorter.keys.every((key) => longer.keys.includes(key))) return { ...one, contradictions }
  const { held, isLinked } = mergeHeld(one.held, other.held)
  const { keys, keys_note } = longer
  const proved = thin(held, now)
  const waiting = [
    ...one.unproven,
    ...other.unproven,
    ...other.held.filter((held) => !isLinked(held)),
  ]
  const unproven: Held[] = []
  for (const next of waiting) {
    const at = unproven.findIndex(({ note }) => note === next.note)
    const isElsewhere =
      held.some(({ note }) => note === next.note) || isRefused({ ...one, contradictions }, next)
    if (at >= 0) unproven[at] = moreTried(unproven[at] as Held, next)
    else if (!isElsewhere && unproven.length < MAX_UNPROVEN) unproven.push(next)
  }
  return {
    ...{ keys, ...(keys_note !== undefined && { keys_note }) },
    ...{ held: proved, unproven, contradictions },
  }
}

function moreTried(one: Held, other: Held): Held {
  return (one.tries ?? 0) >= (other.tries ?? 0) ? one : other
}

/** Those of both that are proved of one log: where each went on from what they share, only the first one’s. */
function mergeHeld(one: readonly Held[], other: readonly Held[]) {
  const isIn = (list: readonly Held[]) => (held: Held) =>
    list.some(({ note }) => note === held.note)
  const shared = largestOf(one.filter(isIn(other)))
  const isBeyond = (held: Held) => !shared || sizeOf(held) > sizeOf(shared)
  const wentOn = one.filter((held) => !isIn(other)(held)).some(isBeyond)
  const isLinked = (held: Held) => isIn(one)(held) || !wentOn || !isBeyond(held)
  const named = one.map((held) =>
    other.some(({ note, source }) => note === held.note && source === 'mailed')
      ? { ...held, source: 'mailed' as const }
      : held,
  )
  return {
    held: [...named, ...other.filter((held) => isLinked(held) && !isIn(one)(held))],
    isLinked,
  }
}

const formerSchema = z.object({ key: z.string(), checkpoint: z.string() })

/** The former store of browsers, `log_checkpoint`: one checkpoint, whose key is pinned unless one is already. */
export function importFormer(memory: LogMemory, stored: unknown, now: Date): LogMemory | undefined {
  const { key = '', checkpoint: note = '' } = formerSchema.safeParse(stored).data ?? {}
  const origin = openCheckpointOf(key, note)?.origin
  if (origin === undefined) return undefined
  const log = rememberedOf(memory, origin)
  if (log.keys.length > 0 && !log.keys.includes(key)) return undefined
  const keys = log.keys.length > 0 ? log.keys : [key]
  const one: Held = { key, note, source: 'met', since: now.toISOString() }
  return withLog(memory, origin, enter({ ...log, keys }, one))
}
