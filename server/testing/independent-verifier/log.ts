import { createPublicKey, type KeyObject, verify } from 'node:crypto'
import { fromBase64, sha256 } from './commitment.ts'

const EMPTY = sha256()

function node(left: Uint8Array, right: Uint8Array): Buffer {
  return sha256(Buffer.of(1), left, right)
}

function splitOf(count: number): number {
  let split = 1
  while (split * 2 < count) split *= 2
  return split
}

export function rootOf(leaves: Buffer[]): Buffer {
  if (leaves.length === 0) return EMPTY
  const [only] = leaves
  if (leaves.length === 1 && only) return only
  const split = splitOf(leaves.length)
  return node(rootOf(leaves.slice(0, split)), rootOf(leaves.slice(split)))
}

/** RFC 6962 §2.1.1 */
export function inclusionOf(index: number, leaves: Buffer[]): Buffer[] {
  if (leaves.length <= 1) return []
  const split = splitOf(leaves.length)
  const [left, right] = [leaves.slice(0, split), leaves.slice(split)]
  return index < split
    ? [...inclusionOf(index, left), rootOf(right)]
    : [...inclusionOf(index - split, right), rootOf(left)]
}

/** RFC 6962 §2.1.2 */
export function consistencyOf(from: number, leaves: Buffer[], isWhole = true): Buffer[] {
  if (from === leaves.length) return isWhole ? [] : [rootOf(leaves)]
  const split = splitOf(leaves.length)
  const [left, right] = [leaves.slice(0, split), leaves.slice(split)]
  return from <= split
    ? [...consistencyOf(from, left, isWhole), rootOf(right)]
    : [...consistencyOf(from - split, right, false), rootOf(left)]
}

const isOdd = (value: number) => value % 2 === 1
const half = (value: number) => Math.floor(value / 2)

export function isIncluded(
  leaf: Buffer,
  index: number,
  size: number,
  path: Buffer[],
  root: Buffer,
): boolean {
  if (index >= size) return false
  let [fn, sn, r] = [index, size - 1, leaf]
  for (const p of path) {
    if (sn === 0) return false
    if (isOdd(fn) || fn === sn) {
      r = node(p, r)
      while (!isOdd(fn) && fn !== 0) [fn, sn] = [half(fn), half(sn)]
    } else {
      r = node(r, p)
    }
    ;[fn, sn] = [half(fn), half(sn)]
  }
  return sn === 0 && r.equals(root)
}

interface Head {
  size: number
  root: Buffer
}

export function isConsistent(earlier: Head, later: Head, path: Buffer[]): boolean {
  if (earlier.size > later.size) return false
  if (earlier.size === later.size) return path.length === 0 && earlier.root.equals(later.root)
  if (earlier.size === 0) return path.length === 0 && earlier.root.equals(EMPTY)
  if (path.length === 0) return false
  const isPowerOfTwo = splitOf(earlier.size * 2) === earlier.size
  const [first, ...others] = isPowerOfTwo ? [earlier.root, ...path] : path
  if (!first) return false
  let [fn, sn] = [earlier.size - 1, later.size - 1]
  while (isOdd(fn)) [fn, sn] = [half(fn), half(sn)]
  let [fr, sr] = [first, first]
  for (const c of others) {
    if (sn === 0) return false
    if (isOdd(fn) || fn === sn) {
      ;[fr, sr] = [node(c, fr), node(c, sr)]
      while (!isOdd(fn) && fn !== 0) [fn, sn] = [half(fn), half(sn)]
    } else {
      sr = node(sr, c)
    }
    ;[fn, sn] = [half(fn), half(sn)]
  }
  return sn === 0 && fr.equals(earlier.root) && sr.equals(later.root)
}

interface Tile {
  level: number
  index: number
  width: number
}

/** `1/x001/x234/067.p/8`; undefined for an address that must be refused. */
export function readTilePath(path: string): Tile | undefined {
  const [, level = '', groups = '', width] =
    /^(0|[1-9]\d*)\/((?:x\d{3}\/)*\d{3})(?:\.p\/([1-9]\d{0,2}))?$/.exec(path) ?? []
  if (level === '' || groups === '') return undefined
  const tile = {
    level: Number(level),
    index: Number(groups.replaceAll(/[x/]/g, '')),
    width: width === undefined ? 256 : Number(width),
  }
  if (tile.level > 6 || groups.startsWith('x000')) return undefined
  if (width !== undefined && tile.width > 255) return undefined
  return tile
}

const PRIME = 2n ** 255n - 19n
/** The y of the points that eight times themselves make nothing, little endian. */
const SMALL_ORDER = [
  '00'.repeat(32),
  `01${'00'.repeat(31)}`,
  `ec${'ff'.repeat(30)}7f`,
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
]

interface Key {
  origin: string
  id: Buffer
  publicKey: KeyObject
}

export interface Checkpoint {
  origin: string
  size: number
  root: Buffer
}

/** Undefined for a key that must be refused. */
function readKey(vkey: string): Key | undefined {
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

/** Undefined for a checkpoint that must be refused. */
export function openCheckpoint(note: string, vkey: string): Checkpoint | undefined {
  const key = readKey(vkey)
  if (!key) return undefined
  const text = signedText(note, key)
  return text === undefined ? undefined : readText(text, key)
}

function signedText(note: string, key: Key): string | undefined {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a note must not contain these
  if (!note.endsWith('\n') || /[\u0000-\u0009\u000b-\u001f\ufffd]/.test(note)) return undefined
  const division = note.lastIndexOf('\n\n')
  if (division === -1) return undefined
  const text = note.slice(0, division + 1)
  const lines = note.slice(division + 2, -1).split('\n')
  if (!lines.every((line) => line.startsWith('— '))) return undefined
  return lines.some((line) => isSignature(line.slice(2), text, key)) ? text : undefined
}

function isSignature(line: string, text: string, key: Key): boolean {
  const [name, encoded = '', ...more] = line.split(' ')
  const bytes = fromBase64(encoded, 68)
  if (more.length > 0 || name !== key.origin || !bytes?.subarray(0, 4).equals(key.id)) return false
  return verify(null, Buffer.from(text), key.publicKey, bytes.subarray(4))
}

function readText(text: string, key: Key): Checkpoint | undefined {
  const [origin, count = '', encoded = ''] = text.split('\n')
  const root = fromBase64(encoded, 32)
  if (origin !== key.origin || !/^(0|[1-9]\d*)$/.test(count) || !root) return undefined
  const size = Number(count)
  return Number.isSafeInteger(size) ? { origin, size, root } : undefined
}
