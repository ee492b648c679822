import { describe, expect, test } from 'vitest'
import { fieldsWith, letterOf, proofV2Of, seal } from '../../test/letters.ts'
import { bytesFor, forkOf, itemOf, logOfItems, proofOf, TestLog } from '../../test/log.ts'
import { base64Of } from './bytes.ts'
import {
  type Evidence,
  evidenceInWords,
  evidenceOf,
  evidenceOfDates,
  judgeEvidence,
} from './evidence.ts'
import { knownLogOf } from './known-log.ts'

const log = logOfItems(40)
const fork = forkOf(3, 40)
const { origin, key } = log
const NOW = new Date('2027-01-05T10:00:00.000Z')
const known = knownLogOf(key, null)
if (!known) throw new Error('Not a key')

function noteOf(note: string, by = key) {
  return { key: by, note, source: 'met', since: NOW.toISOString() } as const
}

const formatInstant = (instant: string) => instant

function said(untrusted: unknown, by = known): [string, string] {
  const judged = judgeEvidence(JSON.parse(JSON.stringify(untrusted)), by)
  return [judged.state, evidenceInWords(judged, formatInstant)[0] ?? '']
}

describe('two roots of one size', () => {
  const roots = evidenceOf(
    { origin, kind: 'roots' },
    [noteOf(log.checkpoint(12)), noteOf(fork.checkpoint(12))],
    NOW,
  )

  test('show by themselves that the log was rewritten', () => {
    expect(said(roots)).toEqual([
      'proved',
      'Deux points de contrôle signés de la même clé, 12 inscriptions, deux racines : le journal a été réécrit.',
    ])
  })

  test('say nothing of a log whose key is not known', () => {
    const other = knownLogOf(new TestLog(origin, bytesFor('another seed')).key, null)
    expect(said(roots, other)).toEqual(['unknown', 'Clé inconnue : rien n’est prouvé.'])
    expect(judgeEvidence(roots, undefined).state).toBe('unknown')
  })

  test('that are one root, or not signed, show nothing', () => {
    const [one, other] = roots.notes
    const altered: unknown[] = [
      { ...roots, notes: [one, one] },
      { ...roots, notes: [one, { ...other, note: other.note.replace('12', '13') }] },
      { ...roots, kind: 'shrunk' },
      { ...roots, kind: 'key' },
      { ...roots, origin: 'other.example/log' },
      { ...roots, notes: [one] },
      null,
      'evidence',
    ]
    for (const each of altered) expect(judgeEvidence(each, known).state).toBe('unfounded')
  })
})

test('a log that lost entries shows it by its own dates', () => {
  const dated = (size: number, signedAt: string) => log.checkpoint(size, { signedAt, v2From: 40 })
  const notes = [
    noteOf(dated(30, '2027-01-01T00:00:00.000Z')),
    noteOf(dated(12, '2027-01-02T00:00:00.000Z')),
  ] as const
  expect(said(evidenceOf({ origin, kind: 'shrunk' }, notes, NOW))).toEqual([
    'proved',
    'Le journal signé le 2027-01-01T00:00:00.000Z avait 30 inscriptions, et plus tard, le 2027-01-02T00:00:00.000Z, il n’en a que 12 : il a été vidé ou remplacé.',
  ])
})

test('a path that leads nowhere, and another key, are for the log to explain', () => {
  const consistency = { from: 12, to: 40, hashes: fork.consistency(12).map(base64Of) }
  const notes = [noteOf(log.checkpoint(12)), noteOf(fork.checkpoint(40))] as const
  const forked = evidenceOf({ origin, kind: 'fork', consistency }, notes, NOW)
  expect(said(forked)[0]).toBe('claimed')
  expect(evidenceInWords(judgeEvidence(forked, known), formatInstant)[1]).toBe(
    'Aucun chemin connu ne mène de l’un à l’autre : c’est au journal d’en montrer un.',
  )
  const right = { ...consistency, hashes: log.consistency(12).map(base64Of) }
  const unfounded: Evidence = {
    ...forked,
    consistency: right,
    notes: [notes[0], noteOf(log.checkpoint(40))],
  }
  expect(said(unfounded)[0]).toBe('unfounded')

  const other = new TestLog(origin, bytesFor('another seed'))
  other.append(bytesFor('a leaf'))
  const keys = [noteOf(log.checkpoint(12)), noteOf(other.checkpoint(), other.key)] as const
  expect(said(evidenceOf({ origin, kind: 'key' }, keys, NOW))[0]).toBe('claimed')
})

describe('a leaf with a false date', () => {
  const held = {
    ...noteOf(log.checkpoint(40, { signedAt: '2027-01-01T00:00:00.000Z', v2From: 40 })),
  }
  const grown = logOfItems(40)
  const letter = letterOf('backdated')
  const fields = fieldsWith()
  seal(grown, letter, { kind: 'create', version: 1, sealedAt: '1999-01-01T00:00:00.000Z', fields })
  const proof = proofV2Of(grown, letter, {
    dated: { signedAt: '2027-01-04T00:00:00.000Z', v2From: 40 },
  })

  test('is evidence with the checkpoint that did not hold it', () => {
    const found = evidenceOfDates(proof, { known, held: [held], now: NOW })
    expect(found && said(found)).toEqual([
      'proved',
      'Cette version dit avoir été scellée le 1999-01-01T00:00:00.000Z, mais le point de contrôle du 2027-01-01T00:00:00.000Z, signé plus tard, ne la contenait pas : sa date est fausse.',
    ])
    const leaf = found?.leaf
    expect(judgeEvidence({ ...found, leaf: { ...leaf, index: 39 } }, known).state).toBe('unfounded')
  })

  test('that the log never signed accuses nobody', () => {
    const [leaf] = proof.leaves
    if (!leaf) throw new Error('No leaf')
    const invented = { ...proof, leaves: [{ ...leaf, sealed_at: '1998-01-01T00:00:00.000Z' }] }
    expect(evidenceOfDates(invented, { known, held: [held], now: NOW })).toBe(undefined)
    const own = new TestLog(origin, bytesFor('another seed'))
    const theirs = { ...proofOf(log, itemOf(3), 3), key: own.key }
    expect(evidenceOfDates(theirs, { known, held: [held], now: NOW })).toBe(undefined)
  })
})
