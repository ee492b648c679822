import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fieldsWith, letterOf, proofV2Of, seal } from '../../test/letters.ts'
import { bytesFor, forkOf, itemOf, logOfItems, proofOf, TestLog } from '../../test/log.ts'
import { type Bytes, base64Of, hexOf, utf8 } from './bytes.ts'
import { openCheckpoint, parseLogKey, readCheckpoint } from './checkpoint.ts'
import { compareCheckpoints } from './continuity.ts'
import { knownLogOf } from './known-log.ts'
import type { Proof, ProofV2 } from './proof.ts'
import type { Context, HeldCheckpoint, Step, StepName } from './verdict.ts'
import { sentenceOf, verdictInWords } from './verdict-in-words.ts'
import { verify, verifying } from './verify.ts'

const COUNT = 1_000
const NOW = '2026-12-24T12:00:00.000Z'
const log = logOfItems(COUNT)

function knowing(more: Partial<Context> = {}): Context {
  return { known: knownLogOf(log.key, null), now: new Date(NOW), isOnlyProof: true, ...more }
}

function withFileOf(number: number): Context {
  const { fileSha256 } = itemOf(number).facts
  return knowing({ files: fileSha256 ? [fileSha256] : [] })
}

function stepOf(name: StepName, steps: readonly Step[]): Step | undefined {
  return steps.find((step) => step.name === name)
}

function flipBit(bytes: Bytes, bit: number): Bytes {
  const flipped = Uint8Array.from(bytes)
  flipped[bit >> 3] = (flipped[bit >> 3] ?? 0) ^ (1 << (bit & 7))
  return flipped
}

/** As whoever opens a file reads it. */
function readJson(bytes: Bytes): unknown {
  try {
    return JSON.parse(Buffer.from(bytes).toString())
  } catch {
    return undefined
  }
}

/** The bits of an exported proof, every so many of them, of which a change is not refused. */
function acceptedBits(proof: Proof | ProofV2, context: Context, step = 1): number[] {
  const bytes = utf8(JSON.stringify(proof))
  const bits = Array.from({ length: Math.floor((bytes.length * 8) / step) }, (_, at) => at * step)
  return bits.filter((bit) => verify(readJson(flipBit(bytes, bit)), context).state !== 'failed')
}

test(`each of the ${COUNT} items of a log is accepted`, () => {
  for (let number = 0; number < COUNT; number += 1) {
    const { state, steps } = verify(proofOf(log, itemOf(number), number), withFileOf(number))
    expect(state, `${number}: ${JSON.stringify(steps)}`).toBe('proved')
  }
})

describe('an exported proof is refused whichever bit of it is changed', () => {
  test('in format 1', () => {
    expect(acceptedBits(proofOf(log, itemOf(999), 999), withFileOf(999))).toEqual([])
  })

  test('in format 2', () => {
    const bound = new TestLog()
    const letter = letterOf('a bit')
    const sealing = { version: 1, sealedAt: '2026-12-01T10:00:00.000Z', fields: fieldsWith() }
    seal(bound, letter, { kind: 'create', ...sealing })
    const audience = { type: 'text', value: 'private' } as const
    seal(bound, letter, { kind: 'change', ...sealing, fields: { audience } })
    const dated = { signedAt: '2026-12-02T10:00:00.000Z', v2From: 0 }
    // Each bit of a checkpoint costs a signature: of every byte one is tried, or two.
    expect(acceptedBits(proofV2Of(bound, letter, { dated }), knowing(), 5)).toEqual([])
  })
})

test('any item with one bit of title, text, date, salt, path or checkpoint changed is refused', () => {
  const proofs = fc.nat({ max: COUNT - 1 }).map((number) => ({
    number,
    proof: proofOf(log, itemOf(number), number),
  }))
  fc.assert(
    fc.property(proofs, fc.nat(), ({ number, proof }, chosen) => {
      const bytes = utf8(JSON.stringify(proof))
      const altered = readJson(flipBit(bytes, chosen % (bytes.length * 8)))
      expect(verify(altered, withFileOf(number)).state).toBe('failed')
    }),
    { numRuns: 300 },
  )
})

test('a file with one bit changed is refused, and one that was not given is asked for', () => {
  const proof = proofOf(log, itemOf(3), 3)
  const { fileSha256 } = itemOf(3).facts
  const stateWith = (files: Bytes[]) =>
    stepOf('file', verify(proof, knowing({ files })).steps)?.state
  expect(stateWith([fileSha256 as Bytes])).toBe('passed')
  expect(stateWith([])).toBe('later')
  for (let bit = 0; bit < 256; bit += 1) {
    expect(stateWith([flipBit(fileSha256 as Bytes, bit)])).toBe('failed')
  }
})

test('files are those that were sealed only where the log holds what names them', () => {
  const proof = proofOf(log, itemOf(3), 3)
  const files = [itemOf(3).facts.fileSha256 as Bytes]
  const [version] = proof.versions
  const [altered] = [{ ...version, sealed_at: '1999-01-01T00:00:00.000Z' }]
  const forged = { ...proof, versions: [altered] }
  const becauseOf = (untrusted: unknown, context: Partial<Context> = {}) =>
    stepOf('file', verify(untrusted, knowing({ files, ...context })).steps)?.because
  expect(becauseOf(proof)).toBe('same file')
  expect(becauseOf(forged)).toBe('named files')
  expect(becauseOf(proof, { known: undefined })).toBe('named files')
})

test('a file that is shown by a copy is neither compared nor refused, and is never what makes a proof whole', () => {
  const proof = proofOf(log, itemOf(3), 3)
  const { fileSha256 } = itemOf(3).facts
  const verdictWith = (context: Partial<Context>) => verify(proof, knowing(context))
  const shown = verdictWith({ copies: 1 })
  expect(stepOf('file', shown.steps)).toEqual({
    name: 'file',
    state: 'later',
    because: 'copy shown',
  })
  expect(shown.state).toBe('partly')
  expect(verdictInWords(shown, String)[0]).toMatch(
    /il manque l’original de l’image, qui est chez son auteur\.$/,
  )
  // The original, once its author shows it.
  expect(verdictWith({ copies: 1, files: [fileSha256 as Bytes] }).state).toBe('proved')
  const other = flipBit(fileSha256 as Bytes, 0)
  expect(verdictWith({ copies: 1, files: [other], isOnlyProof: true }).state).toBe('failed')
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
  ].map((altered) => verify({ ...proof, versions: [altered] }, knowing()).state)
  expect(new Set(states)).toEqual(new Set(['failed']))
})

test('a proof of more versions than anybody edits is refused before it takes long', () => {
  const proof = proofOf(log, itemOf(8), 8)
  const [version] = proof.versions
  const pending = { ...version, leaf: null, inclusion: null }
  const ofLength = (length: number) => ({
    ...{ ...proof, key: null, checkpoint: null },
    versions: Array.from({ length }, () => pending),
  })
  const formatOf = (length: number) => stepOf('format', verify(ofLength(length), knowing()).steps)
  expect(formatOf(10_000)?.state).toBe('passed')
  expect(formatOf(10_001)?.state).toBe('failed')
})

test('a long proof is verified in steps that tell how far they are', () => {
  const proof = proofOf(log, itemOf(8), 8)
  const [version] = proof.versions
  const versions = Array.from({ length: 50 }, () => version)
  const work = verifying({ ...proof, versions }, knowing())
  const told: number[] = []
  let step = work.next()
  for (; !step.done; step = work.next()) told.push(step.value)
  expect(told).toHaveLength(100)
  expect(told).toEqual(told.toSorted((one, other) => one - other))
  expect([told[0], told.at(-1)]).toEqual([0.01, 1])
  expect(step.value.state).toBe('failed')
})

describe('a letter of format 1 that is still sealed', () => {
  test('is checked as far as it can be', () => {
    const { state, steps } = verify({ ...proofOf(log, itemOf(5), 5), opening: null }, knowing())
    expect(state).toBe('partly')
    expect(steps.map(({ name, state }) => [name, state])).toEqual([
      ['format', 'passed'],
      ['key', 'passed'],
      ['checkpoint', 'passed'],
      ['inclusion', 'passed'],
      ['versions', 'passed'],
      ['letter', 'later'],
      ['dates', 'passed'],
    ])
  })

  test('has no place in the log for a minute, and nothing is proved then', () => {
    const proof = proofOf(log, itemOf(5), 5)
    const versions = proof.versions.map((version) => ({ ...version, leaf: null, inclusion: null }))
    const pending: Proof = { ...proof, versions, opening: null }
    expect(verify(pending, knowing()).state).toBe('unproved')
    expect(verify({ ...pending, key: null, checkpoint: null }, knowing()).state).toBe('unproved')
  })
})

describe('two checkpoints', () => {
  const forked = forkOf(400, COUNT)
  const heldAt = (size: number, from: TestLog): HeldCheckpoint => ({
    ...{ key: from.key, note: from.checkpoint(size), source: 'met', since: NOW },
    consistency: log.consistency(size).map(base64Of),
  })
  const continuity = (held: HeldCheckpoint) =>
    stepOf('continuity', verify(proofOf(log, itemOf(1), 1), knowing({ held: [held] })).steps)

  test('of one log that only grew belong together', () => {
    for (const size of [1, 255, 256, 400, 700, COUNT]) {
      expect(continuity(heldAt(size, log))?.state).toBe('passed')
    }
  })

  test('of forked logs, both signed, are told apart, in words', () => {
    expect(continuity(heldAt(400, forked))?.state).toBe('passed')
    for (const size of [401, 512, 700, COUNT]) {
      const step = continuity(heldAt(size, forked))
      expect(step?.state).toBe('failed')
      expect(step && sentenceOf(step, (instant) => instant)).toContain(
        'ne peuvent pas appartenir au même journal',
      )
    }
  })

  test('of another key are never taken for the same log', () => {
    const other = new TestLog(log.origin, bytesFor('another seed'))
    // It says nothing of this log: it is not compared, and accuses nobody.
    expect(continuity({ ...heldAt(700, log), key: other.key })).toBeUndefined()
  })

  test('cannot be compared without what leads from one to the other', () => {
    expect(continuity({ ...heldAt(700, log), consistency: undefined })?.state).toBe('later')
    const [earlier, later] = [700, COUNT].map((size) => {
      const checkpoint = readCheckpoint(log.checkpoint(size))
      if (!checkpoint) throw new Error('Not a checkpoint')
      return checkpoint
    })
    if (!earlier || !later) throw new Error('No checkpoints')
    const path = log.consistency(700).map(base64Of)
    expect(compareCheckpoints(earlier, later, path).state).toBe('passed')
    expect(compareCheckpoints(later, earlier, path).state).toBe('passed')
    expect(compareCheckpoints(later, earlier, path.slice(1)).state).toBe('failed')
  })
})

test('a checkpoint is read only as its key signed it', () => {
  const key = parseLogKey(log.key)
  if (!key) throw new Error('Not a key')
  const note = log.checkpoint()
  const opened = openCheckpoint(note, key)
  expect(opened).toMatchObject({ origin: log.origin, size: COUNT })
  expect(hexOf(opened?.root ?? new Uint8Array())).toBe(hexOf(log.root()))
  const witnessed = `${note}— witness.example/w ${base64Of(bytesFor('a witness'))}\n`
  expect(openCheckpoint(witnessed, key)?.size).toBe(COUNT)
  const other = parseLogKey(new TestLog(log.origin, bytesFor('another seed')).key)
  expect(other && openCheckpoint(note, other)).toBe(undefined)
})
