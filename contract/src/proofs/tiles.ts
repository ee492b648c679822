import { type Bytes, HASH_SIZE } from './bytes.ts'
import { hashNode } from './tree.ts'
import type { TreeNode } from './tree-paths.ts'

export const TILE_HEIGHT = 8
export const TILE_WIDTH = 2 ** TILE_HEIGHT
const MAX_TILE_LEVEL = 6

/** `width` hashes of a level of the tree, 256 when it is complete (C2SP tlog-tiles). */
export interface Tile {
  level: number
  index: number
  width: number
}

/** The tile a node is in, or under: its 2^height hashes from `offset` make the node. */
export function tileOf({ level, index }: TreeNode): {
  level: number
  index: number
  offset: number
  count: number
} {
  const tileLevel = Math.floor(level / TILE_HEIGHT)
  const count = 2 ** (level % TILE_HEIGHT)
  const first = index * count
  const tileIndex = Math.floor(first / TILE_WIDTH)
  return { level: tileLevel, index: tileIndex, offset: first - tileIndex * TILE_WIDTH, count }
}

/** How many hashes a tree of this size has in a tile: none, some, or all 256. */
export function widthIn(size: number, level: number, index: number): number {
  const hashes = Math.floor(size / 2 ** (TILE_HEIGHT * level))
  return Math.max(0, Math.min(TILE_WIDTH, hashes - index * TILE_WIDTH))
}

/** The hash over the hashes of a complete subtree; their number is a power of two. */
export function hashComplete(hashes: readonly Bytes[]): Bytes {
  let level = hashes
  while (level.length > 1) {
    const above: Bytes[] = []
    for (let at = 0; at + 1 < level.length; at += 2) {
      above.push(hashNode(level[at] as Bytes, level[at + 1] as Bytes))
    }
    level = above
  }
  return level[0] as Bytes
}

export function splitHashes(bytes: Bytes): Bytes[] {
  const hashes: Bytes[] = []
  for (let at = 0; at < bytes.length; at += HASH_SIZE)
    hashes.push(bytes.subarray(at, at + HASH_SIZE))
  return hashes
}

/** `1/x001/067.p/5`: three digits a folder, all but the last marked, and the width unless it is whole. */
export function tilePath({ level, index, width }: Tile): string {
  const digits = String(index)
  const groups = digits.padStart(Math.ceil(digits.length / 3) * 3, '0').match(/.{3}/g) ?? []
  const path = groups.map((group, at) => (at < groups.length - 1 ? `x${group}` : group)).join('/')
  return `${level}/${path}${width < TILE_WIDTH ? `.p/${width}` : ''}`
}

/** Undefined for any other spelling than the one of `tilePath`. */
export function parseTilePath(path: string): Tile | undefined {
  const parts = /^(\d{1,2})\/((?:x\d{3}\/)*\d{3})(?:\.p\/(\d{1,3}))?$/.exec(path)
  if (!parts) return undefined
  const [, level = '', groups = '', width = String(TILE_WIDTH)] = parts
  const index = Number(groups.replaceAll(/[x/]/g, ''))
  const tile = { level: Number(level), index, width: Number(width) }
  if (tile.level > MAX_TILE_LEVEL || !Number.isSafeInteger(index) || tile.width < 1)
    return undefined
  return tilePath(tile) === path ? tile : undefined
}
