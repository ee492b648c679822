import { base64Of } from '#contract/proofs/bytes.ts'
import { parseLogKey } from '#contract/proofs/checkpoint.ts'
import type { SealedVersion } from '#contract/proofs/proof.ts'
import { hashComplete, type Tile, tileOf, tilePath, widthIn } from '#contract/proofs/tiles.ts'
import {
  consistencyRanges,
  hashRange,
  inclusionRanges,
  nodesOf,
  type Range,
  wholeTree,
} from '#contract/proofs/tree-paths.ts'
import type { AppContext } from '#server/context.ts'
import { notFound } from '#server/errors.ts'
import {
  type CheckpointRow,
  findLastCheckpoint,
  listSeals,
  readLeaves,
  readTile,
} from './log.repository.ts'

type Reader = Pick<AppContext, 'db'>

/** What was signed last; undefined while the log is empty. */
export async function lastCheckpoint({ db }: Reader): Promise<CheckpointRow | undefined> {
  return findLastCheckpoint(db)
}

async function requireCheckpoint(ctx: Reader): Promise<CheckpointRow> {
  const last = await lastCheckpoint(ctx)
  if (!last) throw notFound()
  return last
}

export async function getCheckpoint(ctx: Reader): Promise<string> {
  return (await requireCheckpoint(ctx)).note
}

export async function getLogKey(ctx: Reader): Promise<string> {
  return (await requireCheckpoint(ctx)).logKey
}

/** What a verifier has to carry to believe this log and no other. */
export async function getLogKeys(
  ctx: Reader,
): Promise<{ origin: string; key: string; statement: string | null }> {
  const { logKey } = await requireCheckpoint(ctx)
  const origin = parseLogKey(logKey)?.name
  if (origin === undefined) throw new Error('The key of the log cannot be read')
  return { origin, key: logKey, statement: null }
}

/** The root of the log as it was at a size that it has reached. */
export async function rootAt(ctx: Reader, size: number): Promise<Buffer> {
  const [root] = await hashRanges(ctx, size, [wholeTree(size)])
  if (root === undefined) throw new Error(`The log has no root at ${size}`)
  return Buffer.from(root, 'base64')
}

/** The path from a leaf to the root of the tree of a size; nothing beyond the last checkpoint. */
export async function proveInclusion(
  ctx: Reader,
  leaf: number,
  size: number,
): Promise<{ leafHash: Buffer; hashes: string[] }> {
  const last = await requireCheckpoint(ctx)
  if (leaf >= size || size > last.size) throw notFound()
  const [leafHash] = await readLeaves(ctx.db, leaf, 1)
  if (!leafHash) throw notFound()
  return { leafHash, hashes: await hashRanges(ctx, size, inclusionRanges(leaf, size)) }
}

export async function proveConsistency(ctx: Reader, from: number, to: number): Promise<string[]> {
  const last = await requireCheckpoint(ctx)
  if (from > to || to > last.size) throw notFound()
  return hashRanges(ctx, to, consistencyRanges(from, to))
}

export async function getTile(ctx: Reader, tile: Tile): Promise<Buffer> {
  const last = await requireCheckpoint(ctx)
  if (tile.width > widthIn(last.size, tile.level, tile.index)) throw notFound()
  return Buffer.concat(await readTile(ctx.db, tile))
}

/** The versions of a revelation with their places in the log, for one checkpoint. */
export async function proveVersions(
  ctx: Reader,
  revelationId: string,
): Promise<{ checkpoint: CheckpointRow | undefined; versions: SealedVersion[] }> {
  // The seals first: every leaf they have is covered by a checkpoint that was signed by then.
  const seals = await listSeals(ctx.db, revelationId)
  const checkpoint = await lastCheckpoint(ctx)
  const versions: SealedVersion[] = []
  for (const { kind, version, sealedAt, commitment, leafIndex } of seals) {
    // A withdrawn revelation is shown to nobody.
    if (kind === 'delete') throw notFound()
    const isLogged = leafIndex !== null && checkpoint !== undefined
    versions.push({
      version,
      kind,
      sealed_at: sealedAt.toISOString(),
      commitment: commitment.toString('hex'),
      leaf: isLogged ? leafIndex : null,
      inclusion: isLogged
        ? await hashRanges(ctx, checkpoint.size, inclusionRanges(leafIndex, checkpoint.size))
        : null,
    })
  }
  if (versions.length === 0) throw notFound()
  return { checkpoint, versions }
}

/** The hashes of ranges of a tree, in base64, from the few tiles that they are in. */
async function hashRanges({ db }: Reader, size: number, ranges: Range[]): Promise<string[]> {
  const tiles = new Map<string, Tile>()
  for (const node of ranges.flatMap(nodesOf)) {
    const { level, index } = tileOf(node)
    const tile = { level, index, width: widthIn(size, level, index) }
    tiles.set(tilePath(tile), tile)
  }
  const hashes = new Map<string, Buffer[]>()
  for (const tile of tiles.values()) {
    hashes.set(`${tile.level}/${tile.index}`, await readTile(db, tile))
  }
  return ranges.map((range) =>
    base64Of(
      hashRange(range, (node) => {
        const { level, index, offset, count } = tileOf(node)
        const within = hashes.get(`${level}/${index}`) ?? []
        return hashComplete(within.slice(offset, offset + count))
      }),
    ),
  )
}
