import { sql } from 'kysely'
import type { ProofField } from '#contract/proofs/proof.ts'
import { splitHashes, TILE_WIDTH, type Tile } from '#contract/proofs/tiles.ts'
import { createStatement, type Db, PREPARED } from '#server/platform/database/db.ts'
import type { SealRow } from './leaves.rules.ts'

export interface CheckpointRow {
  size: number
  root: Buffer
  logKey: string
  note: string
  signedAt: Date
}

export interface KeyRow {
  number: number
  logKey: string
  /** What it says of those before it, signed by it and by the last of them; null for the first. */
  statement: string | null
  beganAt: Date
}

export interface CompleteTile {
  level: number
  index: number
  hashes: Buffer
  root: Buffer
}

/** Whether any seal waits for its leaf; writes nothing. */
export async function hasPending(db: Db): Promise<boolean> {
  const row = await db.selectFrom('logPending').select('sealPosition').limit(1).executeTakeFirst()
  return row !== undefined
}

/** Nobody else grows the log until the transaction ends. */
export async function lockLog(db: Db): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('proof log', 0))`.execute(db)
}

export async function findLastCheckpoint(db: Db): Promise<CheckpointRow | undefined> {
  const [last] = await selectLastCheckpoint(db, {})
  return last
}

const selectLastCheckpoint = createStatement((db) =>
  db
    .selectFrom('logCheckpoints')
    .select(['size', 'root', 'logKey', 'note', 'signedAt'])
    .orderBy('size', 'desc')
    .limit(1)
    .modifyEnd(PREPARED),
)

/** The keys of the log, one after the other. */
export async function listKeys(db: Db): Promise<KeyRow[]> {
  return db.selectFrom('logKeys').selectAll().orderBy('number').execute()
}

/** The key that signs from now on; undefined before the first checkpoint. */
export async function findNewestKey(db: Db): Promise<KeyRow | undefined> {
  return db.selectFrom('logKeys').selectAll().orderBy('number', 'desc').limit(1).executeTakeFirst()
}

export async function insertKey(db: Db, key: KeyRow): Promise<void> {
  await db.insertInto('logKeys').values(key).execute()
}

export async function findCheckpoint(db: Db, size: number): Promise<CheckpointRow | undefined> {
  return db.selectFrom('logCheckpoints').selectAll().where('size', '=', size).executeTakeFirst()
}

/** The first checkpoint that covers a leaf. */
export async function findCovering(db: Db, leafIndex: number): Promise<CheckpointRow | undefined> {
  return db
    .selectFrom('logCheckpoints')
    .selectAll()
    .where('size', '>', leafIndex)
    .orderBy('size')
    .limit(1)
    .executeTakeFirst()
}

/** Claims seals that wait, in the order in which they were sealed. */
export async function claimPending(db: Db, limit: number): Promise<SealRow[]> {
  const { rows } = await sql<SealRow>`
    with claimed as (
      delete from log_pending where seal_position in (
        select seal_position from log_pending order by seal_position limit ${limit}
      ) returning seal_position
    )
    select position, format, kind, version, commitment, sealed_at, identity, former
    from seals join claimed on seal_position = position order by position`.execute(db)
  return rows
}

export async function insertLeaves(
  db: Db,
  firstIndex: number,
  leaves: readonly { position: number; hash: Buffer }[],
): Promise<void> {
  const positions = leaves.map(({ position }) => position)
  const hashes = leaves.map(({ hash }) => hash)
  await sql`
    insert into log_leaves (leaf_index, seal_position, hash)
    select ${firstIndex}::bigint + leaf.number - 1, leaf.position, leaf.hash
    from unnest(${positions}::bigint[], ${hashes}::bytea[]) with ordinality
      as leaf (position, hash, number)`.execute(db)
}

export async function insertTiles(db: Db, tiles: readonly CompleteTile[]): Promise<void> {
  if (tiles.length === 0) return
  const rows = tiles.map(({ index, ...tile }) => ({ ...tile, tileIndex: index }))
  await db.insertInto('logTiles').values(rows).execute()
}

export async function insertCheckpoint(db: Db, checkpoint: CheckpointRow): Promise<void> {
  await db.insertInto('logCheckpoints').values(checkpoint).execute()
}

/** The hashes of a tile that the log has, from its own row or from the leaves below. */
export async function readTile(db: Db, { level, index, width }: Tile): Promise<Buffer[]> {
  const found = width === TILE_WIDTH ? await readComplete(db, level, index) : []
  const hashes = found.length > 0 ? found : await readPartial(db, level, index, width)
  if (hashes.length !== width) throw new Error(`Tile ${level}/${index} lacks hashes`)
  return hashes
}

async function readComplete(db: Db, level: number, index: number): Promise<Buffer[]> {
  const row = await db
    .selectFrom('logTiles')
    .select('hashes')
    .where('level', '=', level)
    .where('tileIndex', '=', index)
    .executeTakeFirst()
  return row ? splitHashes(row.hashes).map((hash) => Buffer.from(hash)) : []
}

async function readPartial(db: Db, level: number, index: number, width: number): Promise<Buffer[]> {
  const first = index * TILE_WIDTH
  if (level === 0) return readLeaves(db, first, width)
  const rows = await db
    .selectFrom('logTiles')
    .select('root')
    .where('level', '=', level - 1)
    .where('tileIndex', '>=', first)
    .where('tileIndex', '<', first + width)
    .orderBy('tileIndex')
    .execute()
  return rows.map(({ root }) => root)
}

export async function readLeaves(db: Db, first: number, count: number): Promise<Buffer[]> {
  const rows = await db
    .selectFrom('logLeaves')
    .select('hash')
    .where('leafIndex', '>=', first)
    .where('leafIndex', '<', first + count)
    .orderBy('leafIndex')
    .execute()
  return rows.map(({ hash }) => hash)
}

export interface LoggedSeal extends SealRow {
  revelationId: string
  leafIndex: number | null
  /** What a viewer of the envelope is told of it; null in format 1. */
  fields: readonly ProofField[] | null
  /** Null while the revelation has seals of format 1 alone, and once it is gone. */
  blinding: Buffer | null
}

/** What was sealed of these revelations, in its order, with its places in the log. */
export async function listLoggedSeals(
  db: Db,
  revelationIds: readonly string[],
): Promise<LoggedSeal[]> {
  return db
    .selectFrom('seals')
    .leftJoin('logLeaves', 'logLeaves.sealPosition', 'seals.position')
    .leftJoin('sealFields', 'sealFields.sealPosition', 'seals.position')
    .leftJoin('revelations', 'revelations.id', 'seals.revelationId')
    .select(['position', 'format', 'seals.kind', 'seals.version', 'seals.commitment', 'sealedAt'])
    .select(['identity', 'former', 'seals.revelationId', 'leafIndex', 'fields'])
    .select('identityBlinding as blinding')
    .where('seals.revelationId', '=', sql<string>`any(${revelationIds}::uuid[])`)
    .orderBy('position')
    .$castTo<LoggedSeal>()
    .execute()
}

/** From which leaf on all are of format 2. */
export async function findV2From(db: Db): Promise<number> {
  const row = await db.selectFrom('logFormat').select('v2From').executeTakeFirst()
  return row?.v2From ?? 0
}

/** Seals that are neither in the log nor waiting for it. */
export async function countLostSeals(db: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from seals
    where not exists (select from log_leaves where seal_position = position)
      and not exists (select from log_pending where seal_position = position)`.execute(db)
  return rows[0]?.count ?? 0
}

export interface LeafRow extends SealRow {
  revelationId: string
  leafIndex: number
  hash: Buffer
}

/** Leaves in their order, each with the seal it was made of, a page at a time. */
export async function listLeaves(db: Db, from: number, limit: number): Promise<LeafRow[]> {
  return db
    .selectFrom('logLeaves')
    .innerJoin('seals', 'position', 'sealPosition')
    .select(['leafIndex', 'hash', 'position', 'format', 'kind', 'version', 'commitment'])
    .select(['sealedAt', 'identity', 'former', 'revelationId'])
    .where('leafIndex', '>=', from)
    .orderBy('leafIndex')
    .limit(limit)
    .$castTo<LeafRow>()
    .execute()
}

/** Checkpoints in the order of their sizes, a page at a time. */
export async function listCheckpoints(
  db: Db,
  above: number,
  limit: number,
): Promise<CheckpointRow[]> {
  return db
    .selectFrom('logCheckpoints')
    .selectAll()
    .where('size', '>', above)
    .orderBy('size')
    .limit(limit)
    .execute()
}
