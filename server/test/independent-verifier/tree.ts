import { sha256 } from './bytes.ts'

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
