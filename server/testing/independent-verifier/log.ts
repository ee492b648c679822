import { fromBase64, isInstant, sha256 } from './commitment.ts'
import { type Key, readCount, readKey, signedText } from './keys.ts'

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

export interface Head {
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

/** What two lines after the root say, where they stand. */
interface Dating {
  signed_at: string
  v2_from: number
}

export interface Checkpoint extends Head {
  origin: string
  dating: Dating | undefined
}

/** Undefined for a checkpoint that must be refused. */
export function openCheckpoint(note: string, vkey: string): Checkpoint | undefined {
  const key = readKey(vkey)
  const text = key && signedText(note, [key])
  return text === undefined ? undefined : readText(text, key as Key)
}

function readText(text: string, key: Key): Checkpoint | undefined {
  const [origin, count = '', encoded = '', ...others] = text.split('\n')
  const [size, root] = [readCount(count), fromBase64(encoded, 32)]
  if (origin !== key.origin || size === undefined || !root) return undefined
  const isDated = others.some((line) => /^(signed_at|v2_from) /.test(line))
  const dating = readDating(others)
  return isDated && !dating ? undefined : { origin, size, root, dating }
}

/** The two lines, only where they are the first and exactly these. */
function readDating([first = '', second = '', ...others]: string[]): Dating | undefined {
  if (others.some((line) => /^(signed_at|v2_from) /.test(line))) return undefined
  const signed_at = /^signed_at (.*)$/.exec(first)?.[1]
  const v2_from = readCount(/^v2_from (.*)$/.exec(second)?.[1] ?? '')
  return isInstant(signed_at) && v2_from !== undefined ? { signed_at, v2_from } : undefined
}
