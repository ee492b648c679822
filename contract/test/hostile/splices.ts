import type { Bundle, Corpus } from './corpus.ts'
import {
  altered,
  type Json,
  leavesOf,
  listAt,
  type Mutation,
  oneOfNames,
  otherThan,
  type Random,
} from './random.ts'

/** Parts of a right proof in the place of those of another, of the same or another moment. */
export function splice(bundle: Bundle, random: Random, { bundles }: Corpus): Mutation {
  const other = structuredClone(otherThan(bundle, bundles, random).proof) as Json
  const [way, splicing] = oneOfNames(SPLICES, random)
  return {
    name: `splice: ${way}`,
    proof: altered(bundle, (proof) => splicing(proof, other, random)),
  }
}

const SPLICES: Record<string, (proof: Json, other: Json, random: Random) => void> = {
  'a leaf': (proof, other, random) => {
    const leaves = leavesOf(proof)
    leaves[random.below(leaves.length)] = random.oneOf(leavesOf(other))
  },
  head: (proof, other) => {
    const [mine, theirs] = [leavesOf(proof), leavesOf(other)]
    mine.splice(0, Math.ceil(mine.length / 2), ...theirs.slice(0, Math.ceil(theirs.length / 2)))
  },
  tail: (proof, other, random) => {
    leavesOf(proof).push(...leavesOf(other).slice(-1 - random.below(2)))
  },
  'one leaf less': (proof, _, random) => {
    const leaves = leavesOf(proof)
    leaves.splice(random.below(leaves.length), 1)
  },
  'one leaf twice': (proof, _, random) => {
    const leaves = leavesOf(proof)
    const at = random.below(leaves.length)
    leaves.splice(at, 0, structuredClone(leaves[at]) as Json)
  },
  turned: (proof) => {
    leavesOf(proof).reverse()
  },
  fields: (proof, other, random) => {
    random.oneOf(leavesOf(proof)).fields = random.oneOf(leavesOf(other)).fields ?? []
  },
  'one field': (proof, other, random) => {
    const mine = listAt(random.oneOf(leavesOf(proof)), 'fields')
    const theirs = listAt(random.oneOf(leavesOf(other)), 'fields')
    const field = mine[random.below(mine.length)]
    const same = theirs.find(({ name }) => name === field?.name)
    if (field && same) mine[mine.indexOf(field)] = same
  },
  'the salt of a field': (proof, other, random) => {
    const field = random.oneOf(listAt(random.oneOf(leavesOf(proof)), 'fields'))
    const theirs = random.oneOf(listAt(random.oneOf(leavesOf(other)), 'fields'))
    if (field) field.salt = theirs?.salt ?? '0'.repeat(64)
  },
  'closed fields': (proof, other, random) => {
    const field = random.oneOf(listAt(random.oneOf(leavesOf(proof)), 'fields'))
    const theirs = listAt(random.oneOf(leavesOf(other)), 'fields').find(({ hash }) => hash)
    if (!field) return
    for (const name of ['salt', 'type', 'value']) delete field[name]
    field.hash = theirs?.hash ?? '0'.repeat(64)
  },
  opening: (proof, other) => {
    proof.opening = other.opening
  },
  'opening gone': (proof) => {
    proof.opening = null
  },
  'a value of the opening': (proof, other, random) => {
    const [mine, theirs] = [proof.opening as Json | null, other.opening as Json | null]
    const name = random.oneOf(['title', 'content', 'reveal_date', 'salt', 'file_sha256'])
    if (mine && name) mine[name] = theirs?.[name] ?? null
  },
  blinding: (proof, other) => {
    proof.blinding = other.blinding
  },
  id: (proof, other) => {
    proof.revelation_id = other.revelation_id
  },
  author: (proof, other) => {
    proof.author_id = other.author_id
  },
  'checkpoint alone': (proof, other) => {
    proof.checkpoint = other.checkpoint
  },
  'checkpoint and key': (proof, other) => {
    proof.checkpoint = other.checkpoint
    proof.key = other.key
  },
  inclusion: (proof, other, random) => {
    random.oneOf(leavesOf(proof)).inclusion = random.oneOf(leavesOf(other)).inclusion
  },
  place: (proof, other, random) => {
    const [mine, theirs] = [random.oneOf(leavesOf(proof)), random.oneOf(leavesOf(other))]
    for (const name of ['index', 'leaf', 'inclusion']) if (name in mine) mine[name] = theirs[name]
  },
  dates: (proof, other, random) => {
    random.oneOf(leavesOf(proof)).sealed_at = random.oneOf(leavesOf(other)).sealed_at
  },
  'kind and version': (proof, other, random) => {
    const [mine, theirs] = [random.oneOf(leavesOf(proof)), random.oneOf(leavesOf(other))]
    mine.kind = theirs.kind
    mine.version = theirs.version
  },
}
