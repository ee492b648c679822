import { base64Of } from '../src/proofs/bytes.ts'
import type { Given, ProofVector } from './answers.ts'
import { audiencesOf, exportOf, heldOf, knownOf, NOW, noteAt, textOf } from './hostile/corpus.ts'
import { type Json, leavesOf } from './hostile/random.ts'
import { signatureLine, signedNote, signerOf, type World } from './hostile/world.ts'
import { filesOf, filesOfLast, sorts } from './sample-letters.ts'

type State = ProofVector['state']

/** Proofs under other keys, and verifiers that know other logs. */
export function keys(site: World): ProofVector[] {
  const known = knownOf(site)
  const { plain, first } = sorts(site)
  const right = exportOf(site, plain, 300)
  const own = signerOf(site.origin, 'a key of one’s own')
  const signedBy = (signer: typeof own) => {
    const text = textOf(noteAt(site, 300).note)
    const checkpoint = `${text}\n${signatureLine(text, site.origin, signer)}`
    return { ...right, key: signer.key, checkpoint }
  }
  const files = filesOf(plain)
  const old = exportOf(site, first, 64)
  const given = { known, now: NOW, files: filesOf(first) }
  const cut = {
    ...known,
    keys_note: String(known.keys_note).split('\n').toSpliced(-2, 1).join('\n'),
  }
  const elsewhere = { ...known, origin: 'elsewhere.example/log' }
  return [
    {
      name: 'a key of one’s own',
      proof: signedBy(own),
      given: { known, now: NOW, files },
      state: 'unproved',
    },
    {
      name: 'no log known',
      proof: right,
      given: { known: null, now: NOW, files },
      state: 'unproved',
    },
    {
      name: 'a log of another origin known',
      proof: right,
      given: { known: elsewhere, now: NOW, files },
      state: 'unproved',
    },
    {
      name: 'a statement with one signature',
      proof: right,
      given: { known: cut, now: NOW, files },
      state: 'unproved',
    },
    {
      name: 'a former key beyond its size',
      proof: signedBy(site.first),
      given: { known, now: NOW, files },
      state: 'failed',
    },
    { name: 'a former key at its size', proof: exportOf(site, first, 200), given, state: 'proved' },
    { name: 'a former key below its size', proof: old, given, state: 'unproved' },
    {
      ...{ name: 'a former key at a size that was met', proof: old, state: 'proved' },
      given: { ...given, held: [heldOf(site, 64)] },
    },
    {
      ...{ name: 'a former key at a size that was mailed', proof: old, state: 'unproved' },
      given: { ...given, held: [{ ...heldOf(site, 64), source: 'mailed' }] },
    },
  ]
}

/** The same proof, to verifiers that kept other checkpoints. */
export function memories(site: World, fork: World): ProofVector[] {
  const known = knownOf(site)
  const { plain } = sorts(site)
  const proof = exportOf(site, plain, 300)
  const given = { known, now: NOW, files: filesOf(plain) }
  const held = (name: string, state: State, kept: Given['held'], more: object = {}) => ({
    ...{ name, state, proof: { ...proof, ...more } },
    given: { ...given, held: kept },
  })
  const answered = heldOf(site, 240, 300)
  const brought = (hashes: readonly string[] = []) => ({ consistency: [{ from: 240, hashes }] })
  const redated = (date: string) => ({ ...answered, note: signedNote(site, 240, date).note })
  const text = textOf(noteAt(site, 240).note).replace(/v2_from \d+/, 'v2_from 101')
  const otherFrom = `${text}\n${signatureLine(text, site.origin, site.second)}`
  return [
    held('a kept checkpoint that it continues', 'proved', [answered]),
    held('a kept checkpoint that nobody answers for', 'partly', [heldOf(site, 240)]),
    held(
      'what the proof brings along',
      'proved',
      [heldOf(site, 240)],
      brought(answered.consistency),
    ),
    held('what the proof brings along and is wrong', 'partly', [heldOf(site, 240)], brought()),
    held('one that is wrong and one that is right', 'proved', [heldOf(site, 240)], {
      consistency: [...brought().consistency, ...brought(answered.consistency).consistency],
    }),
    held('an answer that is wrong', 'failed', [{ ...answered, consistency: [] }]),
    held('a kept checkpoint of a fork', 'failed', [heldOf(fork, 240, 300)]),
    held('a kept checkpoint of a fork, of the same size', 'failed', [heldOf(fork, 300)]),
    held('a smaller one that is dated later', 'failed', [redated('2026-11-15T00:00:00.000Z')]),
    held('format 2 from elsewhere', 'failed', [{ ...answered, note: otherFrom }]),
    held('two kept ones that contradict each other', 'failed', [
      heldOf(site, 240),
      heldOf(fork, 240),
    ]),
    held('a carried one that nobody answers for', 'proved', [
      { ...heldOf(site, 240), source: 'carried' },
    ]),
    held('one that another key signed', 'proved', [{ ...heldOf(site, 240), key: site.first.key }]),
    {
      ...held('a kept one that is larger', 'proved', [heldOf(site, 300, 256)]),
      proof: exportOf(site, plain, 256),
    },
    {
      ...held('the checkpoint that the verifier carries', 'proved', []),
      given: { ...given, known: { ...known, checkpoint: noteAt(site, 300).note } },
    },
    {
      ...held('the carried checkpoint of a fork', 'failed', []),
      given: { ...given, known: { ...known, checkpoint: noteAt(fork, 300).note } },
    },
    held('neither key nor checkpoint any more', 'failed', [heldOf(site, 240)], {
      ...{ key: null, checkpoint: null },
      leaves: leavesOf(proof as unknown as Json).map((leaf) => ({
        ...leaf,
        index: null,
        inclusion: null,
      })),
    }),
    {
      ...held('a log that contradicted itself before', 'failed', []),
      given: { ...given, contradicted_at: '2026-11-16T00:00:00.000Z' },
    },
  ]
}

/** Dates that contradict each other, and what a page says of the audience. */
export function datesAndAudiences(site: World): ProofVector[] {
  const known = knownOf(site)
  const { changed, first } = sorts(site)
  const proof = exportOf(site, changed, 300)
  const given = { known, now: NOW, files: filesOfLast(changed) }
  const last = audiencesOf(changed.leaves).at(-1)
  const said = last?.audience ?? ''
  const since = said === 'public' ? (last?.since ?? null) : null
  const undated = signedNote(site, 300, null).note
  const early = signedNote(site, 300, '2026-11-01T00:00:00.000Z').note
  const path = site.log.consistency(101, 300).map(base64Of)
  // As if it had been signed at 101 leaves when the last of 300 was there: what came after would have been older.
  const late = signedNote(site, 101, '2026-11-13T11:00:30.000Z')
  const held = [{ ...heldOf(site, 101), note: late.note, consistency: path }]
  const shown = (audience: string, public_since: string | null) => ({
    ...{ proof, given: { ...given, shown: { audience, public_since } } },
  })
  return [
    {
      name: 'a checkpoint older than its leaves',
      proof: { ...proof, checkpoint: early },
      given,
      state: 'failed',
    },
    {
      name: 'sealed before a checkpoint that does not hold it',
      proof,
      given: { ...given, held },
      state: 'failed',
    },
    {
      name: 'a clock that is two days behind',
      proof,
      given: { ...given, now: '2026-11-11T00:00:00.000Z' },
      state: 'partly',
    },
    {
      name: 'an undated checkpoint of format 2',
      proof: { ...proof, checkpoint: undated },
      given,
      state: 'failed',
    },
    {
      ...{ name: 'an undated checkpoint above where format 2 began', state: 'failed' },
      proof: { ...exportOf(site, first, 300), checkpoint: undated },
      given: { ...given, files: filesOf(first), held: [heldOf(site, 240, 300)] },
    },
    { name: 'a page that shows the audience', ...shown(said, since), state: 'proved' },
    {
      name: 'a page that shows another audience',
      ...shown('public' === said ? 'friends' : 'public', since),
      state: 'failed',
    },
    {
      name: 'a page that shows another day',
      ...shown(said, '2026-11-01T00:00:00.000Z'),
      state: 'failed',
    },
  ]
}
