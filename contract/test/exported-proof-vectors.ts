import { base64Of, hexOf } from '../src/proofs/bytes.ts'
import type { CommittedFacts } from '../src/proofs/commitment.ts'
import type { Proof } from '../src/proofs/proof.ts'
import { alteredOf, pendingOf } from './altered-proofs.ts'
import { bytesFor, forkOf, itemOf, leafIn, logOfItems, proofOf, TestLog } from './log.ts'

/** Exported proofs, with what a verifier is given besides and what it must come to. */
export function makeProofs(log: TestLog) {
  const plain = proofOf(log, itemOf(10), 10)
  const withFile = proofOf(log, itemOf(9), 9)
  const fileSha256 = withFile.opening?.file_sha256 ?? ''
  const met = (from: TestLog, size: number) => ({
    key: from.key,
    checkpoint: from.checkpoint(size),
    consistency: log.consistency(size).map(base64Of),
  })
  return [
    { name: 'a letter without a file', proof: plain, state: 'passed' },
    { name: 'a letter with its file', proof: withFile, file_sha256: fileSha256, state: 'passed' },
    { name: 'a file that was not given', proof: withFile, state: 'later' },
    { name: 'another file', proof: withFile, file_sha256: hexOf(bytesFor('x')), state: 'failed' },
    { name: 'still sealed', proof: { ...plain, opening: null }, state: 'later' },
    { name: 'not in the log yet', proof: pendingOf(plain), state: 'later' },
    { name: 'edited once', proof: editedOf(), state: 'passed' },
    { name: 'the same log later', proof: plain, met_before: met(log, 8), state: 'passed' },
    {
      name: 'a forked log',
      proof: plain,
      met_before: met(forkOf(7, log.size), 8),
      state: 'failed',
    },
    {
      name: 'a fork of the same size',
      proof: plain,
      met_before: met(forkOf(7, log.size), log.size),
      state: 'failed',
    },
    ...metElsewhere(log, plain),
    ...alteredOf(plain, editedOf()),
    ...misspeltOf(),
  ]
}

/** What a verifier that met a checkpoint before can come to, besides. */
function metElsewhere(log: TestLog, plain: Proof) {
  const { key } = log
  const other = new TestLog(log.origin, bytesFor('another seed'))
  const smaller = proofOf(log, itemOf(5), 5, 8)
  const consistency = log.consistency(8).map(base64Of)
  const ofLater = { key, checkpoint: log.checkpoint(), consistency }
  return [
    {
      name: 'the same checkpoint again',
      proof: plain,
      met_before: { key, checkpoint: log.checkpoint() },
      state: 'passed',
    },
    {
      name: 'an earlier checkpoint and nobody to ask',
      proof: plain,
      met_before: { key, checkpoint: log.checkpoint(8) },
      state: 'later',
    },
    {
      name: 'a proof older than the checkpoint met before',
      proof: smaller,
      met_before: ofLater,
      state: 'passed',
    },
    {
      name: 'a checkpoint met before under another key',
      proof: plain,
      met_before: { ...ofLater, key: other.key },
      state: 'failed',
    },
    {
      name: 'no checkpoint where there was one before',
      proof: pendingOf(plain),
      met_before: ofLater,
      state: 'failed',
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
    return { name, proof: proofOf(log, misspelt, index), state: 'failed' }
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
