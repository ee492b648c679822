import { hashComplete, TILE_WIDTH, type Tile, widthIn } from '#contract/proofs/tiles.ts'
import { hashEmptyTree, hashNode } from '#contract/proofs/tree.ts'
import { nodesOf } from '#contract/proofs/tree-paths.ts'

interface FullTile {
  level: number
  index: number
  hashes: Uint8Array[]
  root: Uint8Array
}

/** The right edge of the tree: of each level, the tile that is not complete yet. */
export interface Frontier {
  size: number
  tiles: Uint8Array[][]
}

/** The tiles of the edge, from the leaves up: what must be read to go on from a size. */
export function edgeTiles(size: number): Tile[] {
  const tiles: Tile[] = []
  for (let level = 0, hashes = size; hashes > 0; level += 1) {
    const index = Math.floor(hashes / TILE_WIDTH)
    tiles.push({ level, index, width: widthIn(size, level, index) })
    hashes = index
  }
  return tiles
}

/** Puts a leaf behind all others; answers the tiles that it completed. */
export function appendLeaf(frontier: Frontier, leafHash: Uint8Array): FullTile[] {
  const full: FullTile[] = []
  let hash = leafHash
  for (let level = 0; ; level += 1) {
    const hashes = frontier.tiles[level] ?? []
    frontier.tiles[level] = hashes
    hashes.push(hash)
    if (hashes.length < TILE_WIDTH) break
    const index = Math.floor(frontier.size / TILE_WIDTH ** (level + 1))
    hash = hashComplete(hashes)
    full.push({ level, index, hashes, root: hash })
    frontier.tiles[level] = []
  }
  frontier.size += 1
  return full
}

export function rootOf({ tiles }: Frontier): Uint8Array {
  const peaks = tiles.toReversed().flatMap((hashes) =>
    nodesOf({ start: 0, end: hashes.length }).map(({ level, index }) => {
      const start = index * 2 ** level
      return hashComplete(hashes.slice(start, start + 2 ** level))
    }),
  )
  if (peaks.length === 0) return hashEmptyTree()
  return peaks.reduceRight((right, left) => hashNode(left, right))
}
