import {
  type Bytes,
  base64Of,
  bytesOfHex,
  encodeFields,
  hexOf,
  uint64,
  utf8,
} from '../src/proofs/bytes.ts'
import { leafOf, SEAL_KINDS } from '../src/proofs/commitment.ts'
import type { Proof } from '../src/proofs/proof.ts'
import { parseTilePath, tilePath } from '../src/proofs/tiles.ts'
import { hashLeaf } from '../src/proofs/tree.ts'
import { bytesFor, commitmentIn, itemOf, leafIn, logOfItems, proofOf, TestLog } from './log.ts'

const SIZES = [1, 2, 3, 7, 8, 21]
const SIZE = 21

/** What `docs/proof-vectors.json` holds: another implementation of docs/proof.md must agree on all of it. */
export function makeVectors() {
  const log = logOfItems(SIZE)
  return {
    note: 'Test vectors of docs/proof.md, written by `node script/proof-vectors.ts`. Nothing in them is secret: the key is made for them.',
    fields: makeFields(),
    commitments: [0, 1, 2].map(makeCommitment),
    leaves: makeLeaves(),
    roots: [0, ...SIZES].map((size) => ({ size, root: hexOf(log.root(size)) })),
    inclusion: makeInclusion(log),
    consistency: makeConsistency(log),
    tiles: makeTiles(),
    checkpoints: makeCheckpoints(log),
    proofs: makeProofs(log),
  }
}

function makeFields() {
  const lists = [[], [''], ['', ''], ['ab', 'c'], ['a', 'bc'], ['é']]
  return lists.map((texts) => ({ texts, bytes: hexOf(encodeFields(texts.map(utf8))) }))
}

function makeCommitment(number: number) {
  const item = itemOf(number)
  const { facts, salt } = item
  return {
    salt: hexOf(salt),
    revelation_id: facts.id,
    author_id: facts.authorId,
    title: facts.title,
    content: facts.content,
    reveal_date: facts.revealAt,
    file_sha256: facts.fileSha256 ? hexOf(facts.fileSha256) : null,
    commitment: hexOf(commitmentIn(item)),
  }
}

function makeLeaves() {
  return SEAL_KINDS.map((kind, at) => {
    const item = itemOf(at)
    const commitment = commitmentIn(item)
    const facts = { kind, version: at + 1, commitment, sealedAt: item.sealedAt }
    const bytes = leafOf(facts)
    return {
      kind,
      version: at + 1,
      commitment: hexOf(commitment),
      sealed_at: item.sealedAt,
      bytes: hexOf(bytes),
      hash: hexOf(hashLeaf(bytes)),
    }
  })
}

function makeInclusion(log: TestLog) {
  const right = SIZES.flatMap((size) =>
    [...new Set([0, Math.floor(size / 2), size - 1])].map((index) => ({
      leaf_hash: hexOf(hashLeaf(leafIn(itemOf(index)))),
      index,
      size,
      path: log.inclusion(index, size).map(hexOf),
      root: hexOf(log.root(size)),
      is_valid: true,
    })),
  )
  const [one] = right.filter(({ index, size }) => index === 10 && size === SIZE)
  if (!one) throw new Error('The vector to alter is missing')
  const wrong = [
    { ...one, index: 11 },
    { ...one, index: SIZE },
    { ...one, size: 16 },
    { ...one, path: one.path.slice(1) },
    { ...one, path: [...one.path, one.root] },
    { ...one, path: one.path.toReversed() },
    { ...one, leaf_hash: one.root },
    { ...one, root: one.leaf_hash },
  ]
  return [...right, ...wrong.map((altered) => ({ ...altered, is_valid: false }))]
}

function makeConsistency(log: TestLog) {
  const vector = (from: number, to: number) => ({
    from,
    from_root: hexOf(log.root(from)),
    to,
    to_root: hexOf(log.root(to)),
    path: log.consistency(from, to).map(hexOf),
    is_valid: true,
  })
  const right = SIZES.flatMap((to) =>
    SIZES.filter((from) => from <= to).map((from) => vector(from, to)),
  )
  const forked = forkOf(7)
  const one = vector(8, SIZE)
  const wrong = [
    { ...one, from: 7 },
    { ...one, from_root: hexOf(forked.root(8)) },
    { ...one, to_root: hexOf(forked.root(SIZE)) },
    { ...one, path: one.path.slice(1) },
    { ...one, path: [...one.path, one.to_root] },
    { ...vector(SIZE, SIZE), to_root: hexOf(forked.root(SIZE)) },
    { ...vector(SIZE, SIZE), path: [one.to_root] },
  ]
  return [...right, ...wrong.map((altered) => ({ ...altered, is_valid: false }))]
}

function makeTiles() {
  const right = [
    { level: 0, index: 0, width: 256 },
    { level: 0, index: 390, width: 160 },
    { level: 1, index: 1, width: 134 },
    { level: 0, index: 1_234_067, width: 256 },
  ].map((tile) => ({ path: tilePath(tile), ...tile, is_valid: true }))
  const wrong = ['0/5', '0/x000/005', '00/005', '0/005.p/0', '0/005.p/256', '7/000']
  return [...right, ...wrong.map((path) => ({ path, is_valid: parseTilePath(path) !== undefined }))]
}

function makeCheckpoints(log: TestLog) {
  const note = log.checkpoint()
  const other = new TestLog(log.origin, bytesFor('another seed'))
  const altered = [
    note.replace('\n21\n', '\n22\n'),
    note.replace('\n21\n', '\n021\n'),
    note.replace('\n\n', '\n\n\n'),
    note.slice(0, -1),
    note.replace('— ', '- '),
    note.replace(`— ${log.origin}`, '— elsewhere.example/log'),
  ]
  return [
    { key: log.key, note, origin: log.origin, size: SIZE, root: hexOf(log.root()), is_valid: true },
    {
      key: log.key,
      note: `${note}— witness.example/w ${base64Of(bytesFor('a witness'))}\n`,
      origin: log.origin,
      size: SIZE,
      root: hexOf(log.root()),
      is_valid: true,
    },
    { key: other.key, note, is_valid: false },
    ...altered.map((text) => ({ key: log.key, note: text, is_valid: false })),
  ]
}

/** The same log with one leaf changed, signed with the same key: what a log that rewrites its past would be. */
function forkOf(changed: number): TestLog {
  const log = new TestLog()
  for (let number = 0; number < SIZE; number += 1) {
    log.append(number === changed ? bytesFor('what was slipped in') : leafIn(itemOf(number)))
  }
  return log
}

function makeProofs(log: TestLog) {
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
    { name: 'a forked log', proof: plain, met_before: met(forkOf(7), 8), state: 'failed' },
    {
      name: 'a fork of the same size',
      proof: plain,
      met_before: met(forkOf(7), SIZE),
      state: 'failed',
    },
    ...alteredOf(plain),
  ]
}

function pendingOf(proof: Proof): Proof {
  const versions = proof.versions.map((kept) => ({ ...kept, leaf: null, inclusion: null }))
  return { ...proof, key: null, checkpoint: null, versions, opening: null }
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

function alteredOf(proof: Proof) {
  const { opening, versions } = proof
  const [version] = versions
  if (!opening || !version) throw new Error('The proof to alter has no letter')
  const salt = bytesOfHex(opening.salt) as Bytes
  const altered: [name: string, proof: unknown][] = [
    ['one letter of the title', { ...proof, opening: { ...opening, title: `${opening.title}.` } }],
    [
      'the text in another normal form',
      { ...proof, opening: { ...opening, content: opening.content.normalize('NFD') } },
    ],
    ['a day later', { ...proof, opening: { ...opening, reveal_date: '2027-01-12T00:00:00.000Z' } }],
    [
      'the date without milliseconds',
      { ...proof, opening: { ...opening, reveal_date: '2027-01-11T00:00:00Z' } },
    ],
    [
      'one bit of the salt',
      {
        ...proof,
        opening: { ...opening, salt: hexOf(salt.map((byte, at) => (at === 0 ? byte ^ 1 : byte))) },
      },
    ],
    ['another author', { ...proof, opening: { ...opening, author_id: proof.revelation_id } }],
    [
      'sealed a millisecond earlier',
      {
        ...proof,
        versions: [
          { ...version, sealed_at: new Date(Date.parse(version.sealed_at) - 1).toISOString() },
        ],
      },
    ],
    [
      'another commitment',
      { ...proof, versions: [{ ...version, commitment: hexOf(uint64(0)).repeat(4) }] },
    ],
    ['another leaf', { ...proof, versions: [{ ...version, leaf: 11 }] }],
    [
      'an inclusion proof cut short',
      { ...proof, versions: [{ ...version, inclusion: version.inclusion?.slice(1) }] },
    ],
    [
      'an edit without its creation',
      { ...proof, versions: [{ ...version, kind: 'edit', version: 2 }] },
    ],
    [
      'another size in the checkpoint',
      { ...proof, checkpoint: proof.checkpoint?.replace('\n21\n', '\n20\n') },
    ],
    ['another key', { ...proof, key: new TestLog(undefined, bytesFor('another seed')).key }],
    ['another format', { ...proof, format: 'revelations.app/proof/v2' }],
    ['no versions', { ...proof, versions: [] }],
  ]
  return altered.map(([name, proof]) => ({ name, proof, state: 'failed' }))
}
