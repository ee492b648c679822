import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import {
  commitmentOf,
  fields,
  leafBytes,
  leafHash,
} from '#testing/independent-verifier/commitment.ts'
import {
  consistencyOf,
  inclusionOf,
  isConsistent,
  isIncluded,
  openCheckpoint,
  readTilePath,
  rootOf,
} from '#testing/independent-verifier/log.ts'
import { verifyProof } from '#testing/independent-verifier/proof-file.ts'

const vectors = JSON.parse(
  readFileSync(new URL('../../docs/proof-vectors.json', import.meta.url), 'utf8'),
)
const bytes = (hex: string) => Buffer.from(hex, 'hex')
const allBytes = (list: string[]) => list.map(bytes)

/** Compares an answer for each vector with the vector’s own; a failure shows the vector. */
function agree<V>(name: string, actual: (vector: V) => unknown, expected: (vector: V) => unknown) {
  const list: V[] = vectors[name]
  expect(list.length).toBeGreaterThan(0)
  expect(list.map((vector) => ({ vector, is: actual(vector) }))).toEqual(
    list.map((vector) => ({ vector, is: expected(vector) })),
  )
}

// biome-ignore lint/suspicious/noExplicitAny: the vectors have as many shapes as the page has tables
type Vector = any

describe('a verifier written from the page alone', () => {
  it('joins fields as the vectors do', () => {
    agree<Vector>(
      'fields',
      ({ texts }) => fields(...texts).toString('hex'),
      (vector) => vector.bytes,
    )
  })

  it('makes the commitments of the vectors', () => {
    agree<Vector>('commitments', commitmentOf, ({ commitment }) => commitment)
  })

  it('makes the leaves of the vectors', () => {
    agree<Vector>(
      'leaves',
      (leaf) => [leafBytes(leaf).toString('hex'), leafHash(leaf).toString('hex')],
      (leaf) => [leaf.bytes, leaf.hash],
    )
  })

  it('makes the roots, inclusion and consistency proofs of the vectors', () => {
    const leaves = allBytes(vectors.leaf_hashes)
    const hex = (hashes: Buffer[]) => hashes.map((hash) => hash.toString('hex'))
    const isValid = ({ is_valid }: Vector) => is_valid
    for (const { size, root } of vectors.roots) {
      expect(rootOf(leaves.slice(0, size)).toString('hex')).toBe(root)
    }
    for (const { index, size, path } of vectors.inclusion.filter(isValid)) {
      expect(hex(inclusionOf(index, leaves.slice(0, size)))).toEqual(path)
    }
    for (const { from, to, path } of vectors.consistency.filter(isValid)) {
      expect(hex(consistencyOf(from, leaves.slice(0, to)))).toEqual(path)
    }
  })

  it('accepts and refuses the inclusion proofs of the vectors', () => {
    agree<Vector>(
      'inclusion',
      ({ leaf_hash, index, size, path, root }) =>
        isIncluded(bytes(leaf_hash), index, size, allBytes(path), bytes(root)),
      ({ is_valid }) => is_valid,
    )
  })

  it('accepts and refuses the consistency proofs of the vectors', () => {
    agree<Vector>(
      'consistency',
      ({ from, from_root, to, to_root, path }) =>
        isConsistent(
          { size: from, root: bytes(from_root) },
          { size: to, root: bytes(to_root) },
          allBytes(path),
        ),
      ({ is_valid }) => is_valid,
    )
  })

  it('reads and refuses the addresses of tiles of the vectors', () => {
    agree<Vector>(
      'tiles',
      ({ path }) => readTilePath(path),
      ({ path, is_valid, ...tile }) => (is_valid ? tile : undefined),
    )
  })

  it('opens and refuses the checkpoints of the vectors', () => {
    agree<Vector>(
      'checkpoints',
      ({ key, note }) => {
        const opened = openCheckpoint(note, key)
        return opened && { ...opened, root: opened.root.toString('hex') }
      },
      ({ origin, size, root, is_valid }) => (is_valid ? { origin, size, root } : undefined),
    )
  })

  it('passes, puts off and refuses the exported proofs of the vectors', () => {
    agree<Vector>(
      'proofs',
      ({ proof, ...facts }) => verifyProof(proof, facts).state,
      ({ state }) => state,
    )
  })
})
