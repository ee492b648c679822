import { createPrivateKey, type KeyObject, sign } from 'node:crypto'
import { type Bytes, base64Of, hexOf, utf8 } from '../../src/proofs/bytes.ts'
import { formatLogKey, logKeyOf } from '../../src/proofs/checkpoint.ts'
import { leafOf } from '../../src/proofs/commitment.ts'
import { commitmentOfFields, type FieldValue, hashField } from '../../src/proofs/fields.ts'
import { formerOfV1, identityOf, type LeafKind, leafV2Of } from '../../src/proofs/leaf.ts'
import { publicKeyOf } from '../../src/proofs/signature.ts'
import { hashLeaf } from '../../src/proofs/tree.ts'
import { fieldsWith } from '../letters.ts'
import { bytesFor, commitmentIn, type Item, itemOf, TestLog } from '../log.ts'

/** From here on all leaves are of format 2. */
export const V2_FROM = 100
export const SIZE = 300
/** Where the first key was replaced. */
export const ROTATED_AT = 200
/** Where the fork leaves the true log. */
export const FORKED_AT = 150
/** All of the first are undated, and none of the others. */
export const SIZES = [7, 32, 64, 100, 101, 128, 160, 200, 201, 240, 256, 300]
/** From here on leaves name a kind. */
export const KINDS_FROM = 130
const HOUR_MS = 3_600_000

/** When the leaf at this index was sealed. */
export function timeOf(index: number): string {
  return new Date(Date.UTC(2026, 10, 1) + index * HOUR_MS).toISOString()
}

/** When the checkpoint of this size was signed. */
export function signedAtOf(size: number): string {
  return new Date(Date.parse(timeOf(size - 1)) + 30_000).toISOString()
}

export interface SealedLeaf {
  kind: Exclude<LeafKind, 'delete'>
  version: number
  sealedAt: string
  index: number
  hash: Bytes
  fields: Readonly<Record<string, FieldValue>>
  /** In format 1. */
  item?: Item
}

export interface Sealed {
  id: string
  authorId: string
  blinding: Bytes
  leaves: SealedLeaf[]
}

export function saltOf({ id }: Sealed, at: number, name: string): Bytes {
  return bytesFor(`salt of ${name} in leaf ${at} of ${id}`)
}

/** Appends a leaf of format 2, bound to those of the letter before it. */
export function sealLeaf(
  log: TestLog,
  letter: Sealed,
  leaf: Omit<SealedLeaf, 'index' | 'hash' | 'kind'> & { kind: LeafKind },
): void {
  const at = letter.leaves.length
  const commitment = commitmentOfFields(
    Object.entries(leaf.fields).map(([name, value]) => ({
      name,
      hash: hashField(saltOf(letter, at, name), name, value),
    })),
  )
  const identity = identityOf(letter.blinding, letter.id, letter.authorId)
  const hashes = letter.leaves.map(({ hash }) => hash)
  const isBoundToFirst = hashes.length > 0 && letter.leaves.every(({ item }) => item)
  const former = isBoundToFirst ? formerOfV1(hashes) : (hashes.at(-1) ?? new Uint8Array())
  const { kind, version, sealedAt } = leaf
  const bytes = leafV2Of({ kind, version, identity, former, commitment, sealedAt })
  const index = log.append(bytes)
  if (kind !== 'delete') letter.leaves.push({ ...leaf, kind, index, hash: hashLeaf(bytes) })
}

function sealFirst(log: TestLog, letter: Sealed, item: Item): void {
  const { kind, version, sealedAt, facts } = item
  const bytes = leafOf({ kind, version, commitment: commitmentIn(item), sealedAt })
  const { title, content, revealAt, fileSha256 } = facts
  const fields = fieldsWith({
    content: { type: 'text', value: content },
    title: { type: 'text', value: title },
    reveal_at: { type: 'instant', value: revealAt },
    ...(fileSha256 && {
      files: { type: 'files' as const, value: [{ sha256: hexOf(fileSha256), label: '' }] },
    }),
  })
  const { audience: _, ...told } = fields
  const index = log.append(bytes)
  letter.leaves.push({
    ...{ kind, version, sealedAt, index, item, fields: told },
    hash: hashLeaf(bytes),
  })
}

/** A seed with what signs and is checked by it; OpenSSL signs, which is faster. */
export interface Signer {
  seed: Bytes
  key: string
  id: Bytes
  privateKey: KeyObject
}

export function signerOf(origin: string, name: string): Signer {
  const seed = bytesFor(name)
  const key = logKeyOf(origin, publicKeyOf(seed))
  const der = Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), seed])
  const privateKey = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' })
  return { seed, key: formatLogKey(key), id: key.id, privateKey }
}

/** One line below a note. */
export function signatureLine(text: string, name: string, { id, privateKey }: Signer): string {
  const signature = sign(null, utf8(text), privateKey)
  return `— ${name} ${base64Of(Uint8Array.from(Buffer.concat([id, signature])))}\n`
}

export interface Note {
  note: string
  size: number
  signedAt: string | null
  key: string
}

/** A log, all that was sealed in it, and all that it signed. */
export interface World {
  origin: string
  log: TestLog
  letters: Sealed[]
  first: Signer
  second: Signer
  notes: Map<number, Note>
}

export function signedNote(world: World, size: number, signedAt: string | null): Note {
  const signer = size <= ROTATED_AT ? world.first : world.second
  const date = signedAt === null ? '' : `signed_at ${signedAt}\nv2_from ${V2_FROM}\n`
  const text = `${world.origin}\n${size}\n${base64Of(world.log.root(size))}\n${date}`
  const note = `${text}\n${signatureLine(text, world.origin, signer)}`
  return { note, size, signedAt, key: signer.key }
}

interface WorldOptions {
  origin?: string
  keys?: string
  /** What is sealed from this index on says so. */
  forkedAt?: number
}

/** A log of 300 leaves: creations, edits, changes of audience and kind, withdrawals, albums, fields of later, letters published at once. */
export function createWorld({
  origin = 'revelations.example/log',
  keys = 'a site',
  forkedAt = SIZE,
}: WorldOptions = {}): World {
  const log = new TestLog(origin)
  const letters: Sealed[] = []
  for (let index = 0; index < SIZE; index += 1) {
    const mark = index >= forkedAt ? ' (en fourche)' : ''
    if (index < V2_FROM) appendFirst(log, letters, index, mark)
    else appendSecond(log, letters, index, mark)
  }
  const [first, second] = [signerOf(origin, `${keys} at first`), signerOf(origin, keys)]
  const world: World = { origin, log, letters, first, second, notes: new Map() }
  for (const size of SIZES) {
    world.notes.set(size, signedNote(world, size, size > V2_FROM ? signedAtOf(size) : null))
  }
  return world
}

function appendFirst(log: TestLog, letters: Sealed[], index: number, mark: string): void {
  const before = index % 5 === 4 ? letters[index - 6 - (index % 3)] : undefined
  const version = (before?.leaves.at(-1)?.version ?? 0) + 1
  const item = itemOf(index)
  const { facts } = before?.leaves[0]?.item ?? item
  const { id, authorId } = facts
  const letter = before ?? { id, authorId, blinding: bytesFor(`blinding of ${id}`), leaves: [] }
  if (!before) letters.push(letter)
  const title = `${item.facts.title}${mark}`
  sealFirst(log, letter, {
    ...item,
    ...{ kind: before ? ('edit' as const) : ('create' as const), version },
    sealedAt: timeOf(index),
    facts: { ...item.facts, id, authorId, title },
  })
}

const AUDIENCES = ['private', 'public', 'friends', 'public', 'public', 'family']

function appendSecond(log: TestLog, letters: Sealed[], index: number, mark: string): void {
  const sealedAt = timeOf(index)
  const audience = { type: 'text', value: AUDIENCES[index % AUDIENCES.length] ?? 'public' } as const
  const fields = fieldsOfLeaf(index, mark, sealedAt)
  const turn = index % 10
  const earlier = letters[(index * 7) % letters.length]
  const last = earlier?.leaves.at(-1)
  if (earlier && last && [2, 3, 4, 8, 9].includes(turn)) {
    const isChange = turn === 3 || turn === 9
    const version = last.version + (isChange ? 0 : 1)
    const kind = isChange ? 'change' : 'edit'
    const told = isChange ? changeAt(index, audience) : fields
    sealLeaf(log, earlier, { kind, version, sealedAt, fields: told })
    return
  }
  const { id, authorId } = itemOf(index).facts
  const letter: Sealed = { id, authorId, blinding: bytesFor(`blinding of ${id}`), leaves: [] }
  if (turn === 6 && earlier && last) {
    const { version } = last
    const fields = last.item ? fieldsWith() : last.fields
    sealLeaf(log, earlier, { kind: 'delete', version, sealedAt, fields })
    letters.splice(letters.indexOf(earlier), 1)
    return
  }
  letters.push(letter)
  sealLeaf(log, letter, { kind: 'create', version: 1, sealedAt, fields: { ...fields, audience } })
}

const KINDS = ['announcement', 'prediction', 'letter']

function kindAt(index: number): Record<string, FieldValue> {
  return { kind: { type: 'text', value: KINDS[index % KINDS.length] ?? 'letter' } }
}

/** Another audience, another kind, or both. */
function changeAt(index: number, audience: FieldValue): Record<string, FieldValue> {
  if (index < KINDS_FROM || index % 10 === 3) return { audience }
  return index % 20 === 19 ? kindAt(index) : { audience, ...kindAt(index) }
}

function fieldsOfLeaf(index: number, mark: string, sealedAt: string): Record<string, FieldValue> {
  const file = (name: string) => ({
    sha256: hexOf(bytesFor(`${name} of ${index}`)),
    label: index % 4 === 0 ? '' : `Écran ${name}`,
  })
  const album = ['one', 'two', 'three'].slice(0, 1 + (index % 3)).map(file)
  const isImmediate = index % 10 === 5
  return fieldsWith({
    audience: { type: 'text', value: index % 4 === 0 ? 'friends' : 'public' },
    content: { type: 'text', value: `Ce que dit la lettre n° ${index}${mark}.\n« Rien d’autre. »` },
    title: { type: 'text', value: `Lettre n° ${index}` },
    reveal_at: {
      type: 'instant',
      value: isImmediate ? sealedAt : new Date(Date.UTC(2027, index % 12, 1)).toISOString(),
    },
    ...(index >= KINDS_FROM && kindAt(index)),
    ...(index % 3 === 1 && { files: { type: 'files' as const, value: album } }),
    ...(index % 10 === 1 && {
      criterion: { type: 'text' as const, value: 'Le premier à l’arrivée.' },
      ink: { type: 'none' as const },
      settled_at: { type: 'instant' as const, value: '2027-03-01T00:00:00.000Z' },
      voice: { type: 'files' as const, value: [file('voice')] },
    }),
  })
}
