import { hexOf } from '../src/proofs/bytes.ts'
import { commitmentOfFields, type FieldValue, hashField } from '../src/proofs/fields.ts'
import { formerOfV1, identityOf, LEAF_KINDS, leafV2Of } from '../src/proofs/leaf.ts'
import { hashLeaf } from '../src/proofs/tree.ts'
import { fieldsWith } from './letters.ts'
import { bytesFor, itemOf } from './log.ts'

/** Lists of named fields, all of them open, with the hash of each and the commitment of all. */
export function makeNamedFields() {
  const album = ['one', 'two'].map((name) => ({ sha256: hexOf(bytesFor(name)), label: name }))
  return [
    fieldsWith(),
    fieldsWith({ files: { type: 'files', value: [{ sha256: hexOf(bytesFor('x')), label: '' }] } }),
    fieldsWith({
      files: { type: 'files', value: album },
      criterion: { type: 'text', value: 'Le premier à l’arrivée.' },
      settled_at: { type: 'instant', value: '2027-03-01T00:00:00.000Z' },
      voice: { type: 'none' },
    }),
    { audience: { type: 'text' as const, value: '' } },
  ].map((fields, at) => namedFields(fields, at))
}

function namedFields(fields: Record<string, FieldValue>, at: number) {
  const inOrder = Object.entries(fields).toSorted(([one], [other]) => (one < other ? -1 : 1))
  const hashed = inOrder.map(([name, field]) => {
    const salt = bytesFor(`salt of ${name} in list ${at}`)
    const value = field.type === 'none' ? null : field.value
    return { name, salt: hexOf(salt), type: field.type, value, hash: hashField(salt, name, field) }
  })
  return {
    fields: hashed.map(({ hash: _, ...field }) => field),
    hashes: hashed.map(({ hash }) => hexOf(hash)),
    commitment: hexOf(commitmentOfFields(hashed)),
  }
}

export function makeIdentity(number: number) {
  const { id, authorId } = itemOf(number).facts
  const blinding = bytesFor(`blinding ${number}`)
  return {
    ...{ blinding: hexOf(blinding), revelation_id: id, author_id: authorId },
    identity: hexOf(identityOf(blinding, id, authorId)),
  }
}

/** One of each kind, and an edit after two leaves of format 1, whose hashes it names as its former. */
export function makeBoundLeaves() {
  const identity = bytesFor('an identity')
  const after = [bytesFor('leaf hash 1'), bytesFor('leaf hash 2')]
  const kinds = LEAF_KINDS.map((kind, at) => ({ kind, version: at === 0 ? 1 : 2, after: [] }))
  return [...kinds, { kind: 'edit' as const, version: 3, after }].map((leaf) => {
    const before = leaf.kind === 'create' ? new Uint8Array() : bytesFor('the leaf before')
    const former = leaf.after.length > 0 ? formerOfV1(leaf.after) : before
    const commitment = bytesFor('a commitment')
    const sealedAt = '2027-01-02T00:00:00.000Z'
    const bytes = leafV2Of({
      kind: leaf.kind,
      version: leaf.version,
      identity,
      former,
      commitment,
      sealedAt,
    })
    return {
      ...{ kind: leaf.kind, version: leaf.version, identity: hexOf(identity) },
      ...(leaf.after.length > 0 && { leaf_hashes_of_format_1: leaf.after.map(hexOf) }),
      ...{ former: hexOf(former), commitment: hexOf(commitment), sealed_at: sealedAt },
      ...{ bytes: hexOf(bytes), hash: hexOf(hashLeaf(bytes)) },
    }
  })
}
