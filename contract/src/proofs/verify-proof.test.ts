import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { bytesFor, itemOf, leafIn, logOfItems, proofOf, TestLog } from '../../test/log.ts'
import { type Bytes, base64Of, utf8 } from './bytes.ts'
import { openCheckpoint, parseLogKey, readCheckpoint } from './checkpoint.ts'
import type { Proof } from './proof.ts'
import { sentenceOf } from './steps-in-words.ts'
import { compareCheckpoints, type EarlierCheckpoint, verifyProof } from './verify-proof.ts'

const COUNT = 1_000
const log = logOfItems(COUNT)

function fileOf(number: number): { fileSha256: Bytes | undefined } {
  return { fileSha256: itemOf(number).facts.fileSha256 }
}

function flipBit(bytes: Bytes, bit: number): Bytes {
  const flipped = Uint8Array.from(bytes)
  flipped[bit >> 3] = (flipped[bit >> 3] ?? 0) ^ (1 << (bit & 7))
  return flipped
}

function textOf(bytes: Bytes): string {
  return Buffer.from(bytes).toString()
}

/** As whoever opens a file reads it. */
function readJson(bytes: Bytes): unknown {
  try {
    return JSON.parse(textOf(bytes))
  } catch {
    return undefined
  }
}

test(`accepts each of the ${COUNT} items of a log`, () => {
  for (let number = 0; number < COUNT; number += 1) {
    const { state, steps } = verifyProof(proofOf(log, itemOf(number), number), fileOf(number))
    expect(state, `${number}: ${JSON.stringify(steps)}`).toBe('passed')
  }
})

test('refuses the exported proof of an item whichever bit of it is changed', () => {
  const number = 999
  const bytes = utf8(JSON.stringify(proofOf(log, itemOf(number), number)))
  const accepted: number[] = []
  for (let bit = 0; bit < bytes.length * 8; bit += 1) {
    const { state } = verifyProof(readJson(flipBit(bytes, bit)), fileOf(number))
    if (state !== 'failed') accepted.push(bit)
  }
  expect(accepted).toEqual([])
})

test('refuses any item with one bit of title, text, date, salt, path or checkpoint changed', () => {
  const proofs = fc.nat({ max: COUNT - 1 }).map((number) => ({
    number,
    proof: proofOf(log, itemOf(number), number),
  }))
  fc.assert(
    fc.property(proofs, fc.nat(), ({ number, proof }, chosen) => {
      const bytes = utf8(JSON.stringify(proof))
      const altered = readJson(flipBit(bytes, chosen % (bytes.length * 8)))
      expect(verifyProof(altered, fileOf(number)).state).toBe('failed')
    }),
    { numRuns: 300 },
  )
})

test('refuses a file with one bit changed, and asks for one that was not given', () => {
  const proof = proofOf(log, itemOf(3), 3)
  const { fileSha256 } = fileOf(3)
  const stateWith = (found: Bytes | undefined) =>
    verifyProof(proof, { fileSha256: found }).steps.find(({ name }) => name === 'file')?.state
  expect(stateWith(fileSha256)).toBe('passed')
  expect(stateWith(undefined)).toBe('later')
  for (let bit = 0; bit < 256; bit += 1) {
    expect(stateWith(flipBit(fileSha256 as Bytes, bit))).toBe('failed')
  }
})

test('a date, a version or a place that is another one is refused', () => {
  const proof = proofOf(log, itemOf(8), 8)
  const [version] = proof.versions
  if (!version) throw new Error('No version')
  const states = [
    { ...version, sealed_at: new Date(Date.parse(version.sealed_at) + 1).toISOString() },
    { ...version, version: 2 },
    { ...version, kind: 'edit' as const },
    { ...version, leaf: 9 },
    { ...version, leaf: null },
    { ...version, inclusion: null },
  ].map((altered) => verifyProof({ ...proof, versions: [altered] }).state)
  expect(new Set(states)).toEqual(new Set(['failed']))
})

describe('a letter that is still sealed', () => {
  test('is checked as far as it can be', () => {
    const { state, steps } = verifyProof({ ...proofOf(log, itemOf(5), 5), opening: null })
    expect(state).toBe('later')
    expect(steps).toEqual([
      { name: 'format', state: 'passed' },
      { name: 'letter', state: 'later' },
      { name: 'versions', state: 'passed' },
      { name: 'checkpoint', state: 'passed' },
      { name: 'inclusion', state: 'passed' },
    ])
  })

  test('has no place in the log for a minute, and none is invented', () => {
    const proof = proofOf(log, itemOf(5), 5)
    const versions = proof.versions.map((version) => ({ ...version, leaf: null, inclusion: null }))
    const pending: Proof = { ...proof, versions, opening: null }
    expect(verifyProof(pending).state).toBe('later')
    expect(verifyProof({ ...pending, key: null, checkpoint: null }).state).toBe('later')
  })
})

describe('two checkpoints', () => {
  const forked = new TestLog(log.origin, log.seed)
  for (let number = 0; number < COUNT; number += 1) {
    forked.append(number === 400 ? bytesFor('what was slipped in') : leafIn(itemOf(number)))
  }
  const earlierAt = (size: number, from: TestLog): EarlierCheckpoint => ({
    key: log.key,
    checkpoint: from.checkpoint(size),
    consistency: log.consistency(size).map(base64Of),
  })
  const continuity = (earlier: EarlierCheckpoint) => {
    const { steps } = verifyProof(proofOf(log, itemOf(1), 1), { earlier })
    return steps.find(({ name }) => name === 'continuity')
  }

  test('of one log that only grew belong together', () => {
    for (const size of [1, 255, 256, 400, 700, COUNT]) {
      expect(continuity(earlierAt(size, log))?.state).toBe('passed')
    }
  })

  test('of forked logs, both signed, are told apart and the page says so', () => {
    expect(continuity(earlierAt(400, forked))?.state).toBe('passed')
    for (const size of [401, 512, 700, COUNT]) {
      const step = continuity(earlierAt(size, forked))
      expect(step?.state).toBe('failed')
      expect(step && sentenceOf(step)).toContain('ne peuvent pas appartenir au même journal')
    }
  })

  test('of another key are never taken for the same log', () => {
    const other = new TestLog(log.origin, bytesFor('another seed'))
    const ofOther = { ...earlierAt(700, log), key: other.key }
    expect(continuity(ofOther)?.state).toBe('failed')
  })

  test('cannot be compared without what leads from one to the other', () => {
    expect(continuity({ ...earlierAt(700, log), consistency: undefined })?.state).toBe('later')
    const [earlier, later] = [700, COUNT].map((size) => {
      const checkpoint = readCheckpoint(log.checkpoint(size))
      if (!checkpoint) throw new Error('Not a checkpoint')
      return checkpoint
    })
    if (!earlier || !later) throw new Error('No checkpoints')
    const path = log.consistency(700).map(base64Of)
    expect(compareCheckpoints(earlier, later, path)).toBe('passed')
    expect(compareCheckpoints(later, earlier, path)).toBe('passed')
    expect(compareCheckpoints(later, earlier, path.slice(1))).toBe('failed')
  })
})

test('a checkpoint is read only as its key signed it', () => {
  const key = parseLogKey(log.key)
  if (!key) throw new Error('Not a key')
  const note = log.checkpoint()
  expect(openCheckpoint(note, key)).toEqual({ origin: log.origin, size: COUNT, root: log.root() })
  const witnessed = `${note}— witness.example/w ${base64Of(bytesFor('a witness'))}\n`
  expect(openCheckpoint(witnessed, key)?.size).toBe(COUNT)
  const other = parseLogKey(new TestLog(log.origin, bytesFor('another seed')).key)
  expect(other && openCheckpoint(note, other)).toBe(undefined)
})
