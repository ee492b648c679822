import { type Bytes, bytesOfBase64, bytesOfHex, hexOf, isSameBytes } from './bytes.ts'
import { type Checkpoint, openCheckpoint, parseLogKey } from './checkpoint.ts'
import { commitmentOf, leafOf } from './commitment.ts'
import { type Proof, proofSchema, type SealedVersion } from './proof.ts'
import { hashLeaf, verifyConsistency, verifyInclusion } from './tree.ts'

/** `later`: nothing is wrong, but it cannot be checked yet, or not with what was context. */
export type StepState = 'passed' | 'failed' | 'later'

export type StepName =
  | 'format'
  | 'letter'
  | 'file'
  | 'versions'
  | 'checkpoint'
  | 'inclusion'
  | 'continuity'

export interface Step {
  name: StepName
  state: StepState
}

/** A checkpoint seen before, here or in a mail, and the hashes that lead from it to the one of the proof. */
export interface EarlierCheckpoint {
  key: string
  checkpoint: string
  /** In base64; undefined when the log could not be reached. */
  consistency: readonly string[] | undefined
}

/** What a verifier has besides the proof. */
interface Context {
  /** Of the file as it was downloaded; undefined when it was not hashed. */
  fileSha256?: Bytes | undefined
  earlier?: EarlierCheckpoint | undefined
}

export interface Verdict {
  steps: Step[]
  /** Whether any step failed; `later` when all that can be checked now is right. */
  state: StepState
  proof: Proof | undefined
  checkpoint: Checkpoint | undefined
}

/** Checks a proof, step by step, whatever it is: each step stands for itself. */
export function verifyProof(untrusted: unknown, context: Context = {}): Verdict {
  const parsed = proofSchema.safeParse(untrusted)
  if (!parsed.success) return verdictOf([{ name: 'format', state: 'failed' }])
  const proof = parsed.data
  const checkpoint = checkpointOf(proof)
  const steps: Step[] = [
    { name: 'format', state: 'passed' },
    { name: 'letter', state: checkLetter(proof) },
    ...(proof.opening?.file_sha256
      ? [{ name: 'file', state: checkFile(proof.opening.file_sha256, context.fileSha256) } as const]
      : []),
    { name: 'versions', state: passedIf(areInOrder(proof.versions)) },
    { name: 'checkpoint', state: checkCheckpoint(proof, checkpoint) },
    { name: 'inclusion', state: checkInclusion(proof, checkpoint) },
    ...(context.earlier
      ? [
          {
            name: 'continuity',
            state: checkContinuity(proof, checkpoint, context.earlier),
          } as const,
        ]
      : []),
  ]
  return verdictOf(steps, proof, checkpoint)
}

function verdictOf(steps: Step[], proof?: Proof, checkpoint?: Checkpoint): Verdict {
  const states = steps.map((step) => step.state)
  const state = states.includes('failed') ? 'failed' : states.includes('later') ? 'later' : 'passed'
  return { steps, state, proof, checkpoint }
}

function passedIf(isRight: unknown): StepState {
  return isRight ? 'passed' : 'failed'
}

/** The proofs of one moment share their checkpoint, and a signature takes longer than all the rest. */
let lastOpened: { note: string; key: string; checkpoint: Checkpoint | undefined } | undefined

function checkpointOf({ key, checkpoint: note }: Proof): Checkpoint | undefined {
  if (key === null || note === null) return undefined
  if (lastOpened?.note !== note || lastOpened.key !== key) {
    const logKey = parseLogKey(key)
    lastOpened = { note, key, checkpoint: logKey && openCheckpoint(note, logKey) }
  }
  return lastOpened.checkpoint
}

/** Whether title, text, date, file and salt make the commitment of the last version. */
function checkLetter({ revelation_id, opening, versions }: Proof): StepState {
  if (!opening) return 'later'
  const salt = bytesOfHex(opening.salt)
  const fileSha256 = opening.file_sha256 === null ? undefined : bytesOfHex(opening.file_sha256)
  if (!salt) return 'failed'
  const commitment = commitmentOf(salt, {
    id: revelation_id,
    authorId: opening.author_id,
    title: opening.title,
    content: opening.content,
    revealAt: opening.reveal_date,
    fileSha256,
  })
  return passedIf(hexOf(commitment) === versions.at(-1)?.commitment)
}

function checkFile(expected: string, found: Bytes | undefined): StepState {
  return found ? passedIf(hexOf(found) === expected) : 'later'
}

/** Both are there or neither is: a key alone would put off for ever what could be refused. */
function checkCheckpoint(proof: Proof, opened: Checkpoint | undefined): StepState {
  return proof.key === null && proof.checkpoint === null ? 'later' : passedIf(opened)
}

/** One creation, then its edits, each later than the one before; no place in the log is missing in between. */
function areInOrder(versions: readonly SealedVersion[]): boolean {
  return versions.every((version, at) => {
    const before = versions[at - 1]
    const isComplete = (version.leaf === null) === (version.inclusion === null)
    if (version.version !== at + 1 || !isComplete) return false
    if (!before) return version.kind === 'create'
    const isAfter = version.leaf === null || (before.leaf !== null && before.leaf < version.leaf)
    return version.kind === 'edit' && isAfter && before.sealed_at <= version.sealed_at
  })
}

function checkInclusion({ versions }: Proof, checkpoint: Checkpoint | undefined): StepState {
  const logged = versions.filter(({ leaf }) => leaf !== null)
  if (logged.length === 0) return 'later'
  if (!checkpoint || !logged.every((version) => isIncluded(version, checkpoint))) return 'failed'
  return logged.length < versions.length ? 'later' : 'passed'
}

function isIncluded(version: SealedVersion, { size, root }: Checkpoint): boolean {
  const path = hashesOf(version.inclusion ?? [])
  const leafHash = leafHashOf(version)
  if (version.leaf === null || !path || !leafHash) return false
  return verifyInclusion({ leafHash, index: version.leaf, size, path, root })
}

/** The leaf of one version, from what everybody who may see the envelope may read. */
export function leafHashOf(version: SealedVersion): Bytes | undefined {
  const commitment = bytesOfHex(version.commitment)
  if (!commitment) return undefined
  const { kind, sealed_at: sealedAt } = version
  return hashLeaf(leafOf({ kind, version: version.version, commitment, sealedAt }))
}

function hashesOf(encoded: readonly string[]): Bytes[] | undefined {
  const hashes = encoded.flatMap((text) => bytesOfBase64(text) ?? [])
  return hashes.length === encoded.length ? hashes : undefined
}

function checkContinuity(
  proof: Proof,
  checkpoint: Checkpoint | undefined,
  earlier: EarlierCheckpoint,
): StepState {
  if (proof.key === null || !checkpoint) return 'failed'
  if (proof.key !== earlier.key) return 'failed'
  const logKey = parseLogKey(earlier.key)
  const opened = logKey && openCheckpoint(earlier.checkpoint, logKey)
  return opened ? compareCheckpoints(opened, checkpoint, earlier.consistency) : 'failed'
}

/**
 * Whether two checkpoints are of one log that only grew. `failed`: they cannot both be true. `later`: the hashes that
 * lead from one to the other are missing.
 */
export function compareCheckpoints(
  one: Checkpoint,
  other: Checkpoint,
  consistency: readonly string[] | undefined,
): StepState {
  const [earlier, later] = one.size <= other.size ? [one, other] : [other, one]
  if (one.origin !== other.origin) return 'failed'
  if (earlier.size === later.size) return passedIf(isSameBytes(earlier.root, later.root))
  if (!consistency) return 'later'
  const path = hashesOf(consistency)
  return passedIf(path && verifyConsistency(earlier, later, path))
}
