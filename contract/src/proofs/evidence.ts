import * as z from 'zod/mini'
import { base64Of, bytesOfBase64, bytesOfHex, hexOf } from './bytes.ts'
import { type Checkpoint, openCheckpointOf } from './checkpoint.ts'
import { compareCheckpoints, openHeld, shrinkingOf } from './continuity.ts'
import { contradictionOf } from './dates.ts'
import { isInstant } from './instant.ts'
import { isKeyOf, type KnownLog } from './known-log.ts'
import { isIncluded, type ReadLeaf, readProof } from './read-proof.ts'
import { hashLeaf, verifyInclusion } from './tree.ts'
import type { Because, HeldCheckpoint } from './verdict.ts'
import { sentenceOf } from './verdict-in-words.ts'

export const EVIDENCE_FORMAT = 'revelations.app/evidence/v1'

/** The instant stands at the end of a leaf of either format. */
const INSTANT_SIZE = 24

const instant = z.string().check(z.refine(isInstant))
const wholeNumber = z.int().check(z.gte(0))

const signedNoteSchema = z.object({
  key: z.string(),
  note: z.string(),
  source: z.enum(['met', 'mailed', 'carried']),
  since: instant,
})
export type SignedNote = z.infer<typeof signedNoteSchema>

/** Two signed checkpoints of one log that cannot both be true: the one that was held first (docs/proof.md, « Evidence »). */
export const evidenceSchema = z.object({
  format: z.literal(EVIDENCE_FORMAT),
  origin: z.string(),
  kind: z.enum(['roots', 'shrunk', 'v2_from', 'dates', 'key', 'fork']),
  found_at: instant,
  notes: z.tuple([signedNoteSchema, signedNoteSchema]),
  /** Of a fork: the path that leads nowhere; null when the log denied a size that it signed. */
  consistency: z.nullable(
    z.object({ from: wholeNumber, to: wholeNumber, hashes: z.array(z.string()) }),
  ),
  /** Of dates: a leaf that the second note holds and the first contradicts. */
  leaf: z.nullable(
    z.object({ bytes: z.string(), index: wholeNumber, inclusion: z.array(z.string()) }),
  ),
})
export type Evidence = z.infer<typeof evidenceSchema>

type Found = Pick<Evidence, 'origin' | 'kind'> & Partial<Pick<Evidence, 'consistency' | 'leaf'>>

export function evidenceOf(
  { consistency = null, leaf = null, ...found }: Found,
  [one, other]: readonly [SignedNote, SignedNote],
  now: Date,
): Evidence {
  return {
    ...{ format: EVIDENCE_FORMAT, ...found, found_at: now.toISOString() },
    notes: [signedNoteOf(one), signedNoteOf(other)],
    ...{ consistency, leaf },
  }
}

/** Without what the memory writes beside it. */
function signedNoteOf({ key, note, source, since }: SignedNote): SignedNote {
  return { key, note, source, since }
}

/**
 * What a proof whose dates fail shows about its log. Undefined unless the leaf is in a checkpoint that the log signed:
 * anybody may have written the rest.
 */
export function evidenceOfDates(
  untrusted: unknown,
  { known, held, now }: { known: KnownLog; held: readonly HeldCheckpoint[]; now: Date },
): Evidence | undefined {
  const read = readProof(untrusted)
  if (!read) return undefined
  const { key, checkpoint: note } = read.proof
  const since = now.toISOString()
  const own = { key: key ?? '', note: note ?? '', source: 'met', since } as const
  const all = openHeld([own, ...held], known)
  const signed = all.find((one) => one.held === own)?.checkpoint
  if (!signed) return undefined
  for (const leaf of read.leaves.filter((one) => isIncluded(one, signed))) {
    for (const one of all) {
      const { size, dated } = one.checkpoint
      if (!dated || !contradictionOf(leaf, { size, signedAt: dated.signedAt })) continue
      const found = { origin: known.origin, kind: 'dates', leaf: exported(leaf) } as const
      return evidenceOf(found, [one.held, own], now)
    }
  }
  return undefined
}

function exported({ bytes, index, path }: ReadLeaf): Evidence['leaf'] {
  return { bytes: hexOf(bytes), index: index ?? 0, inclusion: (path ?? []).map(base64Of) }
}

interface Judgement {
  /**
   * `proved`: the file alone shows it. `claimed`: whoever wrote the file says that the log answered so. `unknown`: of a log
   * that this verifier does not know. `unfounded`: the file does not show what it says.
   */
  state: 'proved' | 'claimed' | 'unknown' | 'unfounded'
  evidence?: Evidence
  because?: Because
  detail?: Record<string, string>
}

/** Whether a file is about two checkpoints that contradict each other, whatever it is. */
export function isEvidence(untrusted: unknown): boolean {
  const format = (untrusted as { format?: unknown } | null)?.format
  return format === EVIDENCE_FORMAT
}

/** Checks a file of evidence by itself: both signatures, and that the two notes contradict each other as it says. */
export function judgeEvidence(untrusted: unknown, known: KnownLog | undefined): Judgement {
  const evidence = evidenceSchema.safeParse(untrusted).data
  const [one, other] = (evidence?.notes ?? []).map(opened)
  if (!evidence || !one || !other) return { state: 'unfounded' }
  if (one.origin !== evidence.origin || other.origin !== evidence.origin)
    return { state: 'unfounded' }
  const [first, second] = evidence.notes
  const { kind } = evidence
  const areOfOneLog =
    first.key === second.key || [first, second].every(({ key }) => known && isKeyOf(known, key))
  // What a statement says of the keys before it, only the last of them signed.
  const isNext = known?.key === second.key && known.former.at(-1)?.key === first.key
  const isTied = first.key === second.key || isNext
  if (kind === 'key' ? isTied : !areOfOneLog) return { state: 'unfounded' }
  const shown = kind === 'key' ? undefined : shownBy(evidence, one, other)
  if (kind !== 'key' && !shown) return { state: 'unfounded' }
  const isOfKnown = known !== undefined && isKeyOf(known, first.key)
  const isSelfEvident = kind !== 'key' && kind !== 'fork'
  const state = isOfKnown ? (isSelfEvident ? 'proved' : 'claimed') : 'unknown'
  return { state, evidence, ...(shown ?? { because: 'key changed' }) }
}

function opened({ key, note }: SignedNote): Checkpoint | undefined {
  return openCheckpointOf(key, note)
}

/** What the two notes show, if it is what the file says. */
function shownBy(
  { kind, consistency, leaf }: Evidence,
  one: Checkpoint,
  other: Checkpoint,
): Pick<Judgement, 'because' | 'detail'> | undefined {
  if (kind === 'dates') return leaf ? shownByLeaf(leaf, one, other) : undefined
  if (kind === 'fork' && !consistency) return { because: 'rewritten' }
  const found = compareCheckpoints(one, other, consistency?.hashes)
  if (found.kind !== kind) return undefined
  return kind === 'shrunk'
    ? { because: 'shrunk', detail: shrinkingOf(one, other) }
    : { because: 'rewritten', detail: { size: String(one.size) } }
}

function shownByLeaf(
  { bytes, index, inclusion }: NonNullable<Evidence['leaf']>,
  { size, dated }: Checkpoint,
  other: Checkpoint,
): Pick<Judgement, 'because' | 'detail'> | undefined {
  const leaf = bytesOfHex(bytes)
  const path = inclusion.flatMap((hash) => bytesOfBase64(hash) ?? [])
  if (!leaf || !dated || path.length < inclusion.length) return undefined
  const { size: treeSize, root } = other
  if (!verifyInclusion({ leafHash: hashLeaf(leaf), index, size: treeSize, path, root }))
    return undefined
  const sealedAt = new TextDecoder().decode(leaf.slice(-INSTANT_SIZE))
  if (!isInstant(sealedAt)) return undefined
  const because = contradictionOf({ index, sealedAt }, { size, signedAt: dated.signedAt })
  return because && { because, detail: { date: sealedAt, other: dated.signedAt } }
}

/** Why continuity fails at the very visit that found it. */
export function becauseOf({ kind, notes: [one, other] }: Evidence): {
  because: Because
  detail?: Record<string, string>
} {
  if (kind === 'key') return { because: 'key changed' }
  const [first, second] = [opened(one), opened(other)]
  if (kind !== 'shrunk' || !first || !second) return { because: 'rewritten' }
  return { because: 'shrunk', detail: shrinkingOf(first, second) }
}

/** What there is to say of a file of evidence, the headline first. */
export function evidenceInWords(
  { state, evidence, because, detail = {} }: Judgement,
  formatInstant: (instant: string) => string,
): string[] {
  if (!evidence || !because) {
    return ['Ce fichier ne montre pas deux points de contrôle signés qui se contredisent.']
  }
  const said =
    evidence.kind === 'roots'
      ? `Deux points de contrôle signés de la même clé, ${detail.size} inscriptions, deux racines\u202F: le journal a été réécrit.`
      : sentenceOf({ name: 'continuity', state: 'failed', because, detail }, formatInstant)
  if (state === 'unknown') {
    return [
      'Clé inconnue\u202F: rien n’est prouvé.',
      `Les deux points de contrôle se disent du journal ${evidence.origin}, dont ce vérificateur ne connaît pas la clé.`,
    ]
  }
  if (state === 'proved') return [said]
  const open =
    evidence.kind === 'key'
      ? 'C’est au journal de montrer que l’ancienne clé a signé la nouvelle.'
      : 'Aucun chemin connu ne mène de l’un à l’autre\u202F: c’est au journal d’en montrer un.'
  return [`À établir\u202F: ${said.charAt(0).toLowerCase()}${said.slice(1)}`, open]
}
