import { bytesOfHex } from '../src/proofs/bytes.ts'
import type { knownLogOf } from '../src/proofs/known-log.ts'
import type { Context, Facts, Verdict } from '../src/proofs/verdict.ts'

/** What a verifier is given beside a proof, as docs/proof.md and its vectors spell it. */
export interface Given {
  known: { origin: string; key: string; keys_note: string | null; checkpoint: string | null } | null
  now: string
  files?: string[]
  held?: {
    key: string
    note: string
    source: 'met' | 'mailed' | 'carried'
    since: string
    consistency?: string[]
  }[]
  shown?: { audience: string; public_since: string | null }
  /** What else it shows. */
  page?: {
    revelation_id: string
    author_id: string
    version: number
    sealed_at: string
    title: string
    kind?: string
    reveal_at: string
    content?: string
    files?: { label: string; sha256?: string }[]
  }
  /** When this log was seen to contradict itself. */
  contradicted_at?: string
}

/** A proof of docs/proof-vectors.json, and what a verifier must come to. */
export interface ProofVector {
  name: string
  proof: unknown
  given: Given
  state: 'proved' | 'partly' | 'unproved' | 'failed'
}

const read = new Map<typeof knownLogOf, Map<string, ReturnType<typeof knownLogOf>>>()

/** Signatures of statements take long, and most verifiers carry the same. */
function readOnce({ key, keys_note }: NonNullable<Given['known']>, readKnown: typeof knownLogOf) {
  const byName = read.get(readKnown) ?? new Map<string, ReturnType<typeof knownLogOf>>()
  read.set(readKnown, byName)
  const name = JSON.stringify([key, keys_note])
  if (!byName.has(name)) byName.set(name, readKnown(key, keys_note))
  return byName.get(name)
}

/** The same for the verifier of the product. */
export function contextOf(
  { known, now, files = [], held = [], shown, page, contradicted_at }: Given,
  readKnown: typeof knownLogOf,
): Context {
  const log = known === null ? undefined : readOnce(known, readKnown)
  const isNamed = log?.origin === known?.origin
  const keys = log ? [log.key, ...log.former.map(({ key }) => key)] : []
  const carried = keys.map((key) => ({
    ...{ key, note: known?.checkpoint ?? '', source: 'carried' as const, since: now },
  }))
  return {
    known: isNamed ? log : undefined,
    now: new Date(now),
    files: files.map((hex) => bytesOfHex(hex) ?? new Uint8Array()),
    isOnlyProof: true,
    held: [...held, ...(known?.checkpoint ? carried : [])],
    contradictedAt: contradicted_at,
    ...(shown && { shown: { audience: shown.audience, publicSince: shown.public_since } }),
    ...(page && { page: pageOf(page) }),
  }
}

function pageOf(page: NonNullable<Given['page']>): Context['page'] {
  const { revelation_id: id, author_id: authorId, sealed_at, reveal_at, ...shown } = page
  return { id, authorId, sealedAt: sealed_at, revealAt: reveal_at, ...shown }
}

/** A verdict as the vectors spell it. */
export function answerOf({ state, steps, facts }: Pick<Verdict, 'state' | 'steps' | 'facts'>) {
  return {
    state,
    steps: Object.fromEntries(steps.map((step) => [step.name, step.state])),
    ...(facts && { facts: toldOf(facts) }),
  }
}
export type Answer = ReturnType<typeof answerOf>

function toldOf(facts: Facts) {
  return {
    origin: facts.origin,
    size: facts.checkpoint.size,
    signed_at: facts.checkpoint.signedAt,
    revelation_id: facts.id ?? null,
    author_id: facts.authorId ?? null,
    version: facts.version,
    sealed_at: facts.sealedAt,
    index: facts.index,
    fields: fieldsOf(facts),
    is_immediate: facts.isImmediate,
    audiences: facts.audiences.map(({ value, since }) => ({ audience: value, since })),
    public_since: facts.publicSince,
    kinds: facts.kinds.map(({ value, since }) => ({ kind: value, since })),
    is_public_from_sealing: facts.isPublicFromSealing,
    versions: facts.versions.map(({ kind, version, sealedAt: sealed_at, index }) => ({
      kind: String(kind),
      ...{ version, sealed_at, index },
    })),
    held_since: facts.heldSince ?? null,
  }
}
export type ToldFacts = ReturnType<typeof toldOf>

export interface ToldField {
  name: string
  type: string
  value: unknown
}

function fieldsOf({ title, content, revealAt, files, others }: Facts): ToldField[] {
  const text = (name: string, value: string | undefined) =>
    value === undefined ? [] : [{ name, type: 'text', value }]
  return [
    ...text('content', content),
    ...text('title', title),
    ...(revealAt === undefined ? [] : [{ name: 'reveal_at', type: 'instant', value: revealAt }]),
    ...(files ? [filesOf(files)] : []),
    ...others.map((field) => ({
      ...{ name: field.name, type: field.type, value: field.type === 'none' ? null : field.value },
    })),
  ].toSorted((one, other) => (one.name < other.name ? -1 : 1))
}

function filesOf(files: NonNullable<Facts['files']>): ToldField {
  return files.length === 0
    ? { name: 'files', type: 'none', value: null }
    : { name: 'files', type: 'files', value: files }
}
