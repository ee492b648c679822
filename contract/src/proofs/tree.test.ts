import fc from 'fast-check'
import { expect, test } from 'vitest'
import { bytesFor, TestLog } from '../../test/log.ts'
import { type Bytes, bytesOfHex, hexOf } from './bytes.ts'
import { hashEmptyTree, hashLeaf, hashNode, verifyConsistency, verifyInclusion } from './tree.ts'

/** The eight leaves of the vectors of Certificate Transparency (RFC 6962). */
const LEAVES = [
  '',
  '00',
  '10',
  '2021',
  '3031',
  '40414243',
  '5051525354555657',
  '606162636465666768696a6b6c6d6e6f',
].map((hex) => bytesOfHex(hex) as Bytes)
const ROOTS = [
  '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
  'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
  'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
  'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
  '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
  '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
  'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
  '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
]

function logOf(leaves: readonly Bytes[]): TestLog {
  const log = new TestLog()
  for (const leaf of leaves) log.append(leaf)
  return log
}

/** The definition of RFC 6962, word for word. */
function rootByDefinition(leaves: readonly Bytes[]): Bytes {
  if (leaves.length === 0) return hashEmptyTree()
  if (leaves.length === 1) return hashLeaf(leaves[0] as Bytes)
  let split = 1
  while (split * 2 < leaves.length) split *= 2
  return hashNode(rootByDefinition(leaves.slice(0, split)), rootByDefinition(leaves.slice(split)))
}

test('the roots are those of RFC 6962', () => {
  const log = logOf(LEAVES)
  expect(ROOTS.map((_, at) => hexOf(log.root(at + 1)))).toEqual(ROOTS)
  expect(hexOf(hashEmptyTree())).toBe(
    'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  )
})

test('every leaf of every tree up to 40 is proved, and every other place or tree is refused', () => {
  const leaves = Array.from({ length: 40 }, (_, number) => bytesFor(`leaf ${number}`))
  const log = logOf(leaves)
  for (let size = 1; size <= leaves.length; size += 1) {
    expect(hexOf(log.root(size))).toBe(hexOf(rootByDefinition(leaves.slice(0, size))))
    for (let index = 0; index < size; index += 1) {
      const leafHash = hashLeaf(leaves[index] as Bytes)
      const proof = {
        leafHash,
        index,
        size,
        path: log.inclusion(index, size),
        root: log.root(size),
      }
      expect(verifyInclusion(proof)).toBe(true)
      expect(verifyInclusion({ ...proof, index: (index + 1) % (size + 1) })).toBe(false)
      expect(verifyInclusion({ ...proof, path: [...proof.path, leafHash] })).toBe(false)
      if (size > 1) expect(verifyInclusion({ ...proof, path: proof.path.slice(1) })).toBe(false)
    }
  }
})

test('every tree up to 40 is the beginning of every larger one, and of no other', () => {
  const leaves = Array.from({ length: 40 }, (_, number) => bytesFor(`leaf ${number}`))
  const log = logOf(leaves)
  const head = (size: number) => ({ size, root: log.root(size) })
  for (let to = 1; to <= leaves.length; to += 1) {
    for (let from = 0; from <= to; from += 1) {
      const path = log.consistency(from, to)
      expect(verifyConsistency(head(from), head(to), path)).toBe(true)
      const forged = { size: from, root: bytesFor('another root') }
      expect(verifyConsistency(forged, head(to), path)).toBe(false)
      expect(verifyConsistency(head(from), head(to), [...path, log.root(to)])).toBe(false)
      if (from < to) expect(verifyConsistency(head(to), head(from), path)).toBe(false)
    }
  }
})

test('a log that was rewritten anywhere before a checkpoint is told from the one it was', () => {
  fc.assert(
    fc.property(
      fc
        .integer({ min: 1, max: 300 })
        .chain((from) =>
          fc.tuple(
            fc.constant(from),
            fc.integer({ min: 0, max: from - 1 }),
            fc.integer({ min: from, max: 400 }),
          ),
        ),
      ([from, changed, to]) => {
        const leaves = Array.from({ length: to }, (_, number) => bytesFor(`leaf ${number}`))
        const former = logOf(leaves.slice(0, from))
        const forked = logOf(leaves.with(changed, bytesFor('another leaf')))
        const head = (log: TestLog, size: number) => ({ size, root: log.root(size) })
        const path = forked.consistency(from, to)
        expect(verifyConsistency(head(forked, from), head(forked, to), path)).toBe(true)
        expect(verifyConsistency(head(former, from), head(forked, to), path)).toBe(false)
      },
    ),
    { numRuns: 40 },
  )
})
