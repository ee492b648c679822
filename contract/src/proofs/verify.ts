import { hexOf, isSameBytes } from './bytes.ts'
import { type Checkpoint, openCheckpointOf, parseLogKey } from './checkpoint.ts'
import { checkContinuity, type OpenHeld, openHeld } from './continuity.ts'
import { checkDates } from './dates.ts'
import { factsOf } from './facts.ts'
import { finish, type InSteps } from './in-steps.ts'
import type { KnownLog } from './known-log.ts'
import { PROOF_FORMAT } from './proof.ts'
import { isIncluded, type ReadProof, readingProof } from './read-proof.ts'
import { checkPage } from './shown-page.ts'
import type { Because, Context, Step, StepName, StepState, Verdict } from './verdict.ts'

/**
 * Checks a proof of either format, step by step, whatever it is: never throws. Only a log that is known makes anything
 * proved (docs/proof.md, « What a verifier answers »).
 */
export function verify(untrusted: unknown, context: Context): Verdict {
  return finish(verifying(untrusted, context))
}

/** The same in steps, of which the leaves are as many as there are. */
export function* verifying(untrusted: unknown, context: Context): InSteps<Verdict> {
  const read = yield* halfOf(readingProof(untrusted), 0)
  if (!read) {
    const steps = [step('format', 'failed', 'unreadable')]
    return { state: 'failed', steps, proof: undefined, checkpoint: undefined }
  }
  const checkpoint = openedBy(read)
  const held = openHeld(context.held ?? [], context.known)
  const key = checkKey(read, checkpoint, held, context)
  const isKnown = key.state === 'passed'
  const inclusion = yield* halfOf(checkingInclusion(read, checkpoint), 1)
  const signed = checkCheckpoint(read, checkpoint, isKnown ? held : [])
  const steps: Step[] = [
    step('format', 'passed', 'readable'),
    key,
    isKnown ? signed : ofItsOwn(signed, 'signed by its own key'),
    isKnown ? inclusion : ofItsOwn(inclusion, 'included in its own log'),
    checkVersions(read),
    checkLetter(read, inclusion.state),
    ...checkFiles(read, context).map((one) =>
      // What the proof names was not sealed by that alone.
      isKnown && inclusion.state === 'passed' ? one : ofItsOwn(one, 'named files'),
    ),
    ...checkDates(read, checkpoint, isKnown ? held : [], context.now).map((one) =>
      isKnown ? one : ofItsOwn(one, 'dates of its own'),
    ),
    ...checkPage(read, context.page),
    ...checkAudience(read, context.shown),
    ...checkContinuity(read, checkpoint, isKnown, held, context),
  ]
  return verdictOf(steps, read, checkpoint, held)
}

/** As the first or the second half of the whole. */
function* halfOf<T>(work: InSteps<T>, half: 0 | 1): InSteps<T> {
  for (;;) {
    const step = work.next()
    if (step.done) return step.value
    yield (half + step.value) / 2
  }
}

function step(
  name: StepName,
  state: StepState,
  because: Because,
  detail?: Record<string, string>,
): Step {
  return { name, state, because, ...(detail && { detail }) }
}

/** What passed by a log that nobody here knows was compared with that log alone, and the sentence says so. */
function ofItsOwn({ name, state, because, detail }: Step, instead: Because): Step {
  return step(name, state, state === 'passed' ? instead : because, detail)
}

const NEEDED: readonly StepName[] = ['key', 'checkpoint', 'inclusion']

function verdictOf(
  steps: readonly Step[],
  read: ReadProof,
  checkpoint: Checkpoint | undefined,
  held: readonly OpenHeld[],
): Verdict {
  const { proof } = read
  const isProved = steps.every(({ name, state }) => state === 'passed' || !NEEDED.includes(name))
  const state = steps.some((one) => one.state === 'failed')
    ? 'failed'
    : !isProved
      ? 'unproved'
      : steps.some((one) => one.state === 'later')
        ? 'partly'
        : 'proved'
  const said = factsOf(read, checkpoint, held)
  const isAsserted = proof.format === PROOF_FORMAT && read.leaves.length > 1
  if (state === 'failed' || state === 'unproved')
    return { state, steps, proof, checkpoint, claims: said }
  const facts = isAsserted ? { ...said, versions: said.versions.slice(-1) } : said
  return { state, steps, proof, checkpoint, facts, ...(isAsserted && { claims: said }) }
}

function openedBy({ proof: { key, checkpoint: note } }: ReadProof): Checkpoint | undefined {
  return key === null || note === null ? undefined : openCheckpointOf(key, note)
}

function checkKey(
  { proof }: ReadProof,
  checkpoint: Checkpoint | undefined,
  held: readonly OpenHeld[],
  { known }: Context,
): Step {
  const { key } = proof
  if (key === null) return step('key', 'later', 'no log')
  if (!known) return step('key', 'later', 'no key carried')
  if (key === known.key) return step('key', 'passed', 'known key', { origin: known.origin })
  const former = known.former.find((one) => one.key === key)
  if (former) return checkFormerKey(former, checkpoint, held, known)
  const isSameOrigin = parseLogKey(key)?.name === known.origin
  return step('key', 'later', isSameOrigin ? 'unknown key of the same origin' : 'unknown key')
}

/**
 * Whoever stole a key signs what they like, and mails it too: a former key is believed at the very size where it was
 * replaced, or for what this verifier met itself or carries.
 */
function checkFormerKey(
  former: KnownLog['former'][number],
  checkpoint: Checkpoint | undefined,
  held: readonly OpenHeld[],
  { origin }: KnownLog,
): Step {
  const detail = { origin, date: former.replacedAt }
  if (!checkpoint) return step('key', 'later', 'former key, not linked', detail)
  if (checkpoint.size > former.size) return step('key', 'failed', 'former key used later', detail)
  if (checkpoint.size === former.size) {
    return isSameBytes(checkpoint.root, former.root)
      ? step('key', 'passed', 'former key', detail)
      : step('key', 'failed', 'former key used later', detail)
  }
  const isLinked = held.some(
    (one) =>
      one.held.source !== 'mailed' &&
      one.checkpoint.size === checkpoint.size &&
      isSameBytes(one.checkpoint.root, checkpoint.root),
  )
  return isLinked
    ? step('key', 'passed', 'former key', detail)
    : step('key', 'later', 'former key, not linked', detail)
}

/** Both are there or neither is: a key alone would put off for ever what could be refused. */
function checkCheckpoint(
  { proof, leaves }: ReadProof,
  checkpoint: Checkpoint | undefined,
  held: readonly OpenHeld[],
): Step {
  if (proof.key === null && proof.checkpoint === null)
    return step('checkpoint', 'later', 'nothing signed yet')
  if (!checkpoint) return step('checkpoint', 'failed', 'not signed')
  const logged = leaves.filter(({ index }) => index !== null)
  const { dated, size } = checkpoint
  if (dated) {
    const isOfAge = logged.every(
      ({ format, index }) => (format === 2) === (index as number) >= dated.v2From,
    )
    return isOfAge
      ? step('checkpoint', 'passed', 'signed with a date', { date: dated.signedAt })
      : step('checkpoint', 'failed', 'of another age')
  }
  const isOfAge =
    logged.every(({ format }) => format === 1) &&
    held.every(({ checkpoint: one }) => !one.dated || size <= one.dated.v2From)
  return isOfAge
    ? step('checkpoint', 'passed', 'signed without a date')
    : step('checkpoint', 'failed', 'of another age')
}

function* checkingInclusion(
  { leaves, proof }: ReadProof,
  checkpoint: Checkpoint | undefined,
): InSteps<Step> {
  const logged = leaves.filter(({ index }) => index !== null)
  for (const [at, leaf] of logged.entries()) {
    if (!checkpoint || !isIncluded(leaf, checkpoint))
      return step('inclusion', 'failed', 'not included')
    yield (at + 1) / logged.length
  }
  if (logged.length < leaves.length) return step('inclusion', 'later', 'pending')
  // A leaf of format 1 names neither its letter nor the leaf before it.
  return step('inclusion', 'passed', proof.format === PROOF_FORMAT ? 'last included' : 'included')
}

/** A creation, then its edits and changes, each later than the one before; those that are not in the log yet come last. */
function checkVersions({ leaves, proof }: ReadProof): Step {
  const areInOrder = leaves.every((leaf, at) => {
    const before = leaves[at - 1]
    if ((leaf.index === null) !== (leaf.path === null)) return false
    if (!before) return leaf.kind === 'create' && leaf.version === 1
    const isLater = leaf.index === null || (before.index !== null && before.index < leaf.index)
    const number = before.version + (leaf.kind === 'edit' ? 1 : 0)
    const isNext = leaf.kind !== 'create' && leaf.version === number
    return isNext && isLater && before.sealedAt <= leaf.sealedAt
  })
  if (!areInOrder) return step('versions', 'failed', 'not in order')
  return proof.format === PROOF_FORMAT && leaves.length > 1
    ? step('versions', 'later', 'earlier ones asserted')
    : step('versions', 'passed', 'in order')
}

function checkLetter({ last, isOpeningRight }: ReadProof, inclusion: StepState): Step {
  if (last.format === 1) {
    if (isOpeningRight === undefined) return step('letter', 'later', 'still sealed')
    return isOpeningRight
      ? step('letter', 'passed', 'opened')
      : step('letter', 'failed', 'different')
  }
  // The fields make the leaf: what is not included is not what was sealed.
  if (inclusion === 'failed') return step('letter', 'failed', 'different')
  if (last.index === null) return step('letter', 'later', 'not in the log yet')
  if (last.closed.includes('content'))
    return step('letter', 'later', 'still sealed, envelope opened')
  if (last.closed.length === 0) return step('letter', 'passed', 'opened')
  return step('letter', 'later', 'partly closed', { names: last.closed.join(', ') })
}

function checkFiles(
  { letter }: ReadProof,
  { files = [], copies = 0, isOnlyProof = false }: Context,
): Step[] {
  const expected = letter.flatMap((field) => (field.type === 'files' ? field.value : []))
  if (expected.length === 0) return []
  const given = files.map(hexOf)
  const isExpected = (hash: string) => expected.some(({ sha256 }) => sha256 === hash)
  if (isOnlyProof && !given.every(isExpected)) return [step('file', 'failed', 'another file')]
  const count = String(expected.length)
  const missing = expected.filter(({ sha256 }) => !given.includes(sha256)).length
  if (missing === 0) {
    return [step('file', 'passed', expected.length === 1 ? 'same file' : 'same files', { count })]
  }
  if (missing <= copies) return [notCompared(expected.length, copies)]
  const detail = { count, missing: String(missing) }
  return expected.length === 1
    ? [step('file', 'later', 'file not given')]
    : [step('file', 'later', 'files not given', detail)]
}

/** All that is missing is shown by a copy: it is neither what was sealed nor another file. */
function notCompared(count: number, copies: number): Step {
  if (count === 1) return step('file', 'later', 'copy shown')
  const detail = { count: String(count), copies: String(copies) }
  return step('file', 'later', copies < count ? 'copies among files' : 'copies shown', detail)
}

/** What the page beside the proof says of the audience, where the log knows it. */
function checkAudience(read: ReadProof, shown: Context['shown']): Step[] {
  const { audiences, publicSince, isAudienceKnownFromStart } = factsOf(read, undefined, [])
  const logged = audiences.at(-1)
  if (!shown || !logged) return []
  const isSame =
    shown.audience === logged.value &&
    (!isAudienceKnownFromStart || shown.publicSince === publicSince)
  return [
    isSame
      ? step('audience', 'passed', 'audience as logged')
      : step('audience', 'failed', 'audience not logged'),
  ]
}
