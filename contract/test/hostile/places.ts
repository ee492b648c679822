import { type Bundle, type Corpus, exportOf, heldOf, NOW } from './corpus.ts'
import {
  altered,
  type Json,
  leavesOf,
  type Mutation,
  oneOfNames,
  otherThan,
  type Random,
} from './random.ts'
import { SIZES } from './world.ts'

/** Other indexes, and paths that lead elsewhere. */
export function misplace(bundle: Bundle, random: Random, { bundles }: Corpus): Mutation {
  const [way, place] = oneOfNames(PLACES, random)
  const other = structuredClone(otherThan(bundle, bundles, random).proof) as Json
  const proof = altered(bundle, (copy) => {
    const leaf = random.oneOf(leavesOf(copy))
    const name = 'leaf' in leaf ? 'leaf' : 'index'
    const path = Array.isArray(leaf.inclusion) ? [...leaf.inclusion] : []
    const at = { index: Number(leaf[name]), size: Number(String(copy.checkpoint).split('\n')[1]) }
    const found = place({ ...at, path, random, other: random.oneOf(leavesOf(other)) })
    if (found.index !== undefined) leaf[name] = found.index
    if (found.path !== undefined) leaf.inclusion = found.path
  })
  return { name: `place: ${way}`, proof }
}

interface Found {
  index: number
  size: number
  path: string[]
  random: Random
  other: Json
}

type Place = (found: Found) => { index?: number | null; path?: unknown }

const hashIn = ({ path, random }: Found) => random.below(path.length)

const PLACES: Record<string, Place> = {
  'one further': ({ index }) => ({ index: index + 1 }),
  'one before': ({ index }) => ({ index: index - 1 }),
  'a power of two further': ({ index, random }) => ({ index: index + 2 ** random.below(10) }),
  'a power of two': ({ random }) => ({ index: 2 ** random.below(53) }),
  'the other sibling': ({ index, random }) => ({ index: index ^ (1 << random.below(9)) }),
  'the size': ({ size }) => ({ index: size }),
  'size and index': ({ size, index }) => ({ index: size + index }),
  'beyond all numbers': ({ random }) => ({
    index: random.oneOf([2 ** 53 - 1, 2 ** 53, 2 ** 32, -1]),
  }),
  'no index': () => ({ index: null }),
  'no path': () => ({ path: null }),
  neither: () => ({ index: null, path: null }),
  'an empty path': () => ({ path: [] }),
  'a path cut': (found) => ({ path: found.path.toSpliced(hashIn(found), 1) }),
  'a path longer': (found) => ({ path: [...found.path, found.path[0] ?? 'A'.repeat(43)] }),
  'a hash twice': (found) => ({
    path: found.path.toSpliced(hashIn(found), 0, found.path[hashIn(found)] ?? ''),
  }),
  'a path reversed': ({ path }) => ({ path: path.toReversed() }),
  'two hashes exchanged': (found) => {
    const path = [...found.path]
    const [one, other] = [hashIn(found), hashIn(found)]
    ;[path[one], path[other]] = [path[other] ?? '', path[one] ?? '']
    return { path }
  },
  'a bit of a hash': (found) => {
    const at = hashIn(found)
    const bytes = Buffer.from(found.path[at] ?? '', 'base64')
    if (bytes.length > 0)
      bytes.writeUInt8(bytes.readUInt8(found.random.below(32) % bytes.length) ^ 4, 0)
    return { path: found.path.toSpliced(at, 1, bytes.toString('base64')) }
  },
  'a hash in another alphabet': (found) => ({
    path: found.path.map((hash) => hash.replaceAll('+', '-').replaceAll('/', '_')),
  }),
  'a hash without padding': (found) => ({ path: found.path.map((hash) => hash.replace('=', '')) }),
  'a hash respelt': (found) => ({
    path: found.path.map((hash) =>
      hash.replace(/(.)=$/, (_, digit) => `${String.fromCharCode(digit.charCodeAt(0) + 1)}=`),
    ),
  }),
  'a short hash': (found) => ({ path: found.path.toSpliced(hashIn(found), 1, 'AAAA') }),
  'another path': ({ other }) => ({ path: other.inclusion }),
  'another index': ({ other }) => ({ index: (other.index ?? other.leaf ?? null) as number | null }),
}

/** A right proof of any log and moment, to verifiers that hold checkpoints of any other. */
export function remember(
  bundle: Bundle,
  random: Random,
  { site, fork, foreign, elsewhere, known }: Corpus,
): Mutation {
  const world = random.oneOf([site, site, site, fork, fork, foreign, elsewhere])
  const size = random.oneOf(SIZES)
  const there = world.letters.filter((letter) => (letter.leaves[0]?.index ?? size) < size)
  const proof: Json = { ...exportOf(world, random.oneOf(there), size) }
  const held = [0, 1, 2].slice(random.below(3)).map(() => {
    const other = random.oneOf([site, site, world, fork, foreign])
    const kept = heldOf(other, random.oneOf(SIZES), random.oneOf([undefined, size, size]))
    const source = random.oneOf(['met', 'mailed', 'carried'] as const)
    const consistency = twisted(kept.consistency, random)
    return { ...kept, source, ...(consistency && { consistency }) }
  })
  if (random.below(2) === 0) held.push({ ...heldOf(world, size), source: 'met' })
  const from = random.oneOf(SIZES)
  const hashes = twisted(heldOf(world, from, size).consistency, random)
  if (random.below(3) === 0) proof.consistency = [{ from, hashes }]
  if (random.below(12) === 0) Object.assign(proof, { key: null, checkpoint: null })
  const checkpoint = random.below(4) === 0 ? heldOf(random.oneOf([site, fork]), from).note : null
  const carried = { ...known, checkpoint }
  const { shown: _, ...given } = bundle.given
  if (random.below(4) === 0) given.files = [random.oneOf(['0'.repeat(64), ...(given.files ?? [])])]
  return { name: 'memory', proof, given: { ...given, known: carried, now: NOW, held } }
}

/** Often what the log answered, sometimes otherwise. */
function twisted(hashes: string[] | undefined, random: Random): string[] | undefined {
  if (!hashes || random.below(3) > 0) return hashes
  const at = random.below(hashes.length)
  return random.oneOf([
    hashes.slice(1),
    [...hashes, 'A'.repeat(43)],
    [...hashes, `${'A'.repeat(43)}=`],
    hashes.toReversed(),
    hashes.toSpliced(at, 1),
    [],
  ])
}
