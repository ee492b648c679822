import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { answerOf, contextOf } from '../../test/answers.ts'
import { createVectors } from '../../test/proof-vectors.ts'
import { type Bytes, bytesOfHex, hexOf } from './bytes.ts'
import { type Checkpoint, openCheckpoint, parseLogKey } from './checkpoint.ts'
import { knownLogOf } from './known-log.ts'
import { parseTilePath } from './tiles.ts'
import { verifyConsistency, verifyInclusion } from './tree.ts'
import { verify } from './verify.ts'

type Vectors = ReturnType<typeof createVectors>

const vectors: Vectors = JSON.parse(
  readFileSync(new URL('../../../docs/proof-vectors.json', import.meta.url), 'utf8'),
)

function bytes(hex: string): Bytes {
  return bytesOfHex(hex) ?? new Uint8Array()
}

function toldOf({ origin, size, root, dated }: Checkpoint) {
  const date = dated && { signed_at: dated.signedAt, v2_from: dated.v2From }
  return { origin, size, root: hexOf(root), ...date, is_valid: true }
}

test('the vectors of the documentation are what the code makes (else: node script/proof-vectors.ts)', () => {
  expect(vectors).toEqual(JSON.parse(JSON.stringify(createVectors())))
})

test.each(vectors.proofs)('the verdict on « $name » is $state', (vector) => {
  const { name: _, proof, state, steps, facts, ...given } = vector
  const answer = answerOf(verify(proof, contextOf(given, knownLogOf)))
  expect(answer).toEqual({ state, steps, ...(facts && { facts }) })
})

test('statements about former keys are opened and refused as the vectors say', () => {
  for (const { key, note, is_valid, former } of vectors.statements) {
    const opened = knownLogOf(key, note)
    expect(opened !== undefined).toBe(is_valid)
    expect(opened?.former.map((one) => one.key)).toEqual(former?.map((one) => one.key))
  }
})

test('paths, checkpoints and addresses of tiles are right and wrong as the vectors say', () => {
  for (const { leaf_hash, path, root, is_valid, ...place } of vectors.inclusion) {
    const proof = { ...place, leafHash: bytes(leaf_hash), path: path.map(bytes), root: bytes(root) }
    expect(verifyInclusion(proof)).toBe(is_valid)
  }
  for (const { from, to, from_root, to_root, path, is_valid } of vectors.consistency) {
    const [earlier, later] = [
      { size: from, root: bytes(from_root) },
      { size: to, root: bytes(to_root) },
    ]
    expect(verifyConsistency(earlier, later, path.map(bytes))).toBe(is_valid)
  }
  for (const { key, note, ...expected } of vectors.checkpoints) {
    const logKey = parseLogKey(key)
    const opened = logKey && openCheckpoint(note, logKey)
    expect(opened ? toldOf(opened) : { is_valid: false }).toEqual(expected)
  }
  for (const { path, is_valid } of vectors.tiles) {
    expect(parseTilePath(path) !== undefined).toBe(is_valid)
  }
})
