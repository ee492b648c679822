import { isDeepStrictEqual } from 'node:util'
import { isSameBytes } from '../../src/proofs/bytes.ts'
import type { Answer, Given, ToldFacts } from '../answers.ts'
import { audiencesOf, type Bundle, type Corpus, kindsOf, textOf } from './corpus.ts'
import type { Note, Sealed, SealedLeaf, World } from './world.ts'

interface Truth {
  world: World
  note: Note
  letter: Sealed
  /** Those that the proof shows. */
  leaves: SealedLeaf[]
  last: SealedLeaf
}

/** What is false in an answer that tells facts; undefined when all of it is what was sealed. */
export function lieIn(answer: Answer, bundle: Bundle, corpus: Corpus): string | undefined {
  const { facts, state, steps } = answer
  if (!facts) return undefined
  if (state !== 'proved' && state !== 'partly') return 'facts without a proof'
  const truth = truthOf(facts, bundle, corpus)
  if (typeof truth === 'string') return truth
  const told = Object.entries(toldTruth(facts, truth))
  const wrong = told.find(
    ([name, value]) => !isDeepStrictEqual(facts[name as keyof ToldFacts], value),
  )
  if (wrong) return `${wrong[0]} is ${JSON.stringify(facts[wrong[0] as keyof ToldFacts])}`
  if (!areOpenFieldsTrue(facts, truth.last)) return 'a field is not what was sealed'
  if (facts.held_since !== null && !isHeldSince(facts.held_since, truth, bundle.given, corpus))
    return `held since ${facts.held_since}`
  if (state === 'proved' && isOfAnotherLog(truth, bundle.given, corpus))
    return 'proved after a checkpoint of another log'
  const [from, to] = bundle.sealedWithin ?? [facts.sealed_at, facts.sealed_at]
  if (facts.sealed_at < from || (state === 'proved' && facts.sealed_at > to))
    return `sealed at ${facts.sealed_at}`
  return lieBeside(steps, truth, bundle.given)
}

function truthOf(facts: ToldFacts, { proof }: Bundle, { signed }: Corpus): Truth | string {
  const { checkpoint, key, format, opening } = proof as Record<string, unknown>
  const found = signed.get(textOf(String(checkpoint)))
  if (!found) return 'nobody signed this checkpoint'
  if (found.note.key !== key) return 'another key signed this checkpoint'
  const isAt = (leaf: SealedLeaf) => leaf.index === facts.index
  const letter = found.world.letters.find(({ leaves }) => leaves.some(isAt))
  const at = letter?.leaves.findIndex(isAt) ?? -1
  const last = letter?.leaves[at]
  if (!letter || !last || last.kind === 'change') return 'no version has this place'
  const isOfFirst = format === 'revelations.app/proof/v1'
  if (isOfFirst !== (facts.versions.length === 1 && !facts.audiences.length && !!last.item))
    return 'the format is not that of its leaves'
  if (isOfFirst && (opening === null) !== (facts.revelation_id === null))
    return 'an id without its opening'
  const count = isOfFirst ? at + 1 : facts.versions.length
  const leaves = letter.leaves.slice(0, count)
  if (leaves.findLast(({ kind }) => kind !== 'change') !== last) return 'a version is missing'
  return { ...found, letter, leaves, last }
}

function toldTruth(facts: ToldFacts, { world, note, letter, leaves, last }: Truth) {
  const audiences = audiencesOf(leaves)
  const latest = audiences.at(-1)
  const public_since = latest?.audience === 'public' ? latest.since : null
  const isBound = facts.revelation_id !== null
  const revealAt = facts.fields.find(({ name }) => name === 'reveal_at')?.value
  const told = facts.versions.length === 1 ? [last] : leaves
  return {
    ...{ origin: world.origin, size: note.size, signed_at: note.signedAt },
    revelation_id: isBound ? letter.id : null,
    author_id: isBound ? letter.authorId : null,
    ...{ version: last.version, sealed_at: last.sealedAt, index: last.index },
    is_immediate: revealAt !== undefined && last.sealedAt >= String(revealAt),
    ...{ audiences, public_since, kinds: kindsOf(leaves) },
    is_public_from_sealing:
      leaves[0]?.item === undefined && public_since !== null && audiences.length === 1,
    versions: told.map(({ version, kind, index, sealedAt: sealed_at }) => ({
      ...{ version, kind, index, sealed_at },
    })),
  }
}

function areOpenFieldsTrue({ fields }: ToldFacts, { fields: sealed }: SealedLeaf): boolean {
  return fields.every(({ name, type, value }) => {
    const field = sealed[name]
    const expected = field?.type === 'none' ? null : field?.value
    return field?.type === type && isDeepStrictEqual(value, expected)
  })
}

/** The kept checkpoints that a key of the site signed. */
function keptIn({ held = [], known }: Given, { signed }: Corpus) {
  const carried = { note: known?.checkpoint ?? '', key: undefined, source: 'carried' }
  return [...held, carried].flatMap(({ note, key, source }) => {
    const found = signed.get(textOf(note))
    if (!found || (key !== undefined && key !== found.note.key)) return []
    return [{ ...found, isWaitedFor: source !== 'carried' }]
  })
}

type Kept = ReturnType<typeof keptIn>[0]

/** Whether the smaller of two checkpoints is a beginning of the larger. */
function isOfOneLog({ world, note }: Truth, kept: Kept): boolean {
  const size = Math.min(note.size, kept.note.size)
  return isSameBytes(kept.world.log.root(size), world.log.root(size))
}

function isHeldSince(date: string, truth: Truth, given: Given, corpus: Corpus): boolean {
  return keptIn(given, corpus).some(
    (kept) =>
      kept.note.signedAt === date && kept.note.size > truth.last.index && isOfOneLog(truth, kept),
  )
}

function isOfAnotherLog(truth: Truth, given: Given, corpus: Corpus): boolean {
  return keptIn(given, corpus).some((kept) => kept.isWaitedFor && !isOfOneLog(truth, kept))
}

/** What the page and the files that were given say is as true as the facts. */
function lieBeside(
  steps: Answer['steps'],
  { leaves, last }: Truth,
  { shown, files = [] }: Given,
): string | undefined {
  const latest = audiencesOf(leaves).at(-1)
  if (steps.audience === 'passed' && shown?.audience !== latest?.audience)
    return 'the page shows another audience'
  const sealed = Object.values(last.fields).flatMap((field) =>
    field.type === 'files' ? field.value.map(({ sha256 }) => sha256) : [],
  )
  if (steps.file === 'passed' && files.some((file) => !sealed.includes(file)))
    return 'another file was taken for the sealed one'
  return undefined
}
