import { sha256 } from '@noble/hashes/sha2.js'
import { describe, expect, test } from 'vitest'
import { fieldsWith, letterOf, proofV2Of, seal, type TestLetter } from '../../test/letters.ts'
import { bytesFor, itemOf, leafIn, logOfItems, proofOf, TestLog } from '../../test/log.ts'
import { base64Of, bytesOfHex, hexOf, utf8 } from './bytes.ts'
import { type FormerKey, knownLogOf, signLogKeys } from './known-log.ts'
import type { Proof, ProofV2 } from './proof.ts'
import type { Context, HeldCheckpoint } from './verdict.ts'
import { sentenceOf, verdictInWords } from './verdict-in-words.ts'
import { verify } from './verify.ts'

const NOW = new Date('2026-12-24T12:00:00.000Z')
const DATED = { signedAt: '2026-12-24T10:00:00.000Z', v2From: 0 }

/** A letter that was created, edited, and made public afterwards, in a log among others. */
function stage() {
  const log = new TestLog()
  for (let number = 0; number < 5; number += 1)
    seal(log, letterOf(`filler ${'.'.repeat(number)}`), created())
  const letter = letterOf('the letter')
  seal(log, letter, {
    ...created('2026-12-01T10:00:00.000Z'),
    fields: fieldsWith({ audience: { type: 'text', value: 'private' } }),
  })
  seal(log, letter, {
    kind: 'edit',
    version: 2,
    sealedAt: '2026-12-02T10:00:00.000Z',
    fields: fieldsWith({
      audience: { type: 'text', value: 'private' },
      title: { type: 'text', value: 'Le pari, corrigé' },
    }),
  })
  seal(log, letter, {
    kind: 'change',
    version: 2,
    sealedAt: '2026-12-03T10:00:00.000Z',
    fields: { audience: { type: 'text', value: 'public' } },
  })
  return { log, letter, proof: proofV2Of(log, letter, { dated: DATED }) }
}

function created(sealedAt = '2026-11-30T10:00:00.000Z') {
  return { kind: 'create' as const, version: 1, sealedAt, fields: fieldsWith() }
}

function knowing(log: TestLog, more: Partial<Context> = {}): Context {
  return { known: knownLogOf(log.key, null), now: NOW, ...more }
}

function sentencesOf(proof: unknown, context: Context): string[] {
  const verdict = verify(proof, context)
  const asIs = (instant: string) => instant
  return [...verdictInWords(verdict, asIs), ...verdict.steps.map((step) => sentenceOf(step, asIs))]
}

describe('a proof of format 2', () => {
  test('is proved, with every fact that was sealed', () => {
    const { log, proof } = stage()
    const verdict = verify(proof, knowing(log))
    expect(verdict.state).toBe('proved')
    expect(verdict.facts).toMatchObject({
      format: 2,
      version: 2,
      title: 'Le pari, corrigé',
      sealedAt: '2026-12-02T10:00:00.000Z',
      isImmediate: false,
      audiences: [
        { value: 'private', since: '2026-12-01T10:00:00.000Z' },
        { value: 'public', since: '2026-12-03T10:00:00.000Z' },
      ],
      publicSince: '2026-12-03T10:00:00.000Z',
      isPublicFromSealing: false,
    })
    expect(sentencesOf(proof, knowing(log))).toContain(
      'Publique depuis le 2026-12-03T10:00:00.000Z seulement\u202F; avant, visible de son auteur et de ses destinataires.',
    )
  })

  test('says what it was sealed as, and since when it is called something else', () => {
    const log = new TestLog()
    const letter = letterOf('a pari')
    const kind = (value: string) => ({ kind: { type: 'text', value } as const })
    const begun = created()
    seal(log, letter, { ...begun, fields: { ...begun.fields, ...kind('prediction') } })
    const proofNow = () => proofV2Of(log, letter, { dated: DATED })
    expect(sentencesOf(proofNow(), knowing(log))).toContain('Prédiction depuis son scellement.')
    const sealedAt = '2026-12-02T10:00:00.000Z'
    seal(log, letter, { kind: 'change', version: 1, sealedAt, fields: kind('announcement') })
    expect(sentencesOf(proofNow(), knowing(log))).toContain(
      `Annonce depuis le ${sealedAt} seulement\u202F; avant, prédiction.`,
    )
    const { facts } = verify(proofNow(), knowing(log))
    expect(facts?.kinds.map(({ value }) => value)).toEqual(['prediction', 'announcement'])
    expect(facts?.others).toEqual([])
  })

  test('of a letter of before kinds says since when the log names one', () => {
    const { log, letter } = stage()
    const sealedAt = '2026-12-04T10:00:00.000Z'
    const fields = { kind: { type: 'text', value: 'prediction' } } as const
    seal(log, letter, { kind: 'change', version: 2, sealedAt, fields })
    expect(sentencesOf(proofV2Of(log, letter, { dated: DATED }), knowing(log))).toContain(
      `Prédiction au moins depuis le ${sealedAt}\u202F: le journal ne disait rien du genre avant.`,
    )
  })

  test('of a letter that is still sealed is right in part', () => {
    const { log, letter } = stage()
    const proof = proofV2Of(log, letter, { dated: DATED, closed: ['content', 'files'] })
    const verdict = verify(proof, knowing(log))
    expect(verdict.state).toBe('partly')
    expect(verdict.facts).not.toHaveProperty('content')
  })

  test('holds fields that this verifier has never heard of', () => {
    const log = new TestLog()
    const letter = letterOf('a letter of later')
    const album = ['one', 'two', 'three'].map((label) => ({ sha256: hexFor(label), label }))
    seal(log, letter, {
      ...created(),
      fields: fieldsWith({
        files: { type: 'files', value: album },
        criterion: { type: 'text', value: 'Le premier à l’arrivée.' },
        confidence: { type: 'text', value: '80' },
        voice: { type: 'files', value: [{ sha256: hexFor('voice'), label: 'Écoute.' }] },
        ink: { type: 'none' },
      }),
    })
    const files = [...album, { sha256: hexFor('voice') }].map(
      ({ sha256: hash }) => bytesOfHex(hash) ?? new Uint8Array(),
    )
    const verdict = verify(proofV2Of(log, letter, { dated: DATED }), knowing(log, { files }))
    expect(verdict.state).toBe('proved')
    expect(verdict.facts?.others.map(({ name }) => name)).toEqual([
      'confidence',
      'criterion',
      'ink',
      'voice',
    ])
  })

  test.each<[name: string, wrong: (proof: ProofV2, other: ProofV2) => unknown]>([
    [
      'with the creation of another letter',
      (proof, other) => ({
        ...proof,
        leaves: [other.leaves[0], ...proof.leaves.slice(1)],
      }),
    ],
    ['of another revelation', (proof, other) => ({ ...proof, revelation_id: other.revelation_id })],
    ['of another author', (proof, other) => ({ ...proof, author_id: other.author_id })],
    ['with another blinding', (proof, other) => ({ ...proof, blinding: other.blinding })],
    ['without its creation', (proof) => ({ ...proof, leaves: proof.leaves.slice(1) })],
    ['without its edit', (proof) => ({ ...proof, leaves: proof.leaves.toSpliced(1, 1) })],
    [
      'with its audience closed',
      (proof) => changed(proof, 2, { fields: [{ name: 'audience', hash: '0'.repeat(64) }] }),
    ],
    [
      'with a field that stands twice',
      (proof) => ({
        ...proof,
        leaves: proof.leaves.map((leaf) =>
          leaf.format === 2 ? { ...leaf, fields: [...leaf.fields, leaf.fields.at(-1)] } : leaf,
        ),
      }),
    ],
    [
      'with its dates exchanged',
      (proof) => changed(proof, 1, { sealed_at: '2026-12-01T09:00:00.000Z' }),
    ],
  ])('is refused %s', (_name, wrong) => {
    const { log, proof } = stage()
    const other = letterOf('another letter of them')
    seal(log, other, created('2026-12-01T10:00:00.000Z'))
    const otherProof = proofV2Of(log, other, { dated: DATED })
    expect(verify(wrong(proof, otherProof), knowing(log)).state).toBe('failed')
  })
})

function hexFor(name: string): string {
  return hexOf(bytesFor(name))
}

function changed(proof: ProofV2, at: number, change: object) {
  return {
    ...proof,
    leaves: proof.leaves.map((leaf, n) => (n === at ? { ...leaf, ...change } : leaf)),
  }
}

describe('a key that nobody carries', () => {
  const invented = () => {
    const log = new TestLog('revelations.example/log', bytesFor('a key of one’s own'))
    const letter = letterOf('an invented one')
    seal(log, letter, created('1999-01-01T00:00:00.000Z'))
    return { log, letter }
  }

  test('proves nothing, whatever it signed and under whatever name', () => {
    const { log, letter } = invented()
    const dated = { signedAt: '1999-01-01T00:01:00.000Z', v2From: 0 }
    const proof = proofV2Of(log, letter, { dated })
    const verdict = verify(proof, knowing(new TestLog()))
    expect(verdict.state).toBe('unproved')
    expect(verdict.facts).toBeUndefined()
    const words = sentencesOf(proof, knowing(new TestLog()))
    expect(words).toContain('Clé inconnue\u202F: rien n’est prouvé.')
    // No step says more than that the proof agrees with itself.
    expect(words.join(' ')).not.toMatch(
      /signature du journal|inscrite au journal|point de contrôle daté/,
    )
  })

  test('proves nothing in format 1 either', () => {
    const log = logOfItems(4)
    const verdict = verify(
      proofOf(log, itemOf(2), 2),
      knowing(new TestLog('autre.example/journal')),
    )
    expect(verdict.state).toBe('unproved')
  })

  test('nor does a proof without log or key, nor a verifier without one', () => {
    const { log, proof } = stage()
    const bare = { ...proof, key: null, checkpoint: null }
    const pending = {
      ...bare,
      leaves: proof.leaves.map((leaf) => ({ ...leaf, index: null, inclusion: null })),
    }
    expect(sentencesOf(pending, knowing(log))[0]).toBe(
      'Rien n’est prouvé\u202F: cette preuve n’a ni journal ni clé.',
    )
    expect(sentencesOf(proof, { known: undefined, now: NOW })[0]).toBe(
      'Rien n’est prouvé\u202F: ce vérificateur ne porte aucune clé.',
    )
  })
})

describe('dates', () => {
  const held = (log: TestLog, size: number, signedAt: string): HeldCheckpoint => ({
    key: log.key,
    note: log.checkpoint(size, { signedAt, v2From: 0 }),
    source: 'met',
    since: signedAt,
    consistency: log.consistency(size).map(base64Of),
  })

  test('of 1999 after a checkpoint of 2026 are false', () => {
    const { log } = stage()
    const since = log.size
    const letter: TestLetter = letterOf('backdated')
    seal(log, letter, created('1999-01-01T00:00:00.000Z'))
    const proof = proofV2Of(log, letter, { dated: DATED })
    expect(verify(proof, knowing(log)).state).toBe('proved')
    const kept = [held(log, since, '2026-12-10T00:00:00.000Z')]
    expect(verify(proof, knowing(log, { held: kept })).state).toBe('failed')
    expect(sentencesOf(proof, knowing(log, { held: kept })).join()).toContain(
      'Cette version dit avoir été scellée le 1999-01-01T00:00:00.000Z, mais le point de contrôle du 2026-12-10T00:00:00.000Z, signé plus tard, ne la contenait pas',
    )
  })

  test('after the checkpoint that holds them are false, such as the year 9999', () => {
    const log = new TestLog()
    const letter = letterOf('of the far future')
    seal(log, letter, created('9999-01-01T00:00:00.000Z'))
    expect(verify(proofV2Of(log, letter, { dated: DATED }), knowing(log)).state).toBe('failed')
  })

  test('at or after the instant say that nothing waited, and are right', () => {
    const log = new TestLog()
    const letter = letterOf('at once')
    seal(log, letter, {
      ...created('2026-12-01T10:00:00.000Z'),
      fields: fieldsWith({ reveal_at: { type: 'instant', value: '2026-12-01T10:00:00.000Z' } }),
    })
    const proof = proofV2Of(log, letter, { dated: DATED })
    expect(verify(proof, knowing(log)).facts?.isImmediate).toBe(true)
    expect(sentencesOf(proof, knowing(log))[0]).toMatch(/^Tout concorde, mais rien n’a attendu/)
  })

  test('of a log of format 2 cannot be taken away by an undated checkpoint', () => {
    const { log, proof } = stage()
    const undated = { ...proof, checkpoint: log.checkpoint() }
    expect(verify(undated, knowing(log)).state).toBe('failed')
  })
})

describe('kept checkpoints', () => {
  const kept = (log: TestLog, size: number, consistency?: readonly string[]): HeldCheckpoint => ({
    key: log.key,
    note: log.checkpoint(size, { signedAt: '2026-12-05T00:00:00.000Z', v2From: 0 }),
    source: 'mailed',
    since: '2026-12-05T00:00:00.000Z',
    consistency,
  })

  /** The proof of the letter in the log as it was when the checkpoint was kept, at 8 leaves, and three leaves later. */
  function grown() {
    const { log, letter, proof: before } = stage()
    for (const word of ['one', 'two', 'three']) seal(log, letterOf(word), created())
    return { log, before, proof: proofV2Of(log, letter, { dated: DATED }) }
  }

  test('that the log answers for are continued, and date what they held', () => {
    const { log, proof } = grown()
    const verdict = verify(proof, knowing(log, { held: [kept(log, 8, pathFrom8(log))] }))
    expect(verdict.state).toBe('proved')
    expect(verdict.facts?.heldSince).toBe('2026-12-05T00:00:00.000Z')
    const since = '2026-12-20T08:00:00.000Z'
    const words = (source: HeldCheckpoint['source']) =>
      sentencesOf(
        proof,
        knowing(log, { held: [{ ...kept(log, 8, pathFrom8(log)), source, since }] }),
      )
    expect(words('mailed')).toContain(
      `Un point de contrôle gardé ici depuis le ${since}, d’après l’horloge de cet appareil, et que le journal a daté du 2026-12-05T00:00:00.000Z, contenait déjà cette version.`,
    )
    const given = verdictInWords(
      verify(proof, knowing(log, { held: [kept(log, 8, pathFrom8(log))] })),
      String,
      { areHeldGiven: true },
    )
    expect(given).toContain(
      'Un point de contrôle que vous avez donné, et que le journal a daté du 2026-12-05T00:00:00.000Z, contenait déjà cette version.',
    )
    expect(words('carried')).toContain(
      'Le point de contrôle venu avec ce vérificateur, et que le journal a daté du 2026-12-05T00:00:00.000Z, contenait déjà cette version.',
    )
  })

  test('without an answer wait, unless the proof brings what leads to it', () => {
    const { log, proof } = grown()
    const context = knowing(log, { held: [kept(log, 8)] })
    expect(verify(proof, context).state).toBe('partly')
    const consistency = [{ from: 8, hashes: pathFrom8(log) }]
    expect(verify({ ...proof, consistency }, context).state).toBe('proved')
    const wrong = [{ from: 8, hashes: pathFrom8(log).slice(1) }]
    expect(verify({ ...proof, consistency: wrong }, context).state).toBe('partly')
  })

  test('of a fork refuse the proof', () => {
    const { log, proof } = grown()
    const fork = new TestLog()
    for (let at = 0; at < 8; at += 1) fork.append(bytesFor(`slipped in ${at}`))
    const held = [kept(fork, 8, pathFrom8(log))]
    expect(verify(proof, knowing(log, { held })).state).toBe('failed')
  })

  test('that are larger than a later one show that the log was emptied', () => {
    const { log, before } = grown()
    const verdict = verify(before, knowing(log, { held: [kept(log, 9)] }))
    expect(verdict.steps).toContainEqual(
      expect.objectContaining({ name: 'continuity', state: 'failed', because: 'shrunk' }),
    )
  })

  test('are compared no more once the log contradicted itself', () => {
    const { log, proof } = grown()
    const context = knowing(log, { contradictedAt: '2026-12-06T00:00:00.000Z' })
    expect(sentencesOf(proof, context)).toContain(
      'Ce journal s’est contredit le 2026-12-06T00:00:00.000Z\u202F: les deux points de contrôle sont gardés ici.',
    )
  })
})

function pathFrom8(log: TestLog): string[] {
  return log.consistency(8).map(base64Of)
}

describe('a key that was replaced', () => {
  const next = sha256(utf8('the next key'))

  function replacing() {
    const { log, letter, proof } = stage()
    const former: FormerKey[] = [
      { key: log.key, size: log.size, root: log.root(), replacedAt: '2026-12-24T11:00:00.000Z' },
    ]
    const note = signLogKeys({ next, last: log.seed }, { origin: log.origin, former })
    const renewed = new TestLog(log.origin, next)
    return { log, letter, proof, note, known: knownLogOf(renewed.key, note) }
  }

  test('is believed for the log as it was then, and told as what it is', () => {
    const { proof, known } = replacing()
    expect(known?.former).toHaveLength(1)
    const verdict = verify(proof, { known, now: NOW })
    expect(verdict.state).toBe('proved')
    expect(verdict.steps).toContainEqual(expect.objectContaining({ because: 'former key' }))
  })

  test('is not believed for a larger log, nor for a smaller one that nothing leads from', () => {
    const { log, letter, known } = replacing()
    seal(log, letterOf('signed by a thief'), created())
    const larger = proofV2Of(log, letter, { dated: DATED })
    expect(verify(larger, { known, now: NOW }).state).toBe('failed')
    const small = new TestLog()
    const invented = letterOf('invented with a stolen key')
    seal(small, invented, created())
    const smaller = proofV2Of(small, invented, { dated: DATED })
    expect(verify(smaller, { known, now: NOW }).state).toBe('unproved')
  })

  test('has to sign the statement too', () => {
    const { log, note } = replacing()
    const lines = note.trimEnd().split('\n')
    const key = new TestLog(log.origin, next).key
    expect(knownLogOf(key, `${lines.slice(0, -1).join('\n')}\n`)).toBeUndefined()
    expect(knownLogOf(key, note.replace(/ \d+ /, ' 7 '))).toBeUndefined()
  })
})

describe('a proof of format 1', () => {
  test('is proved in the words of the old format', () => {
    const log = logOfItems(12)
    const proof: Proof = proofOf(log, itemOf(10), 10)
    expect(verify(proof, knowing(log)).state).toBe('proved')
    const words = sentencesOf(proof, knowing(log))
    expect(words[0]).toMatch(/^Tout concorde, dans les mots de l’ancien format/)
    expect(words).toContain('L’ancien format ne dit pas qui pouvait la voir.')
  })

  test('with earlier versions only asserts them', () => {
    const log = logOfItems(4)
    const first = itemOf(30)
    const edited = {
      ...first,
      kind: 'edit' as const,
      version: 2,
      sealedAt: '2026-12-20T00:00:00.000Z',
    }
    const at = [log.append(leafIn(first)), log.append(leafIn(edited))]
    const proof = proofOf(log, edited, at[1] ?? 0)
    const spliced = {
      ...proof,
      versions: [...proofOf(log, first, at[0] ?? 0).versions, ...proof.versions],
    }
    const verdict = verify(spliced, knowing(log))
    expect(verdict.state).toBe('partly')
    expect(verdict.facts?.versions).toHaveLength(1)
    expect(sentencesOf(spliced, knowing(log))[0]).toContain(
      'les versions d’avant, que l’ancien format ne lie pas',
    )
  })
})

test('a page that shows another audience than the log is refused', () => {
  const { log, proof } = stage()
  const right = { audience: 'public', publicSince: '2026-12-03T10:00:00.000Z' }
  expect(verify(proof, knowing(log, { shown: right })).state).toBe('proved')
  const widened = { audience: 'public', publicSince: '2026-12-01T10:00:00.000Z' }
  expect(verify(proof, knowing(log, { shown: widened })).state).toBe('failed')
})
