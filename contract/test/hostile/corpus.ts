import { base64Of, hexOf } from '../../src/proofs/bytes.ts'
import { type FieldValue, hashField, isAlwaysOpen } from '../../src/proofs/fields.ts'
import { type FormerKey, signLogKeys } from '../../src/proofs/known-log.ts'
import type { Proof, ProofField, ProofV2 } from '../../src/proofs/proof.ts'
import { PROOF_FORMAT, PROOF_FORMAT_2 } from '../../src/proofs/proof.ts'
import type { Given } from '../answers.ts'
import { commitmentIn, type Item } from '../log.ts'
import {
  createWorld,
  FORKED_AT,
  type Note,
  ROTATED_AT,
  type Sealed,
  type SealedLeaf,
  SIZES,
  saltOf,
  signedAtOf,
  V2_FROM,
  type World,
} from './world.ts'

/** What a verifier is shown. */
export interface Bundle {
  name: string
  proof: unknown
  given: Given
  sealedWithin?: readonly [from: string, to: string] | undefined
}

export interface Corpus {
  /** The log that verifiers know. */
  site: World
  /** The same log up to a point, signed with the same keys. */
  fork: World
  /** Another key under the same origin. */
  foreign: World
  elsewhere: World
  /** The log of the site, to which its operator adds false dates. */
  liar: World
  known: NonNullable<Given['known']>
  /** Right proofs, of all kinds. */
  bundles: Bundle[]
  /** The text of every checkpoint that the keys of the site signed. */
  signed: Map<string, { world: World; note: Note }>
}

export const NOW = '2026-11-20T00:00:00.000Z'

export function textOf(note: string): string {
  return note.slice(0, note.lastIndexOf('\n\n') + 1)
}

export function createCorpus(): Corpus {
  const site = createWorld()
  const fork = createWorld({ forkedAt: FORKED_AT })
  const foreign = createWorld({ keys: 'somebody else', forkedAt: 3 })
  const elsewhere = createWorld({ origin: 'elsewhere.example/log', keys: 'elsewhere' })
  const signed = new Map<string, { world: World; note: Note }>()
  for (const world of [fork, site]) {
    for (const note of world.notes.values()) signed.set(textOf(note.note), { world, note })
  }
  const liar = createWorld()
  const known = knownOf(site)
  const bundles = bundlesOf(site, known)
  return { site, fork, foreign, elsewhere, liar, known, bundles, signed }
}

/** What a verifier carries of a log. */
export function knownOf(world: World): NonNullable<Given['known']> {
  const former: FormerKey = {
    key: world.first.key,
    size: ROTATED_AT,
    root: world.log.root(ROTATED_AT),
    replacedAt: signedAtOf(ROTATED_AT),
  }
  const { origin } = world
  const seeds = { next: world.second.seed, last: world.first.seed }
  const keys_note = signLogKeys(seeds, { origin, former: [former] })
  return { origin, key: world.second.key, keys_note, checkpoint: null }
}

export function noteAt(world: World, size: number): Note {
  const note = world.notes.get(size)
  if (!note) throw new Error(`Nothing was signed at ${size}`)
  return note
}

export function heldOf(world: World, size: number, to?: number): NonNullable<Given['held']>[0] {
  const { key, note } = noteAt(world, size)
  const held = { key, note, source: 'met' as const, since: NOW }
  if (to === undefined) return held
  return { ...held, consistency: pathBetween(world, size, to) }
}

export function pathBetween({ log }: World, one: number, other: number): string[] {
  return log.consistency(Math.min(one, other), Math.max(one, other)).map(base64Of)
}

interface ExportOptions {
  /** Fields of the last version that stay closed. */
  closed?: readonly string[]
  /** Whether leaves that the checkpoint does not hold are shown as not in the log yet. */
  isPending?: boolean
}

/** The proof of a letter as the site exported it when its checkpoint had this size. */
export function exportOf(
  world: World,
  letter: Sealed,
  size: number,
  { closed = [], isPending = false }: ExportOptions = {},
): Proof | ProofV2 {
  const leaves = letter.leaves.filter(({ index }) => index < size || isPending)
  const { key, note } = noteAt(world, size)
  const last = leaves.findLast(({ kind }) => kind !== 'change')
  const head = { key, checkpoint: note, revelation_id: letter.id }
  const place = ({ index }: SealedLeaf) =>
    index < size
      ? { index, inclusion: world.log.inclusion(index, size).map(base64Of) }
      : { index: null, inclusion: null }
  const opening = last?.item && !closed.includes('content') ? openingOf(last.item) : null
  if (leaves.every(({ item }) => item)) {
    const versions = leaves.map((leaf) => {
      const { index, inclusion } = place(leaf)
      return { ...firstOf(leaf), leaf: index, inclusion }
    })
    const withAuthor = opening && { ...opening, author_id: letter.authorId }
    return { format: PROOF_FORMAT, ...head, versions, opening: withAuthor }
  }
  return {
    format: PROOF_FORMAT_2,
    ...head,
    author_id: letter.authorId,
    blinding: hexOf(letter.blinding),
    leaves: leaves.map((leaf, at) => {
      if (leaf.item) return { format: 1, ...firstOf(leaf), ...place(leaf) }
      const fields = fieldsTold(letter, leaf, at, (name) => leaf === last && !closed.includes(name))
      const { kind, version, sealedAt: sealed_at } = leaf
      return { format: 2, kind, version, sealed_at, ...place(leaf), fields }
    }),
    opening,
  }
}

function firstOf({ item, sealedAt, version }: SealedLeaf) {
  if (!item) throw new Error('It is of format 2')
  const commitment = hexOf(commitmentIn(item))
  return { kind: item.kind, version, sealed_at: sealedAt, commitment }
}

function openingOf({ salt, facts }: Item) {
  const { title, content, revealAt: reveal_date, fileSha256 } = facts
  const file_sha256 = fileSha256 ? hexOf(fileSha256) : null
  return { title, content, reveal_date, salt: hexOf(salt), file_sha256 }
}

function fieldsTold(
  letter: Sealed,
  leaf: SealedLeaf,
  at: number,
  isOpen: (name: string) => boolean,
): ProofField[] {
  const inOrder = Object.entries(leaf.fields).toSorted(([one], [other]) => (one < other ? -1 : 1))
  return inOrder.map(([name, value]) => {
    const salt = saltOf(letter, at, name)
    return isAlwaysOpen(name) || isOpen(name)
      ? openField(name, hexOf(salt), value)
      : { name, hash: hexOf(hashField(salt, name, value)) }
  })
}

function openField(name: string, salt: string, value: FieldValue): ProofField {
  if (value.type === 'none') return { name, salt, type: 'none', value: null }
  if (value.type === 'files') return { name, salt, type: 'files', value: [...value.value] }
  return { name, salt, type: value.type, value: value.value }
}

/** Every letter at some of the sizes that hold it, for verifiers with much and little at hand. */
function bundlesOf(world: World, known: NonNullable<Given['known']>): Bundle[] {
  const pairs = SIZES.flatMap((size) => world.letters.map((letter) => ({ letter, size })))
  const made = pairs.filter(({ letter, size }, at) => {
    const isThere = (letter.leaves[0]?.index ?? size) < size
    const isOfAge =
      letter.leaves.every(({ index, item }) => item || index >= size) || size > V2_FROM
    return isThere && isOfAge && (at * 31) % 7 < 2
  })
  return made.map(({ letter, size }, at) => bundleOf(world, known, letter, size, at))
}

function bundleOf(
  world: World,
  known: NonNullable<Given['known']>,
  letter: Sealed,
  size: number,
  turn: number,
): Bundle {
  const sealed = turn % 12 === 5 ? ['content', 'files', 'voice'] : ['criterion', 'files', 'title']
  const closed = turn % 6 === 5 ? sealed : []
  const isPending = turn % 23 === 22
  const proof = exportOf(world, letter, size, { closed, isPending })
  const earlier = SIZES[(turn * 5) % (SIZES.indexOf(size) + 1)] ?? size
  const held = [
    // A key that was replaced is believed at the sizes that were met.
    ...(size < ROTATED_AT ? [heldOf(world, size)] : []),
    ...(turn % 3 === 1 ? [heldOf(world, earlier, size)] : []),
    ...(turn % 11 === 7 ? [heldOf(world, 256, size)] : []),
  ]
  const isBrought = turn % 9 === 3
  const consistency = [{ from: earlier, hashes: pathBetween(world, earlier, size) }]
  const shown = turn % 4 === 1 && !isPending ? shownOf(letter, size) : undefined
  const files = turn % 2 === 0 && closed.length === 0 ? filesOf(letter, size, isPending) : []
  const checkpoint = turn % 5 === 0 ? noteAt(world, earlier).note : null
  return {
    name: `letter ${world.letters.indexOf(letter)} at ${size}`,
    proof: isBrought ? { ...proof, consistency } : proof,
    given: {
      known: { ...known, checkpoint },
      now: NOW,
      ...{ held: isBrought ? [...held, heldOf(world, earlier)] : held, files },
      ...(shown && { shown }),
    },
  }
}

function filesOf(letter: Sealed, size: number, isPending: boolean): string[] {
  const last = letter.leaves.findLast(
    ({ kind, index }) => kind !== 'change' && (isPending || index < size),
  )
  return Object.values(last?.fields ?? {}).flatMap((field) =>
    field.type === 'files' ? field.value.map(({ sha256 }) => sha256) : [],
  )
}

function shownOf(letter: Sealed, size: number): Given['shown'] {
  const audience = audiencesOf(letter.leaves.filter(({ index }) => index < size)).at(-1)
  if (!audience) return undefined
  const public_since = audience.audience === 'public' ? audience.since : null
  return { audience: audience.audience, public_since }
}

export function audiencesOf(leaves: readonly SealedLeaf[]): { audience: string; since: string }[] {
  return namedOverTime(leaves, 'audience').map(({ value: audience, since }) => ({
    audience,
    since,
  }))
}

export function kindsOf(leaves: readonly SealedLeaf[]): { kind: string; since: string }[] {
  return namedOverTime(leaves, 'kind').map(({ value: kind, since }) => ({ kind, since }))
}

function namedOverTime(leaves: readonly SealedLeaf[], name: string) {
  const named = leaves.flatMap(({ fields, sealedAt: since }) => {
    const field = fields[name]
    return field?.type === 'text' ? [{ value: field.value, since }] : []
  })
  return named.filter(({ value }, at) => value !== named[at - 1]?.value)
}
