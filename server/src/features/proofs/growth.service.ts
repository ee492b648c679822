import { leafOf } from '#contract/proofs/commitment.ts'
import { hashLeaf } from '#contract/proofs/tree.ts'
import { type AppContext, inTransaction } from '#server/context.ts'
import { appendLeaf, edgeTiles, type Frontier, rootOf } from './frontier.rules.ts'
import {
  type CompleteTile,
  findLastCheckpoint,
  hasPending,
  insertCheckpoint,
  insertLeaves,
  insertTiles,
  lockLog,
  readTile,
  type SealRow,
  takePending,
} from './log.repository.ts'
import { keyTextOf, signHead } from './log-key.service.ts'

/** Between two checkpoints. */
export const CHECKPOINT_EVERY_MS = 60_000
const BATCH = 2_000

/**
 * Gives the seals that wait their leaves and signs a checkpoint over them, once a minute at most. All of it is one
 * transaction under one lock: a leaf without a checkpoint, two leaves for a seal or a gap cannot be.
 */
export async function growLog(ctx: AppContext): Promise<void> {
  if (!(await hasPending(ctx.db))) return
  await inTransaction(ctx, async (tx) => {
    await lockLog(tx.db)
    const last = await findLastCheckpoint(tx.db)
    const sinceMs = last ? tx.now().getTime() - last.signedAt.getTime() : Number.POSITIVE_INFINITY
    // A clock that was set back must not keep the log from growing.
    if (sinceMs >= 0 && sinceMs < CHECKPOINT_EVERY_MS) return
    const size = last?.size ?? 0
    const frontier = await readFrontier(tx, size)
    await appendPending(tx, frontier)
    if (frontier.size === size) return
    const head = { size: frontier.size, root: Buffer.from(rootOf(frontier)) }
    const logKey = keyTextOf(tx, last?.logKey)
    const note = signHead(tx, logKey, head)
    await insertCheckpoint(tx.db, { ...head, logKey, note, signedAt: tx.now() })
  })
}

async function readFrontier({ db }: AppContext, size: number): Promise<Frontier> {
  const tiles: Uint8Array[][] = []
  for (const tile of edgeTiles(size)) tiles.push(tile.width === 0 ? [] : await readTile(db, tile))
  return { size, tiles }
}

async function appendPending({ db }: AppContext, frontier: Frontier): Promise<void> {
  for (;;) {
    const seals = await takePending(db, BATCH)
    if (seals.length === 0) return
    const firstIndex = frontier.size
    const leaves = seals.map((seal) => ({ position: seal.position, hash: leafHashOf(seal) }))
    const full = leaves.flatMap(({ hash }) => appendLeaf(frontier, hash))
    await insertLeaves(db, firstIndex, leaves)
    await insertTiles(
      db,
      full.map(
        ({ level, index, hashes, root }): CompleteTile => ({
          level,
          index,
          hashes: Buffer.concat(hashes),
          root: Buffer.from(root),
        }),
      ),
    )
  }
}

export function leafHashOf({ kind, version, commitment, sealedAt }: SealRow): Buffer {
  const leaf = leafOf({ kind, version, commitment, sealedAt: sealedAt.toISOString() })
  return Buffer.from(hashLeaf(leaf))
}
