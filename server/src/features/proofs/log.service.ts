import { base64Of } from '#contract/proofs/bytes.ts'
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
  findCovering,
  findLastCheckpoint,
  type LoggedSeal,
  listKeys,
  listLoggedSeals,
  readLeaves,
  readTile,
} from './log.repository.ts'
import { originOf } from './log-keys.rules.ts'

export type { CheckpointRow }

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

interface LogKeys {
  origin: string
  key: string
  statement: string | null
  /** Those of all keys, the newest last. */
  statements: string[]
}

/** What a verifier has to carry to believe this log and no other, and what leads there from a former key. */
export async function getLogKeys(ctx: Reader): Promise<LogKeys> {
  const keys = await listKeys(ctx.db)
  const newest = keys.at(-1)
  if (!newest) throw notFound()
  const { logKey, statement } = newest
  const statements = keys.flatMap((one) => one.statement ?? [])
  return { origin: originOf(logKey), key: logKey, statement, statements }
}

/** The root of the log as it was at a size that it has reached. */
export async function rootAt(ctx: Reader, size: number): Promise<Buffer> {
  const [[root] = []] = await hashRanges(ctx, size, [[wholeTree(size)]])
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
  return { leafHash, hashes: (await hashRanges(ctx, size, [inclusionRanges(leaf, size)]))[0] ?? [] }
}

export async function proveConsistency(ctx: Reader, from: number, to: number): Promise<string[]> {
  const last = await requireCheckpoint(ctx)
  if (from > to || to > last.size) throw notFound()
  return (await hashRanges(ctx, to, [consistencyRanges(from, to)]))[0] ?? []
}

export async function getTile(ctx: Reader, tile: Tile): Promise<Buffer> {
  const last = await requireCheckpoint(ctx)
  if (tile.width > widthIn(last.size, tile.level, tile.index)) throw notFound()
  return Buffer.concat(await readTile(ctx.db, tile))
}

/** A seal with its place in the log, and what proves it for one checkpoint; both null until it has one. */
export interface ProvedSeal extends Omit<LoggedSeal, 'leafIndex'> {
  index: number | null
  inclusion: string[] | null
}

/** That the tree of an earlier size is the beginning of that of a checkpoint. */
interface ProvedSize {
  from: number
  hashes: string[]
}

/** What leads to a checkpoint from those of these sizes that are smaller. */
export async function proveSizes(
  ctx: Reader,
  sizes: readonly number[],
  checkpoint: CheckpointRow | undefined,
): Promise<ProvedSize[]> {
  const size = checkpoint?.size ?? 0
  const earlier = sizes.filter((from) => from < size)
  const paths = await hashRanges(
    ctx,
    size,
    earlier.map((from) => consistencyRanges(from, size)),
  )
  return earlier.map((from, at) => ({ from, hashes: paths[at] ?? [] }))
}

/** The seals of a revelation with their places in the log, for one checkpoint. */
export async function proveSeals(
  ctx: Reader,
  revelationId: string,
): Promise<{ checkpoint: CheckpointRow | undefined; seals: ProvedSeal[] }> {
  // The seals first: every leaf they have is covered by a checkpoint that was signed by then.
  const seals = await listLoggedSeals(ctx.db, [revelationId])
  const checkpoint = await lastCheckpoint(ctx)
  // A withdrawn revelation is shown to nobody.
  if (seals.length === 0 || seals.some(({ kind }) => kind === 'delete')) throw notFound()
  return { checkpoint, seals: await proveAll(ctx, seals, checkpoint) }
}

/**
 * The seals of a revelation up to its last version, for the first checkpoint that covers them; no checkpoint as long as the log
 * does not hold that version.
 */
export async function proveLastVersion(
  ctx: Reader,
  revelationId: string,
): Promise<{ checkpoint: CheckpointRow | undefined; seals: ProvedSeal[] }> {
  const all = await listLoggedSeals(ctx.db, [revelationId])
  if (all.length === 0 || all.some(({ kind }) => kind === 'delete')) throw notFound()
  const seals = all.slice(0, all.findLastIndex(({ kind }) => kind !== 'change') + 1)
  const leafIndex = seals.at(-1)?.leafIndex ?? null
  const checkpoint = leafIndex === null ? undefined : await findCovering(ctx.db, leafIndex)
  return { checkpoint, seals: await proveAll(ctx, seals, checkpoint) }
}

/**
 * The same of many revelations for one checkpoint, by their ids: without those that are gone, and without a place for what came to
 * the log since.
 */
export async function proveSealsOfMany(
  ctx: Reader,
  revelationIds: readonly string[],
  checkpoint: CheckpointRow | undefined,
): Promise<Map<string, ProvedSeal[]>> {
  const seals = await listLoggedSeals(ctx.db, revelationIds)
  const proved = await proveAll(ctx, seals, checkpoint)
  const ofEach = Map.groupBy(proved, ({ revelationId }) => revelationId)
  for (const [id, own] of ofEach) {
    if (own.some(({ kind }) => kind === 'delete')) ofEach.delete(id)
  }
  return ofEach
}

/** All of them with few reads: neighbours share most of their tiles. */
async function proveAll(
  ctx: Reader,
  seals: readonly LoggedSeal[],
  checkpoint: CheckpointRow | undefined,
): Promise<ProvedSeal[]> {
  const size = checkpoint?.size ?? 0
  const isLogged = ({ leafIndex }: LoggedSeal) => leafIndex !== null && leafIndex < size
  const logged = seals.filter(isLogged)
  const ranges = logged.map(({ leafIndex }) => inclusionRanges(leafIndex ?? 0, size))
  const paths = await hashRanges(ctx, size, ranges)
  return seals.map((seal) => {
    const { leafIndex, ...rest } = seal
    const inclusion = isLogged(seal) ? (paths[logged.indexOf(seal)] ?? null) : null
    return { ...rest, index: inclusion && leafIndex, inclusion }
  })
}

/** The hashes of lists of ranges of a tree, in base64, from the few tiles that they are in. */
async function hashRanges(
  { db }: Reader,
  size: number,
  lists: readonly Range[][],
): Promise<string[][]> {
  const tiles = new Map<string, Tile>()
  for (const node of lists.flat().flatMap(nodesOf)) {
    const { level, index } = tileOf(node)
    const tile = { level, index, width: widthIn(size, level, index) }
    tiles.set(tilePath(tile), tile)
  }
  const hashes = new Map<string, Buffer[]>()
  for (const tile of tiles.values()) {
    hashes.set(`${tile.level}/${tile.index}`, await readTile(db, tile))
  }
  const hashOf = (range: Range) =>
    hashRange(range, (node) => {
      const { level, index, offset, count } = tileOf(node)
      const within = hashes.get(`${level}/${index}`) ?? []
      return hashComplete(within.slice(offset, offset + count))
    })
  return lists.map((ranges) => ranges.map((range) => base64Of(hashOf(range))))
}
