import { sha256 } from '@noble/hashes/sha2.js'
import { concatBytes } from '@noble/hashes/utils.js'
import { type Bytes, HASH_SIZE, isSameBytes } from './bytes.ts'

const LEAF_PREFIX = Uint8Array.of(0)
/** A node on its way into its hash: one for all, since each is hashed at once. */
const NODE = Uint8Array.of(1, ...new Uint8Array(2 * HASH_SIZE))

/** RFC 6962 §2.1. */
export function hashLeaf(data: Bytes): Bytes {
  return sha256(concatBytes(LEAF_PREFIX, data))
}

export function hashNode(left: Bytes, right: Bytes): Bytes {
  if (left.length !== HASH_SIZE || right.length !== HASH_SIZE)
    return sha256(concatBytes(NODE.subarray(0, 1), left, right))
  NODE.set(left, 1)
  NODE.set(right, 1 + HASH_SIZE)
  return sha256(NODE)
}

export function hashEmptyTree(): Bytes {
  return sha256(new Uint8Array())
}

/** Two numbers that are halved together; sizes go beyond the 32 bits of the bit operators. */
function half(number: number): number {
  return Math.floor(number / 2)
}

function isOdd(number: number): boolean {
  return number % 2 === 1
}

export interface Inclusion {
  leafHash: Bytes
  index: number
  size: number
  path: readonly Bytes[]
  root: Bytes
}

/** Whether the tree of this size and root holds the leaf at this index (RFC 9162 §2.1.3.2). */
export function verifyInclusion({ leafHash, index, size, path, root }: Inclusion): boolean {
  if (index >= size) return false
  let first = index
  let last = size - 1
  let hash = leafHash
  for (const sibling of path) {
    if (last === 0) return false
    if (isOdd(first) || first === last) {
      hash = hashNode(sibling, hash)
      while (!isOdd(first) && first !== 0) [first, last] = [half(first), half(last)]
    } else {
      hash = hashNode(hash, sibling)
    }
    ;[first, last] = [half(first), half(last)]
  }
  return last === 0 && isSameBytes(hash, root)
}

export interface TreeHead {
  size: number
  root: Bytes
}

/** Whether the later tree begins with all of the earlier one, unchanged (RFC 9162 §2.1.4.2). */
export function verifyConsistency(
  earlier: TreeHead,
  later: TreeHead,
  path: readonly Bytes[],
): boolean {
  if (earlier.size > later.size) return false
  if (earlier.size === later.size) return path.length === 0 && isSameBytes(earlier.root, later.root)
  if (earlier.size === 0) return path.length === 0 && isSameBytes(earlier.root, hashEmptyTree())
  const [seed, ...siblings] = isPowerOfTwo(earlier.size) ? [earlier.root, ...path] : path
  if (!seed || path.length === 0) return false
  let first = earlier.size - 1
  let last = later.size - 1
  while (isOdd(first)) [first, last] = [half(first), half(last)]
  let earlierHash = seed
  let laterHash = seed
  for (const sibling of siblings) {
    if (last === 0) return false
    if (isOdd(first) || first === last) {
      earlierHash = hashNode(sibling, earlierHash)
      laterHash = hashNode(sibling, laterHash)
      while (!isOdd(first) && first !== 0) [first, last] = [half(first), half(last)]
    } else {
      laterHash = hashNode(laterHash, sibling)
    }
    ;[first, last] = [half(first), half(last)]
  }
  return last === 0 && isSameBytes(earlierHash, earlier.root) && isSameBytes(laterHash, later.root)
}

function isPowerOfTwo(number: number): boolean {
  return Number.isInteger(Math.log2(number))
}
