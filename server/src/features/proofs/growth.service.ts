import {
  formatLogKey,
  logKeyOf,
  openCheckpoint,
  parseLogKey,
  signCheckpoint,
} from '#contract/proofs/checkpoint.ts'
import { leafOf } from '#contract/proofs/commitment.ts'
import { publicKeyOf } from '#contract/proofs/signature.ts'
import { hashLeaf, type TreeHead } from '#contract/proofs/tree.ts'
import { type AppContext, inTransaction } from '#server/context.ts'
import { StartError } from '#server/platform/start-error.ts'
import { appendLeaf, edgeTiles, type Frontier, rootOf } from './frontier.rules.ts'
import { raiseMark } from './high-water-mark.service.ts'
import {
  type CompleteTile,
  claimPending,
  findLastCheckpoint,
  hasPending,
  insertCheckpoint,
  insertLeaves,
  insertTiles,
  lockLog,
  readTile,
  type SealRow,
} from './log.repository.ts'

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
    await appendPending(tx, frontier)
    if (frontier.size === size) return undefined
    const head = { size: frontier.size, root: Buffer.from(rootOf(frontier)) }
    const logKey = keyTextOf(tx, last?.logKey)
    const note = signHead(tx, logKey, head)
    await insertCheckpoint(tx.db, { ...head, logKey, note, signedAt: tx.now() })
    return note
  })
  if (signed === undefined) return
  // The log is right without it: a disk that is full must not stop it.
  await raiseMark(ctx, signed).catch((error) =>
    ctx.log.error({ err: error }, 'the mark of the log was not raised'),
  )
}

async function readFrontier({ db }: AppContext, size: number): Promise<Frontier> {
  const tiles: Uint8Array[][] = []
  for (const tile of edgeTiles(size)) tiles.push(tile.width === 0 ? [] : await readTile(db, tile))
  return { size, tiles }
}

async function appendPending({ db }: AppContext, frontier: Frontier): Promise<void> {
  for (;;) {
    const seals = await claimPending(db, BATCH)
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

type Signer = Pick<AppContext, 'keyring' | 'config'>

/** From the master key, so that all machines and a restore sign alike. */
function seedOf({ keyring }: Pick<Signer, 'keyring'>): Uint8Array {
  return keyring.secretFor('proof-log/ed25519')
}

/** The name of a log that begins now; it stays the same when PUBLIC_URL changes. */
function newOrigin({ config }: Pick<Signer, 'config'>): string {
  return `${new URL(config.http.publicUrl).host}/journal`
}

/** The public key as text: of the existing log, or of the one that begins. */
function keyTextOf(ctx: Signer, known: string | undefined): string {
  const origin = (known === undefined ? undefined : parseLogKey(known)?.name) ?? newOrigin(ctx)
  return formatLogKey(logKeyOf(origin, publicKeyOf(seedOf(ctx))))
}

function signHead(ctx: Signer, logKey: string, head: TreeHead): string {
  const origin = parseLogKey(logKey)?.name
  if (origin === undefined) throw new Error('The key of the log cannot be read')
  return signCheckpoint(seedOf(ctx), { ...head, origin, dated: undefined })
}

/** Refuses to go on with a log that another key signed: nobody could tell its continuation from a forgery. */
export async function requireOwnLog(ctx: AppContext): Promise<void> {
  const last = await findLastCheckpoint(ctx.db)
  if (!last) return
  const key = parseLogKey(last.logKey)
  const isOwn = key && keyTextOf(ctx, last.logKey) === last.logKey && openCheckpoint(last.note, key)
  if (isOwn) return
  throw new StartError(
    'The last checkpoint of the log in this database was not signed with its master key: put the right key or the right database back.',
  )
}
