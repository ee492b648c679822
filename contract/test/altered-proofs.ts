import { type Bytes, bytesOfHex, hexOf, uint64 } from '../src/proofs/bytes.ts'
import type { Proof } from '../src/proofs/proof.ts'
import { bytesFor, TestLog } from './log.ts'

/** The same before the first checkpoint, for whoever may not read the letter. */
export function pendingOf(proof: Proof): Proof {
  const versions = proof.versions.map((kept) => ({ ...kept, leaf: null, inclusion: null }))
  return { ...proof, key: null, checkpoint: null, versions, opening: null }
}

/** The last digit before the padding has two bits that mean nothing. */
function respelt(_: string, digit: string): string {
  return `${String.fromCharCode(digit.charCodeAt(0) + 1)}=`
}

/** Two versions, one value of which changed places. */
function turned(proof: Proof, name: 'sealed_at' | 'leaf') {
  const [one, other] = proof.versions
  if (!one || !other) throw new Error('The proof to alter has no second version')
  return {
    ...proof,
    versions: [
      { ...one, [name]: other[name] },
      { ...other, [name]: one[name] },
    ],
  }
}

/** Each with one thing changed, and refused for it. */
export function alteredOf(proof: Proof, edited: Proof) {
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
    ['a key without its checkpoint', { ...pendingOf(proof), key: proof.key }],
    ['an empty checkpoint', { ...pendingOf(proof), key: proof.key, checkpoint: '' }],
    ['a leaf before the first checkpoint', { ...proof, key: null, checkpoint: null }],
    ['a leaf without its inclusion', { ...proof, versions: [{ ...version, inclusion: null }] }],
    [
      'a hash in another spelling',
      {
        ...proof,
        versions: [
          {
            ...version,
            inclusion: version.inclusion?.map((hash) => hash.replace(/(.)=$/, respelt)),
          },
        ],
      },
    ],
    ['a withdrawal', { ...proof, versions: [{ ...version, kind: 'delete' }] }],
    ['versions whose dates fall', turned(edited, 'sealed_at')],
    ['versions whose leaves fall', turned(edited, 'leaf')],
    ['a name that is missing', { ...proof, opening: { ...opening, file_sha256: undefined } }],
    ['another format', { ...proof, format: 'revelations.app/proof/v2' }],
    ['no versions', { ...proof, versions: [] }],
  ]
  return altered.map(([name, proof]) => ({ name, proof }))
}
