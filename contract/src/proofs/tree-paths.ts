import type { Bytes } from './bytes.ts'
import { hashEmptyTree, hashNode } from './tree.ts'

/** Leaves from `start` up to, not including, `end`: always one that the splits of RFC 6962 make. */
export interface Range {
  start: number
  end: number
}

/** A complete subtree: the `index`-th of those over 2^level leaves. */
export interface TreeNode {
  level: number
  index: number
}

export function wholeTree(size: number): Range {
  return { start: 0, end: size }
}

/** What the hashes of an inclusion proof cover, from the leaf up (RFC 6962 §2.1.1). */
export function inclusionRanges(index: number, size: number): Range[] {
  const ranges: Range[] = []
  let { start, end } = wholeTree(size)
  while (end - start > 1) {
    const middle = start + splitOf(end - start)
    if (index < middle) {
      ranges.push({ start: middle, end })
      end = middle
    } else {
      ranges.push({ start, end: middle })
      start = middle
    }
  }
  return ranges.reverse()
}

/** What the hashes of a consistency proof cover (RFC 6962 §2.1.2). */
export function consistencyRanges(from: number, to: number): Range[] {
  if (from === 0 || from === to) return []
  const ranges: Range[] = []
  let { start, end } = wholeTree(to)
  while (from !== end) {
    const middle = start + splitOf(end - start)
    if (from <= middle) {
      ranges.push({ start: middle, end })
      end = middle
    } else {
      ranges.push({ start, end: middle })
      start = middle
    }
  }
  // A verifier knows the root of the earlier tree already.
  if (start > 0) ranges.push({ start, end })
  return ranges.reverse()
}

/** The complete subtrees that a range is made of, from the left. */
export function nodesOf({ start, end }: Range): TreeNode[] {
  const nodes: TreeNode[] = []
  for (let at = start; at < end; ) {
    const level = Math.floor(Math.log2(end - at))
    nodes.push({ level, index: at / 2 ** level })
    at += 2 ** level
  }
  return nodes
}

/** The hash of a range from those of its complete subtrees. */
export function hashRange(range: Range, hashOf: (node: TreeNode) => Bytes): Bytes {
  const hashes = nodesOf(range).map(hashOf)
  if (hashes.length === 0) return hashEmptyTree()
  return hashes.reduceRight((right, left) => hashNode(left, right))
}

/** The largest power of two below `size`. */
function splitOf(size: number): number {
  return 2 ** (Math.ceil(Math.log2(size)) - 1)
}
