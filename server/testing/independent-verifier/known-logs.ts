import { fromBase64 } from './commitment.ts'
import type { Proof } from './exported-proof.ts'
import { type FormerKey, openStatement, readKey } from './keys.ts'
import { type Checkpoint, isConsistent, openCheckpoint } from './log.ts'

export type State = 'passed' | 'later' | 'failed'

/** A log as a verifier carries it. */
export interface Log {
  origin: string
  key: string
  keys_note: string | null
  checkpoint: string | null
}

/** A checkpoint that was stored. */
export interface StoredCheckpoint {
  key: string
  note: string
  source: 'met' | 'mailed' | 'carried'
  since?: string
  /** What the log answered, between this one and that of the proof. */
  consistency?: string[]
}

export interface TrustedCheckpoint {
  at: Checkpoint
  isWaitedFor: boolean
  isMailed: boolean
  consistency: string[] | undefined
}

export interface Trust {
  key: string
  former: FormerKey[]
  /** Those that one of the keys opens. */
  trusted: TrustedCheckpoint[]
}

/** Undefined where no log is known, or one that nobody can read. */
export function trustIn(known: Log | null, held: StoredCheckpoint[]): Trust | undefined {
  if (!known || readKey(known.key)?.origin !== known.origin) return undefined
  const former = known.keys_note === null ? [] : openStatement(known.keys_note, known.key)
  if (!former) return undefined
  const keys = [known.key, ...former.map(({ key }) => key)]
  const trusted = held.flatMap(({ key, note, source, consistency }): TrustedCheckpoint[] => {
    const at = keys.includes(key) ? openCheckpoint(note, key) : undefined
    return at
      ? [{ at, isWaitedFor: source !== 'carried', isMailed: source === 'mailed', consistency }]
      : []
  })
  const carried = keys.map((key) => openCheckpoint(known.checkpoint ?? '', key)).find(Boolean)
  if (carried)
    trusted.push({ at: carried, isWaitedFor: false, isMailed: false, consistency: undefined })
  return { key: known.key, former, trusted }
}

export function keyStep(
  trust: Trust | undefined,
  key: string | null,
  checkpoint: Checkpoint | undefined,
): State {
  if (!trust || key === null) return 'later'
  if (key === trust.key) return 'passed'
  const former = trust.former.find((one) => one.key === key)
  if (!former || !checkpoint) return 'later'
  const { size } = checkpoint
  if (size > former.size) return 'failed'
  if (size === former.size) return former.root.equals(checkpoint.root) ? 'passed' : 'failed'
  return trust.trusted.some(({ at, isMailed }) => !isMailed && isSame(at, checkpoint))
    ? 'passed'
    : 'later'
}

function isSame(one: Checkpoint, other: Checkpoint): boolean {
  return one.size === other.size && one.root.equals(other.root)
}

/** Whether the checkpoint of the proof and a trusted one are of one log, as far as anybody said. */
export function stateBetween(
  checkpoint: Checkpoint,
  { at, consistency }: TrustedCheckpoint,
  beginnings: Proof['consistency'],
): State {
  if (isContradiction(checkpoint, at)) return 'failed'
  if (isSame(checkpoint, at)) return 'passed'
  const [earlier, later] = at.size < checkpoint.size ? [at, checkpoint] : [checkpoint, at]
  const isPath = (hashes: string[]) => {
    const path = hashes.map((hash) => fromBase64(hash, 32))
    return path.every((hash) => hash !== undefined) && isConsistent(earlier, later, path)
  }
  if (consistency) return isPath(consistency) ? 'passed' : 'failed'
  const isProved =
    later === checkpoint &&
    beginnings.some(({ from, hashes }) => from === at.size && isPath(hashes))
  return isProved ? 'passed' : 'later'
}

/** What two checkpoints say against each other by themselves. */
export function isContradiction(one: Checkpoint, other: Checkpoint): boolean {
  if (one.size === other.size && !one.root.equals(other.root)) return true
  if (!one.dating || !other.dating) return false
  if (one.dating.v2_from !== other.dating.v2_from) return true
  const [smaller, larger] = one.size <= other.size ? [one, other] : [other, one]
  return (
    smaller.size < larger.size &&
    String(smaller.dating?.signed_at) > String(larger.dating?.signed_at)
  )
}
