import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import {
  commitmentOf,
  fields,
  leafBytes,
  leafHash,
  sha256,
} from '#testing/independent-verifier/commitment.ts'
import { leads, openStatement } from '#testing/independent-verifier/keys.ts'
import {
  consistencyOf,
  inclusionOf,
  isConsistent,
  isIncluded,
  openCheckpoint,
  readTilePath,
  rootOf,
} from '#testing/independent-verifier/log.ts'
import {
  boundLeafBytes,
  commitmentOfFields,
  fieldHash,
  formerOfFirstFormat,
  identityOf,
  type OpenField,
} from '#testing/independent-verifier/named-fields.ts'
import { verify } from '#testing/independent-verifier/verdict.ts'

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

  it('hashes text in normal form C and as it was typed', () => {
    agree<Vector>(
      'texts',
      ({ text }) => {
        const normal = text.normalize('NFC')
        return [Buffer.from(normal).toString('hex'), normal === text]
      },
      (vector) => [vector.utf8, vector.is_normal],
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
        if (!opened) return undefined
        const { origin, size, root, dating } = opened
        return { origin, size, root: root.toString('hex'), ...dating }
      },
      ({ key: _key, note: _note, is_valid, ...opened }) => (is_valid ? opened : undefined),
    )
  })

  it('makes the fields, identities and leaves of format 2 of the vectors', () => {
    agree<Vector>(
      'fields_v2',
      ({ fields }) => [
        fields.map((field: OpenField) => fieldHash(field).toString('hex')),
        commitmentOfFields(fields).toString('hex'),
      ],
      ({ hashes, commitment }) => [hashes, commitment],
    )
    agree<Vector>(
      'identities',
      ({ blinding, revelation_id, author_id }) =>
        identityOf(blinding, revelation_id, author_id).toString('hex'),
      ({ identity }) => identity,
    )
    agree<Vector>(
      'leaves_v2',
      ({ leaf_hashes_of_format_1: before, ...leaf }) => {
        const former = before && formerOfFirstFormat(allBytes(before)).toString('hex')
        const made = boundLeafBytes({ ...leaf, former: former ?? leaf.former })
        return [made.toString('hex'), sha256(Buffer.of(0), made).toString('hex')]
      },
      (leaf) => [leaf.bytes, leaf.hash],
    )
  })

  it('opens and refuses the statements about former keys of the vectors', () => {
    agree<Vector>(
      'statements',
      ({ key, note }) =>
        openStatement(note, key)?.map((one) => ({ ...one, root: one.root.toString('base64') })),
      ({ former }) => former,
    )
  })

  it('is led from one key to the next as the vectors say', () => {
    agree<Vector>(
      'chains',
      ({ pinned, ...log }) => leads(pinned, log),
      ({ is_linked }) => is_linked,
    )
  })

  it('refuses more leaves than the page allows', () => {
    const long = (at: number, list: 'versions' | 'leaves', count: number) => {
      const { proof, state: _, steps: _steps, facts: _facts, ...given } = vectors.proofs[at]
      const [one] = proof[list]
      const of = { ...proof, key: null, checkpoint: null, [list]: Array(count).fill(one) }
      return verify(of, given).steps.format
    }
    const second = vectors.proofs.findIndex(({ name }: Vector) => name === 'a letter of format 2')
    expect([long(0, 'versions', 10_000), long(0, 'versions', 10_001)]).toEqual(['passed', 'failed'])
    expect([long(second, 'leaves', 1_000), long(second, 'leaves', 1_001)]).toEqual([
      'passed',
      'failed',
    ])
  })

  it('comes to the steps, the verdict and the facts of the exported proofs of the vectors', () => {
    agree<Vector>(
      'proofs',
      ({ proof, ...given }) => verify(proof, given),
      ({ state, steps, facts }) => ({ state, steps, ...(facts && { facts }) }),
    )
  })
})
