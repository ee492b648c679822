import { openCheckpointOf, readCheckpoint } from './checkpoint.ts'
import { compareCheckpoints } from './continuity.ts'
import { type Evidence, evidenceOf } from './evidence.ts'
import { type Held, largestOf, sizeOf } from './held-checkpoints.ts'
import type { KnownLog } from './known-log.ts'
import {
  addContradictions,
  believedLog,
  enter,
  join,
  type LogMemory,
  type RememberedLog,
  rememberedOf,
  withLog,
} from './log-memory.ts'

/** A log that kept silent for long is not asked about all at once. */
const MAX_ASKS = 8

/** Two sizes of which the log is asked the consistency. */
export interface Ask {
  origin: string
  held: Held
  unproven: Held
  from: number
  to: number
  /** Whether an answer was refused already: a second one is no accident of the way. */
  isSecond?: boolean
}

/** What the log answered. `end`: it denies a size that it signed, and this note is what it signed last. */
export type LogAnswer = { hashes: readonly string[] } | { end: string } | undefined

export interface Remembered {
  memory: LogMemory
  /** What to ask the log, and to hand to `answer`. */
  asks: Ask[]
  /** Contradictions that were not known before. */
  found: Evidence[]
}

interface Sighted {
  /** As the site names it, with the statements of all its keys, the newest last. */
  known: KnownLog
  statements?: readonly string[] | undefined
  note: string
  source: Held['source']
  now: Date
}

/** Takes in a checkpoint that was met or pasted. `isSigned` is false for one that no believed key of the log signed. */
export function sight(
  memory: LogMemory,
  { known: served, statements = [], note, source, now }: Sighted,
): Remembered & { isSigned: boolean } {
  const { origin } = served
  const before = rememberedOf(memory, origin)
  const known = believedLog(memory, served, statements)
  const key = known && signerOf(note, known)
  if (!key) {
    const found = source === 'met' ? strangerIn(before, served, note, now) : []
    return { ...addContradictions(memory, found), asks: [], isSigned: false }
  }
  const one = { key, note, source, since: now.toISOString() }
  const pinned = known === served ? pin(before, served, statements.at(-1)) : before
  const { log, found } = settle(origin, enter(pinned, one), now)
  const accused = addContradictions(withLog(memory, origin, log), found)
  return { ...accused, asks: asksOf(origin, log, note), isSigned: true }
}

/** The key by which a note is one of this log; a former one signed nothing after it was replaced. */
function signerOf(note: string, { key, former }: KnownLog): string | undefined {
  const size = sizeOf({ note })
  const inTime = former.filter((one) => size <= one.size).map((one) => one.key)
  return [key, ...inTime].find((one) => openCheckpointOf(one, note))
}

/** The site names a key that nobody believes yet and to which the pinned one does not lead, and signs with it. */
function strangerIn(
  { keys, held }: RememberedLog,
  served: KnownLog,
  note: string,
  now: Date,
): Evidence[] {
  const last = largestOf(held)
  if (keys.includes(served.key) || !last || !openCheckpointOf(served.key, note)) return []
  const other = { key: served.key, note, source: 'met', since: now.toISOString() } as const
  return [evidenceOf({ origin: served.origin, kind: 'key' }, [last, other], now)]
}

function pin(
  log: RememberedLog,
  { key, former }: KnownLog,
  keysNote: string | undefined,
): RememberedLog {
  const earlier = [...former.map((one) => one.key), ...log.keys].filter((one) => one !== key)
  const keys = [...new Set(earlier), key]
  const keys_note = keysNote ?? log.keys_note
  return { ...log, keys, ...(keys_note !== undefined && { keys_note }) }
}

/** All that can be compared without asking: what contradicts leaves, what is of one size and root is proved. */
function settle(
  origin: string,
  log: RememberedLog,
  now: Date,
): { log: RememberedLog; found: Evidence[] } {
  const found: Evidence[] = []
  const unproven: Held[] = []
  let { held } = log
  for (const one of log.unproven) {
    const answers = [...held, ...unproven].map((other) => ({ other, ...compared(other, one) }))
    const wrong = answers.find(({ state }) => state === 'failed')
    const isProved = answers.some(({ other, state }) => state === 'passed' && held.includes(other))
    if (wrong?.kind) found.push(evidenceOf({ origin, kind: wrong.kind }, [wrong.other, one], now))
    else if (isProved) held = join(held, one, now)
    else unproven.push(one)
  }
  return { log: { ...log, held, unproven }, found }
}

function compared(one: Held, other: Held, hashes?: readonly string[]) {
  const [first, second] = [readCheckpoint(one.note), readCheckpoint(other.note)]
  if (!first || !second) return { state: 'later' as const }
  return compareCheckpoints(first, second, hashes)
}

/** The one that was just seen first, then those that wait longest. */
function asksOf(origin: string, { held, unproven }: RememberedLog, note: string): Ask[] {
  const last = largestOf(held)
  if (!last) return []
  const first = unproven.filter((one) => one.note === note)
  const others = unproven.filter((one) => one.note !== note)
  return [...first, ...others].slice(0, MAX_ASKS).map((one) => {
    const sizes = [sizeOf(last), sizeOf(one)]
    return { origin, held: last, unproven: one, from: Math.min(...sizes), to: Math.max(...sizes) }
  })
}

/** Takes in what the log answered: only a path that holds proves, and what is not answered takes nothing from what is held. */
export function answer(memory: LogMemory, ask: Ask, given: LogAnswer, now: Date): Remembered {
  const { origin, held, unproven: one } = ask
  const log = rememberedOf(memory, origin)
  const isIn = (list: readonly Held[], { note }: Held) => list.some((each) => each.note === note)
  if (!isIn(log.held, held) || !isIn(log.unproven, one)) return { memory, asks: [], found: [] }
  if (given && 'hashes' in given) return answered(memory, ask, given.hashes, now)
  const tried = { ...one, tries: (one.tries ?? 0) + 1, triedAt: now.toISOString() }
  const unproven = log.unproven.map((each) => (each.note === one.note ? tried : each))
  const denied = given ? deniedIn(ask, log, given.end, now) : []
  return { ...addContradictions(withLog(memory, origin, { ...log, unproven }), denied), asks: [] }
}

function answered(memory: LogMemory, ask: Ask, hashes: readonly string[], now: Date): Remembered {
  const { origin, held, unproven: one, from, to, isSecond = false } = ask
  const log = rememberedOf(memory, origin)
  const unproven = log.unproven.filter(({ note }) => note !== one.note)
  if (compared(held, one, hashes).state === 'passed') {
    const proved = { ...log, held: join(log.held, one, now), unproven }
    return { memory: withLog(memory, origin, proved), asks: [], found: [] }
  }
  if (!isSecond) return { memory, asks: [{ ...ask, isSecond: true }], found: [] }
  const consistency = { from, to, hashes: [...hashes] }
  const fork = evidenceOf({ origin, kind: 'fork', consistency }, [held, one], now)
  return { ...addContradictions(withLog(memory, origin, { ...log, unproven }), [fork]), asks: [] }
}

/** A log that denies a size which it signed, and is smaller now, was set back. */
function deniedIn(
  { origin, held, unproven }: Ask,
  { keys }: RememberedLog,
  end: string,
  now: Date,
) {
  const larger = sizeOf(held) >= sizeOf(unproven) ? held : unproven
  const key = keys.find((one) => openCheckpointOf(one, end))
  const [then, last] = [readCheckpoint(larger.note), readCheckpoint(end)]
  if (!key || !then || !last || last.size >= then.size) return []
  const isShrunk = compareCheckpoints(then, last, undefined).kind === 'shrunk'
  // Both dated, and the smaller one the older: an answer from before.
  if (then.dated && last.dated && !isShrunk) return []
  const other = { key, note: end, source: 'met', since: now.toISOString() } as const
  return [evidenceOf({ origin, kind: isShrunk ? 'shrunk' : 'fork' }, [larger, other], now)]
}
