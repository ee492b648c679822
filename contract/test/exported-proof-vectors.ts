import { type Bytes, base64Of, hexOf } from '../src/proofs/bytes.ts'
import type { CommittedFacts } from '../src/proofs/commitment.ts'
import type { Proof } from '../src/proofs/proof.ts'
import { alteredOf, pendingOf } from './altered-proofs.ts'
import type { Given, ProofVector } from './answers.ts'
import { bytesFor, forkOf, itemOf, leafIn, logOfItems, proofOf, TestLog } from './log.ts'

const NOW = '2027-06-01T00:00:00.000Z'

/** Exported proofs of format 1, with what a verifier is given besides and what it must come to. */
export function firstProofs(log: TestLog): ProofVector[] {
  const plain = proofOf(log, itemOf(10), 10)
  const withFile = proofOf(log, itemOf(9), 9)
  const files = [withFile.opening?.file_sha256 ?? '']
  const known = { origin: log.origin, key: log.key, keys_note: null, checkpoint: null }
  const given = (more: Partial<Given> = {}) => ({ known, now: NOW, ...more })
  const altered = [...alteredOf(plain, editedOf()), ...misspeltOf()]
  return [
    { name: 'a letter without a file', proof: plain, given: given(), state: 'proved' },
    { name: 'a letter with its file', proof: withFile, given: given({ files }), state: 'proved' },
    { name: 'a file that was not given', proof: withFile, given: given(), state: 'partly' },
    {
      ...{ name: 'another file', proof: withFile, state: 'failed' },
      given: given({ files: [hexOf(bytesFor('x'))] }),
    },
    {
      ...{ name: 'still sealed', proof: { ...plain, opening: null }, state: 'partly' },
      given: given(),
    },
    { name: 'not in the log yet', proof: pendingOf(plain), given: given(), state: 'unproved' },
    { name: 'edited once', proof: editedOf(), given: given(), state: 'partly' },
    ...metBefore(log, plain).map(({ held, ...vector }) => ({
      ...vector,
      given: given({ held: [held] }),
    })),
    ...altered.map(({ name, proof }) => ({
      ...{ name, proof, given: given(), state: 'failed' as const },
    })),
  ]
}

type Held = NonNullable<Given['held']>[0]

/** What a verifier that met a checkpoint before can come to, besides. */
function metBefore(
  log: TestLog,
  plain: Proof,
): (Pick<ProofVector, 'name' | 'proof' | 'state'> & { held: Held })[] {
  const { key } = log
  const met = (from: TestLog, size: number, hashes?: readonly Bytes[]): Held => ({
    ...{ key: from.key, note: from.checkpoint(size), source: 'met', since: NOW },
    ...(hashes && { consistency: hashes.map(base64Of) }),
  })
  const other = new TestLog(log.origin, bytesFor('another seed'))
  const smaller = proofOf(log, itemOf(5), 5, 8)
  const fork = forkOf(7, log.size)
  const ofLater = met(log, log.size, log.consistency(8))
  const earlier = met(log, 8, log.consistency(8))
  return [
    { name: 'the same log later', proof: plain, held: earlier, state: 'proved' },
    {
      ...{ name: 'a forked log', proof: plain, state: 'failed' },
      held: met(fork, 8, log.consistency(8)),
    },
    {
      ...{ name: 'a fork of the same size', proof: plain, state: 'failed' },
      held: met(fork, log.size, []),
    },
    {
      ...{ name: 'the same checkpoint again', proof: plain, state: 'proved' },
      held: { key, note: log.checkpoint(), source: 'met', since: NOW },
    },
    {
      ...{ name: 'an earlier checkpoint and nobody to ask', proof: plain, state: 'partly' },
      held: met(log, 8),
    },
    {
      ...{ name: 'a proof older than the checkpoint met before', proof: smaller, state: 'proved' },
      held: ofLater,
    },
    {
      // It says nothing of this log, and cannot accuse it.
      ...{ name: 'a checkpoint met before under another key', proof: plain, state: 'proved' },
      held: { ...ofLater, key: other.key },
    },
    {
      ...{ name: 'no checkpoint where there was one before', state: 'failed' },
      ...{ proof: pendingOf(plain), held: ofLater },
    },
  ]
}

/** Proofs of what no sealing writes, with commitments that would be right: only the spelling is wrong. */
function misspeltOf() {
  const item = itemOf(10)
  const facts: [name: string, facts: Partial<CommittedFacts>][] = [
    ['a day that does not exist', { revealAt: '2027-02-30T00:00:00.000Z' }],
    ['a year of five digits', { revealAt: '+010000-01-01T00:00:00.000Z' }],
    ['half a character in the text', { content: 'Je parie\uD83D' }],
    ['an id in capitals', { id: item.facts.id.toUpperCase() }],
  ]
  return facts.map(([name, wrong]) => {
    const log = logOfItems(4)
    const misspelt = { ...item, facts: { ...item.facts, ...wrong } }
    const index = log.append(leafIn(misspelt))
    return { name, proof: proofOf(log, misspelt, index) }
  })
}

/** A log of two versions of one letter among others. */
function editedOf(): Proof {
  const log = logOfItems(4)
  const created = itemOf(30)
  const edited = {
    ...created,
    kind: 'edit' as const,
    version: 2,
    salt: bytesFor('another salt'),
    sealedAt: '2026-12-24T18:00:00.000Z',
    facts: { ...created.facts, title: 'Prédiction corrigée', fileSha256: undefined },
  }
  const first = log.append(leafIn(created))
  log.append(leafIn(itemOf(31)))
  const second = log.append(leafIn(edited))
  const proof = proofOf(log, edited, second)
  return { ...proof, versions: [...proofOf(log, created, first).versions, ...proof.versions] }
}
