import {
  commitmentOf,
  fromBase64,
  isCount,
  isHex32,
  isInstant,
  isUuid,
  type Leaf,
  leafHash,
  type Opened,
} from './commitment.ts'
import { type Checkpoint, isConsistent, isIncluded, openCheckpoint } from './log.ts'

type State = 'passed' | 'later' | 'failed'
type Step = 'format' | 'letter' | 'file' | 'versions' | 'checkpoint' | 'inclusion' | 'continuity'

interface Version extends Leaf {
  leaf: number | null
  inclusion: string[] | null
}

interface Proof {
  revelation_id: string
  key: string | null
  checkpoint: string | null
  versions: Version[]
  opening: Omit<Opened, 'revelation_id'> | null
}

interface Context {
  /** SHA-256 of the file as it was downloaded. */
  file_sha256?: string | undefined
  met_before?: { key: string; checkpoint: string; consistency?: string[] } | undefined
}

interface Verdict {
  state: State
  steps: Partial<Record<Step, State>>
}

export function verifyProof(value: unknown, given: Context = {}): Verdict {
  if (!isProof(value)) return { state: 'failed', steps: { format: 'failed' } }
  const checkpoint = openedCheckpoint(value)
  const steps: Partial<Record<Step, State>> = {
    format: 'passed',
    letter: letterStep(value),
    ...(value.opening?.file_sha256 ? { file: fileStep(value.opening.file_sha256, given) } : {}),
    versions: passedIf(areVersions(value.versions)),
    checkpoint: checkpoint === null ? 'later' : passedIf(checkpoint !== undefined),
    inclusion: inclusionStep(value.versions, checkpoint),
    ...(given.met_before
      ? { continuity: continuityStep(value, checkpoint, given.met_before) }
      : {}),
  }
  const states = Object.values(steps)
  const state = states.includes('failed') ? 'failed' : states.includes('later') ? 'later' : 'passed'
  return { state, steps }
}

function passedIf(isRight: boolean): State {
  return isRight ? 'passed' : 'failed'
}

/** Null while there is none, undefined when it must be refused. */
function openedCheckpoint({ key, checkpoint }: Proof): Checkpoint | null | undefined {
  if (key === null && checkpoint === null) return null
  return key === null || checkpoint === null ? undefined : openCheckpoint(checkpoint, key)
}

function letterStep({ opening, revelation_id, versions }: Proof): State {
  if (!opening) return 'later'
  return passedIf(commitmentOf({ ...opening, revelation_id }) === versions.at(-1)?.commitment)
}

function fileStep(expected: string, { file_sha256 }: Context): State {
  return file_sha256 === undefined ? 'later' : passedIf(file_sha256 === expected)
}

function areVersions(versions: Version[]): boolean {
  return versions.every((version, at) => {
    const former = versions[at - 1]
    if (version.version !== at + 1 || version.kind !== (former ? 'edit' : 'create')) return false
    if ((version.leaf === null) !== (version.inclusion === null)) return false
    if (!former) return true
    if (version.sealed_at < former.sealed_at) return false
    return version.leaf === null || (former.leaf !== null && former.leaf < version.leaf)
  })
}

function inclusionStep(versions: Version[], checkpoint: Checkpoint | null | undefined): State {
  const states = versions.map((version): State => {
    if (version.leaf === null) return 'later'
    if (!checkpoint) return 'failed'
    const path = (version.inclusion ?? []).map((hash) => Buffer.from(hash, 'base64'))
    const { size, root } = checkpoint
    return passedIf(isIncluded(leafHash(version), version.leaf, size, path, root))
  })
  if (states.includes('failed')) return 'failed'
  return states.includes('later') ? 'later' : 'passed'
}

function continuityStep(
  proof: Proof,
  checkpoint: Checkpoint | null | undefined,
  before: NonNullable<Context['met_before']>,
): State {
  const known = openCheckpoint(before.checkpoint, before.key)
  if (!checkpoint || !known || before.key !== proof.key) return 'failed'
  if (known.size === checkpoint.size) return passedIf(known.root.equals(checkpoint.root))
  if (!before.consistency) return 'later'
  const path = before.consistency.map((hash) => Buffer.from(hash, 'base64'))
  const [earlier, later] = known.size < checkpoint.size ? [known, checkpoint] : [checkpoint, known]
  return passedIf(isConsistent(earlier, later, path))
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isOrNull(value: unknown, is: (value: unknown) => boolean): boolean {
  return value === null || is(value)
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.isWellFormed()
}

function isHash(value: unknown): boolean {
  return isText(value) && fromBase64(value, 32) !== undefined
}

function isProof(value: unknown): value is Proof {
  return (
    isRecord(value) &&
    value.format === 'revelations.app/proof/v1' &&
    isUuid(value.revelation_id) &&
    isOrNull(value.key, isText) &&
    isOrNull(value.checkpoint, isText) &&
    Array.isArray(value.versions) &&
    value.versions.length > 0 &&
    value.versions.every(isVersion) &&
    isOrNull(value.opening, isOpening)
  )
}

function isVersion(value: unknown): boolean {
  return (
    isRecord(value) &&
    isCount(value.version) &&
    (value.kind === 'create' || value.kind === 'edit') &&
    isInstant(value.sealed_at) &&
    isHex32(value.commitment) &&
    isOrNull(value.leaf, isCount) &&
    isOrNull(value.inclusion, (path) => Array.isArray(path) && path.every(isHash))
  )
}

function isOpening(value: unknown): boolean {
  return (
    isRecord(value) &&
    isUuid(value.author_id) &&
    [value.title, value.content].every((text) => isText(text) && text.normalize('NFC') === text) &&
    isInstant(value.reveal_date) &&
    isHex32(value.salt) &&
    isOrNull(value.file_sha256, isHex32)
  )
}
