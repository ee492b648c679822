import { commitmentOf, leafHash, sha256 } from './commitment.ts'
import { type Proof, type ProofLeaf, readProof } from './exported-proof.ts'
import { audiencesOf, type Facts, factsOf, kindsOf, openFieldsOf } from './facts.ts'
import {
  isContradiction,
  keyStep,
  type Log,
  type State,
  type StoredCheckpoint,
  stateBetween,
  type Trust,
  type TrustedCheckpoint,
  trustIn,
} from './known-logs.ts'
import { type Checkpoint, isIncluded, openCheckpoint } from './log.ts'
import {
  boundLeafBytes,
  commitmentOfFields,
  formerOfFirstFormat,
  identityOf,
  isOpen,
  type NamedFile,
} from './named-fields.ts'

export type Step =
  | 'format'
  | 'key'
  | 'checkpoint'
  | 'inclusion'
  | 'versions'
  | 'letter'
  | 'file'
  | 'dates'
  | 'page'
  | 'audience'
  | 'continuity'

export interface VerifierInput {
  known: Log | null
  now: string
  /** SHA-256 of each, given with this proof alone. */
  files?: string[]
  held?: StoredCheckpoint[]
  /** What a page shows of the audience. */
  shown?: { audience: string; public_since: string | null }
  /** What else it shows. */
  page?: Page
  /** When this log was seen to contradict itself. */
  contradicted_at?: string
}

interface Page {
  revelation_id: string
  author_id: string
  version: number
  sealed_at: string
  title: string
  kind?: string
  reveal_at: string
  content?: string
  /** Whose hash is told only of those that were read. */
  files?: { label: string; sha256?: string }[]
}

export interface Verdict {
  state: 'proved' | 'partly' | 'unproved' | 'failed'
  steps: Partial<Record<Step, State>>
  facts?: Facts
}

const A_DAY_MS = 86_400_000
const A_QUARTER_MS = 900_000

export function verify(value: unknown, input: VerifierInput): Verdict {
  const proof = readProof(value)
  if (!proof) return { state: 'failed', steps: { format: 'failed' } }
  const { key } = proof
  const opened = proof.checkpoint && key ? openCheckpoint(proof.checkpoint, key) : undefined
  const trust = trustIn(input.known, input.held ?? [])
  const keyState = keyStep(trust, key, opened)
  const trusted = keyState === 'passed' && trust ? trust.trusted : []
  const hashes = leafHashesOf(proof)
  const included = proof.leaves.map((leaf, at) => stateOfLeaf(leaf, hashes[at], opened))
  const inclusion = worstOf(included)
  const steps: Verdict['steps'] = {
    format: 'passed',
    key: keyState,
    checkpoint: checkpointStep(proof, opened, trusted),
    inclusion,
    versions: versionsStep(proof),
    letter: letterStep(proof, inclusion, included[proof.leaves.indexOf(proof.last)]),
    ...named('file', fileStep(proof, input.files ?? [])),
    ...named('dates', datesStep(proof, opened, trusted, input.now)),
    ...named('page', pageStep(proof, input.page)),
    ...named('audience', audienceStep(proof, input.shown)),
    ...named('continuity', continuityStep(proof, opened, trusted, trust, input)),
  }
  const state = verdictOf(steps)
  const hasFacts = opened && (state === 'proved' || state === 'partly')
  return { state, steps, ...(hasFacts ? { facts: factsOf(proof, opened, trusted) } : {}) }
}

function named(step: Step, state: State | undefined): Verdict['steps'] {
  return state ? { [step]: state } : {}
}

function verdictOf(steps: Verdict['steps']): Verdict['state'] {
  const states = Object.values(steps)
  if (states.includes('failed')) return 'failed'
  const isShown = [steps.key, steps.checkpoint, steps.inclusion].every((step) => step === 'passed')
  if (!isShown) return 'unproved'
  return states.includes('later') ? 'partly' : 'proved'
}

function passedIf(isRight: boolean): State {
  return isRight ? 'passed' : 'failed'
}

function worstOf(states: State[]): State {
  if (states.includes('failed')) return 'failed'
  return states.includes('later') ? 'later' : 'passed'
}

function leafHashesOf(proof: Proof): Buffer[] {
  const author_id = proof.author_id ?? ''
  const identity = identityOf(proof.blinding, proof.revelation_id, author_id).toString('hex')
  const hashes: Buffer[] = []
  for (const [at, leaf] of proof.leaves.entries()) {
    if (leaf.format === 1) {
      hashes.push(leafHash(leaf))
      continue
    }
    const before = proof.leaves[at - 1]
    const former = before?.format === 1 ? formerOfFirstFormat(hashes) : hashes.at(-1)
    const bytes = boundLeafBytes({
      ...leaf,
      identity,
      former: former?.toString('hex') ?? '',
      commitment: commitmentOfFields(leaf.fields).toString('hex'),
    })
    hashes.push(sha256(Buffer.of(0), bytes))
  }
  return hashes
}

function stateOfLeaf(
  { index, inclusion }: ProofLeaf,
  hash: Buffer | undefined,
  checkpoint: Checkpoint | undefined,
): State {
  if (index === null) return 'later'
  if (!checkpoint || !inclusion || !hash) return 'failed'
  const path = inclusion.map((one) => Buffer.from(one, 'base64'))
  return passedIf(isIncluded(hash, index, checkpoint.size, path, checkpoint.root))
}

function checkpointStep(
  proof: Proof,
  opened: Checkpoint | undefined,
  trusted: TrustedCheckpoint[],
): State {
  if (proof.key === null && proof.checkpoint === null) return 'later'
  if (!opened) return 'failed'
  const { size, dating } = opened
  const placed = proof.leaves.filter(({ index }) => index !== null)
  if (dating)
    return passedIf(
      placed.every(({ index, format }) => (format === 2) === Number(index) >= dating.v2_from),
    )
  const isOlder = trusted.every(({ at }) => !at.dating || size <= at.dating.v2_from)
  return passedIf(isOlder && placed.every(({ format }) => format === 1))
}

function versionsStep({ format, leaves }: Proof): State {
  const isRight = leaves.every((leaf, at) => {
    if ((leaf.index === null) !== (leaf.inclusion === null)) return false
    const before = leaves[at - 1]
    if (!before) return leaf.kind === 'create' && leaf.version === 1
    if (leaf.kind === 'create') return false
    if (leaf.version !== before.version + (leaf.kind === 'edit' ? 1 : 0)) return false
    if (leaf.sealed_at < before.sealed_at) return false
    return leaf.index === null || (before.index !== null && before.index < leaf.index)
  })
  if (!isRight) return 'failed'
  return format === 1 && leaves.length > 1 ? 'later' : 'passed'
}

function letterStep(proof: Proof, inclusion: State, included: State | undefined): State {
  const { last, opening, revelation_id, author_id } = proof
  if (last.format === 1) {
    if (!opening || author_id === null) return 'later'
    return passedIf(commitmentOf({ ...opening, revelation_id, author_id }) === last.commitment)
  }
  if (inclusion === 'failed') return 'failed'
  return included === 'passed' && last.fields.every(isOpen) ? 'passed' : 'later'
}

function filesOf({ last, opening }: Proof): string[] {
  if (last.format === 1) return opening?.file_sha256 ? [opening.file_sha256] : []
  return last.fields
    .filter((field) => isOpen(field) && field.type === 'files')
    .flatMap((field) => (isOpen(field) ? (field.value as NamedFile[]) : []))
    .map((file) => file.sha256)
}

function fileStep(proof: Proof, files: string[]): State | undefined {
  const expected = filesOf(proof)
  if (expected.length === 0) return undefined
  if (!files.every((file) => expected.includes(file))) return 'failed'
  return expected.every((file) => files.includes(file)) ? 'passed' : 'later'
}

const timeOf = (instant: string) => new Date(instant).getTime()

function datesStep(
  { leaves, last }: Proof,
  opened: Checkpoint | undefined,
  trusted: TrustedCheckpoint[],
  now: string,
): State | undefined {
  if (!opened) return undefined
  const isFalse = [opened, ...trusted.map(({ at }) => at)].some(({ size, dating }) =>
    leaves.some(({ index, sealed_at }) => {
      if (!dating || index === null) return false
      const lead = timeOf(dating.signed_at) - timeOf(sealed_at)
      return index < size ? lead < 0 : lead > A_QUARTER_MS
    }),
  )
  if (isFalse) return 'failed'
  const date = opened.dating?.signed_at ?? last.sealed_at
  return timeOf(now) < timeOf(date) - A_DAY_MS ? 'later' : 'passed'
}

/** All that the proof names and the page shows. */
function pageStep(proof: Proof, page: Page | undefined): State | undefined {
  if (!page) return undefined
  const open = new Map(openFieldsOf(proof).map(({ name, value }) => [name, value]))
  const pairs = [
    [proof.revelation_id, page.revelation_id],
    [proof.author_id, page.author_id],
    [proof.last.version, page.version],
    [proof.leaves[0].sealed_at, page.sealed_at],
    [kindsOf(proof.leaves).at(-1)?.kind, page.kind],
    [open.get('title'), page.title.normalize('NFC')],
    [open.get('reveal_at'), page.reveal_at],
    [open.get('content'), page.content?.normalize('NFC')],
  ].filter((pair) => pair.every((one) => one !== undefined && one !== null))
  const files = open.has('files') ? open.get('files') : undefined
  return passedIf(
    pairs.every(([named, shown]) => named === shown) &&
      (files === undefined || areFilesOf((files ?? []) as NamedFile[], page.files)),
  )
}

/** The same number of them, each in its place with its caption, and of those bytes where the page tells them. */
function areFilesOf(named: NamedFile[], shown: Page['files']): boolean {
  if (!shown) return true
  const isSame = ({ label, sha256 }: NonNullable<Page['files']>[0], at: number) =>
    label.normalize('NFC') === named[at]?.label && [undefined, named[at]?.sha256].includes(sha256)
  return shown.length === named.length && shown.every(isSame)
}

function audienceStep({ leaves }: Proof, shown: VerifierInput['shown']): State | undefined {
  const last = audiencesOf(leaves).at(-1)
  if (!shown || !last) return undefined
  if (shown.audience !== last.audience) return 'failed'
  const since = last.audience === 'public' ? last.since : null
  return passedIf(leaves[0].format === 1 || shown.public_since === since)
}

function continuityStep(
  proof: Proof,
  opened: Checkpoint | undefined,
  trusted: TrustedCheckpoint[],
  trust: Trust | undefined,
  { contradicted_at }: VerifierInput,
): State | undefined {
  if (contradicted_at !== undefined) return 'failed'
  const isEmpty = proof.key === null && proof.checkpoint === null
  if (isEmpty) return trust?.trusted.some(({ isWaitedFor }) => isWaitedFor) ? 'failed' : undefined
  if (!opened) return undefined
  const isWaitedFor = trusted.some((one) => one.isWaitedFor)
  const quarrels = trusted.some((one, at) =>
    trusted.slice(0, at).some((other) => isContradiction(one.at, other.at)),
  )
  if (quarrels) return 'failed'
  const states = trusted
    .map((one) => ({ one, state: stateBetween(opened, one, proof.consistency) }))
    .filter(({ one, state }) => one.isWaitedFor || state === 'failed')
    .map(({ state }) => state)
  if (!isWaitedFor && !states.includes('failed')) return undefined
  return worstOf(states)
}
