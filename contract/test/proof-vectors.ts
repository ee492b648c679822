import { base64Of, encodeFields, hexOf, utf8 } from '../src/proofs/bytes.ts'
import { leafOf, SEAL_KINDS } from '../src/proofs/commitment.ts'
import { knownLogOf } from '../src/proofs/known-log.ts'
import { parseTilePath, tilePath } from '../src/proofs/tiles.ts'
import { hashLeaf } from '../src/proofs/tree.ts'
import { verify } from '../src/proofs/verify.ts'
import { answerOf, contextOf, type ProofVector } from './answers.ts'
import { makeBoundLeaves, makeIdentity, makeNamedFields } from './bound-leaf-vectors.ts'
import { boundProofs } from './bound-proof-vectors.ts'
import { firstProofs } from './exported-proof-vectors.ts'
import { makeForgeries, signNote } from './forged-signatures.ts'
import { bytesFor, commitmentIn, forkOf, itemOf, leafIn, logOfItems, TestLog } from './log.ts'
import { makeChains, makeDatedCheckpoints, makeStatements } from './note-vectors.ts'
import { makeTexts, pageProofs, textProofs } from './text-vectors.ts'

const SIZES = [1, 2, 3, 7, 8, 21]
const SIZE = 21

/** What `docs/proof-vectors.json` holds: another implementation of docs/proof.md must agree on all of it. */
export function createVectors() {
  const log = logOfItems(SIZE)
  return {
    note: 'Test vectors of docs/proof.md, written by `node script/proof-vectors.ts`. Nothing in them is secret: the key is made for them.',
    fields: makeFields(),
    texts: makeTexts(),
    commitments: [0, 1, 2].map(makeCommitment),
    leaves: makeLeaves(),
    leaf_hashes: (log.levels[0] ?? []).map(hexOf),
    roots: [0, ...SIZES].map((size) => ({ size, root: hexOf(log.root(size)) })),
    inclusion: makeInclusion(log),
    consistency: makeConsistency(log),
    tiles: makeTiles(),
    checkpoints: [...makeCheckpoints(log), ...makeDatedCheckpoints(log)],
    fields_v2: makeNamedFields(),
    identities: [0, 1].map(makeIdentity),
    leaves_v2: makeBoundLeaves(),
    statements: makeStatements(),
    chains: makeChains(),
    proofs: [...firstProofs(log), ...textProofs(), ...pageProofs(), ...boundProofs()].map(
      makeProof,
    ),
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
  const forked = forkOf(7, SIZE)
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
    note.replace('\n\n', '\n\u0009\n\n'),
    note.replace(/=\n$/, '\n'),
  ]
  const opened = { origin: log.origin, size: SIZE, root: hexOf(log.root()), is_valid: true }
  const witness = `— witness.example/w ${base64Of(bytesFor('a witness'))}\n`
  const text = note.slice(0, note.indexOf('\n\n') + 1)
  return [
    { key: log.key, note, ...opened },
    { key: log.key, note: `${note}${witness}`, ...opened },
    { ...signNote(log.seed, `${text}a further line\n`, log.origin), ...opened },
    { key: other.key, note, is_valid: false },
    ...altered.map((text) => ({ key: log.key, note: text, is_valid: false })),
    ...makeForgeries(log.seed, text, log.origin).map((forged) => ({ ...forged, is_valid: false })),
  ]
}

/** The state is what it must be; steps and facts are what the verifier came to. */
function makeProof({ name, proof, given, state }: ProofVector) {
  const { steps, facts } = answerOf(verify(proof, contextOf(given, knownLogOf)))
  return { name, proof, ...given, state, steps, ...(facts && { facts }) }
}
