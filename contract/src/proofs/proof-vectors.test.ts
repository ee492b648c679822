import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { createVectors } from '../../test/proof-vectors.ts'
import { type Bytes, bytesOfHex, hexOf } from './bytes.ts'
import { openCheckpoint, parseLogKey } from './checkpoint.ts'
import { parseTilePath } from './tiles.ts'
import { verifyConsistency, verifyInclusion } from './tree.ts'
import { verifyProof } from './verify-proof.ts'

type Vectors = ReturnType<typeof createVectors>

const vectors: Vectors = JSON.parse(
  readFileSync(new URL('../../../docs/proof-vectors.json', import.meta.url), 'utf8'),
)

function bytes(hex: string): Bytes {
  return bytesOfHex(hex) ?? new Uint8Array()
}

test('the vectors of the documentation are what the code makes (else: node script/proof-vectors.ts)', () => {
  expect(vectors).toEqual(JSON.parse(JSON.stringify(createVectors())))
})

test.each(vectors.proofs)('the verdict on « $name » is $state', (vector) => {
  const fileSha256 = 'file_sha256' in vector ? bytes(vector.file_sha256 ?? '') : undefined
  const earlier = 'met_before' in vector ? vector.met_before : undefined
  expect(verifyProof(vector.proof, { fileSha256, earlier }).state).toBe(vector.state)
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
    expect(
      opened ? { ...opened, root: hexOf(opened.root), is_valid: true } : { is_valid: false },
    ).toEqual(expected)
  }
  for (const { path, is_valid } of vectors.tiles) {
    expect(parseTilePath(path) !== undefined).toBe(is_valid)
  }
})
