import { type AppContext, inTransaction } from '#server/context.ts'
import { appendLeaf, edgeTiles, type Frontier, rootOf } from './frontier.rules.ts'
import { raiseMark } from './high-water-mark.service.ts'
import { leafHashOf } from './leaves.rules.ts'
import {
  type CompleteTile,
  claimPending,
  findLastCheckpoint,
  findNewestKey,
  findV2From,
  hasPending,
  insertCheckpoint,
  insertLeaves,
  insertTiles,
  lockLog,
  readTile,
} from './log.repository.ts'
import { beginLog, signHead } from './log-keys.service.ts'

/** Between two checkpoints. */
export const CHECKPOINT_EVERY_MS = 60_000
const BATCH = 2_000

/**
 * Gives the seals that wait their leaves and signs a checkpoint over them, once a minute at most. All of it is one
 * transaction under one lock: a leaf without a checkpoint, two leaves for a seal or a gap cannot be.
 */
export async function growLog(ctx: AppContext): Promise<void> {
  if (!(await hasPending(ctx.db))) return
  const signed = await inTransaction(ctx, async (tx) => {
    await lockLog(tx.db)
    const last = await findLastCheckpoint(tx.db)
    const sinceMs = last ? tx.now().getTime() - last.signedAt.getTime() : Number.POSITIVE_INFINITY
    // A clock that was set back must not stop the log from growing.
    if (sinceMs >= 0 && sinceMs < CHECKPOINT_EVERY_MS) return undefined
    const size = last?.size ?? 0
    const frontier = await readFrontier(tx, size)
    const latest = await appendPending(tx, frontier)
    if (!latest) return undefined
    const head = { size: frontier.size, root: Buffer.from(rootOf(frontier)) }
    const signedAt = latestOf([tx.now(), latest, ...(last ? [last.signedAt] : [])])
    const dated = { signedAt: signedAt.toISOString(), v2From: await findV2From(tx.db) }
    const key = (await findNewestKey(tx.db)) ?? (await beginLog(tx, signedAt))
    const note = signHead(tx, key, head, dated)
    await insertCheckpoint(tx.db, { ...head, logKey: key.logKey, note, signedAt })
    return note
  })
  if (signed === undefined) return
  // The log is right without it: a disk that is full must not stop it.
  await raiseMark(ctx, signed).catch((error) =>
    ctx.log.error({ err: error }, 'the mark of the log was not raised'),
  )
}

/** A checkpoint is dated neither before the one before it nor before what it holds. */
function latestOf(instants: readonly Date[]): Date {
  return new Date(Math.max(...instants.map(Number)))
}

async function readFrontier({ db }: AppContext, size: number): Promise<Frontier> {
  const tiles: Uint8Array[][] = []
  for (const tile of edgeTiles(size)) tiles.push(tile.width === 0 ? [] : await readTile(db, tile))
  return { size, tiles }
}

/** Answers the latest date of what was appended; undefined when nothing waited. */
async function appendPending({ db }: AppContext, frontier: Frontier): Promise<Date | undefined> {
  let latest: Date | undefined
  for (;;) {
    const seals = await claimPending(db, BATCH)
    if (seals.length === 0) return latest
    latest = latestOf([...seals.map(({ sealedAt }) => sealedAt), ...(latest ? [latest] : [])])
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
