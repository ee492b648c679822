import { createPublicKey, type KeyObject, verify } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { fromBase64, isInstant, sha256 } from './commitment.ts'

const PRIME = 2n ** 255n - 19n
/** The y of the points that eight times themselves make nothing, little endian. */
const SMALL_ORDER = [
  '00'.repeat(32),
  `01${'00'.repeat(31)}`,
  `ec${'ff'.repeat(30)}7f`,
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
]

export interface Key {
  origin: string
  id: Buffer
  publicKey: KeyObject
}

/** Undefined for a key that must be refused. */
export function readKey(vkey: string): Key | undefined {
  const [, origin, id, encoded] = /^([^+\s]+)\+([0-9a-f]{8})\+(.*)$/.exec(vkey) ?? []
  const bytes = encoded === undefined ? undefined : fromBase64(encoded, 33)
  if (origin === undefined || id === undefined || bytes?.[0] !== 1) return undefined
  const expected = sha256(Buffer.from(origin), Buffer.of(0x0a), bytes).subarray(0, 4)
  if (expected.toString('hex') !== id || !isUsable(bytes.subarray(1))) return undefined
  const x = bytes.subarray(1).toString('base64url')
  const publicKey = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
  return { origin, id: expected, publicKey }
}

function isUsable(publicKey: Buffer): boolean {
  const y = Buffer.from(publicKey)
  y.writeUInt8(y.readUInt8(31) & 0x7f, 31)
  const isCanonical = BigInt(`0x${Buffer.from(y.toReversed()).toString('hex')}`) < PRIME
  return isCanonical && !SMALL_ORDER.includes(y.toString('hex'))
}

/** `10`, and no other spelling of it. */
export function readCount(text: string): number | undefined {
  const count = /^(0|[1-9]\d*)$/.test(text) ? Number(text) : undefined
  return Number.isSafeInteger(count) ? count : undefined
}

/** The text of a note that every one of these keys signed; undefined when it must be refused. */
export function signedText(note: string, keys: Key[]): string | undefined {
  if (!note.isWellFormed()) return undefined
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a note must not contain these
  if (!note.endsWith('\n') || /[\u0000-\u0009\u000b-\u001f\ufffd]/.test(note)) return undefined
  const division = note.lastIndexOf('\n\n')
  if (division === -1) return undefined
  const text = note.slice(0, division + 1)
  const lines = note.slice(division + 2, -1).split('\n')
  if (!lines.every((line) => line.startsWith('— '))) return undefined
  const isSigned = (key: Key) => lines.some((line) => isSignature(line.slice(2), text, key))
  return keys.every(isSigned) ? text : undefined
}

function isSignature(line: string, text: string, key: Key): boolean {
  const [name, encoded = '', ...more] = line.split(' ')
  const bytes = fromBase64(encoded, 68)
  if (more.length > 0 || name !== key.origin || !bytes?.subarray(0, 4).equals(key.id)) return false
  return verify(null, Buffer.from(text), key.publicKey, bytes.subarray(4))
}

export interface FormerKey {
  key: string
  size: number
  root: Buffer
  /** When it was replaced. */
  until: string
}

/** The keys that a log had before; undefined for a statement that must be refused. */
export function openStatement(note: string, vkey: string): FormerKey[] | undefined {
  const [domain, origin, latest, ...lines] = note.slice(0, note.lastIndexOf('\n\n')).split('\n')
  const former = lines.map(readFormer)
  const last = former.at(-1)
  const keys = [vkey, ...former.map((one) => one?.key ?? '')].map(readKey)
  if (!last || !former.every((one) => one !== undefined)) return undefined
  if (!keys.every((key) => key !== undefined && key.origin === origin)) return undefined
  const [signer, other] = [keys[0], keys.at(-1)]
  if (domain !== 'revelations.app/log-keys/v1' || latest !== `new ${vkey}`) return undefined
  if (!signer || !other || signedText(note, [signer, other]) === undefined) return undefined
  if (new Set([vkey, ...former.map(({ key }) => key)]).size !== keys.length) return undefined
  return former.every((one, at) => follows(one, former[at - 1])) ? former : undefined
}

/** Whether the statements lead from a key that somebody believes to the key that the log has now. */
export function leads(
  from: string,
  { key, statement, statements }: { key: string; statement: string; statements: string[] },
): boolean {
  let current = { key, former: openStatement(statement, key) }
  while (current.key !== from) {
    const former = current.former ?? []
    const before = former.at(-1)
    if (!before) return false
    if (before.key === from) return true
    const isSuccessor = (note: string) => note.split('\n')[2] === `new ${before.key}`
    const opened = openStatement(statements.find(isSuccessor) ?? '', before.key)
    if (!isDeepStrictEqual(opened, former.slice(0, -1))) return false
    current = { key: before.key, former: opened }
  }
  return true
}

function readFormer(line: string): FormerKey | undefined {
  const [word, key, count = '', encoded = '', until, ...more] = line.split(' ')
  const [size, root] = [readCount(count), fromBase64(encoded, 32)]
  if (word !== 'former' || key === undefined || more.length > 0) return undefined
  return size !== undefined && root && isInstant(until) ? { key, size, root, until } : undefined
}

function follows(one: FormerKey, before: FormerKey | undefined): boolean {
  if (!before) return true
  if (one.size < before.size || one.until < before.until) return false
  return one.size > before.size || one.root.equals(before.root)
}
