import { cp, mkdtemp } from 'node:fs/promises'
import path from 'node:path'
import { type Kysely, sql } from 'kysely'
import type { Db } from '#server/platform/database/db.ts'
import type { TestApp } from '#testing/test-server.ts'

export interface Snapshot {
  /** A copy of the stored files. */
  files: string
  /** Restores every table. */
  restore(): Promise<void>
}

const COPY = 'snapshot'
const GROWING = ['seals', 'log_leaves', 'log_tiles', 'log_checkpoints']

/** Copies the rows of every table and the stored files, so that each trace starts from the same point. */
export async function createSnapshot({ ctx }: TestApp): Promise<Snapshot> {
  const db = ctx.db.withoutPlugins()
  const tables = await listTables(db)
  await sql`create schema ${sql.id(COPY)}`.execute(db)
  for (const table of tables) {
    await sql`create table ${sql.table(`${COPY}.${table}`)} as table ${sql.table(table)}`.execute(
      db,
    )
  }
  // Inside DATA_DIR, so that it goes when the server closes.
  const files = await mkdtemp(path.join(ctx.config.dataDir, 'snapshot-'))
  await cp(path.join(ctx.config.dataDir, 'files'), files, { recursive: true })
  const columnsOf = await listWrittenColumns(db)
  const all = sql.join(tables.map((table) => sql.table(table)))
  return {
    files,
    async restore() {
      await db.transaction().execute(async (tx) => {
        // Tables that only grow are restored too; the rows of their triggers are among the copies.
        for (const table of GROWING) await switchTriggers(tx, table, 'disable')
        await sql`truncate ${all} restart identity`.execute(tx)
        await sql`delete from pgboss.job`.execute(tx)
        for (const table of tables) {
          const copy = sql.table(`${COPY}.${table}`)
          const columns = sql.join((columnsOf.get(table) ?? []).map((column) => sql.id(column)))
          await sql`
            insert into ${sql.table(table)} (${columns}) overriding system value
            select ${columns} from ${copy}`.execute(tx)
        }
        for (const table of GROWING) await switchTriggers(tx, table, 'enable')
      })
    },
  }
}

async function switchTriggers(db: Db, table: string, to: 'enable' | 'disable') {
  await sql`alter table ${sql.table(table)} ${sql.raw(to)} trigger user`.execute(db)
}

/** The columns of each table, without generated ones. */
async function listWrittenColumns<T>(db: Kysely<T>): Promise<Map<string, string[]>> {
  const { rows } = await sql<{ name: string; columns: string[] }>`
    select table_name as name, array_agg(column_name::text) as columns
    from information_schema.columns
    where table_schema = 'public' and is_generated = 'NEVER'
    group by table_name`.execute(db)
  return new Map(rows.map(({ name, columns }) => [name, columns]))
}

/** Every table of the product, each after those it refers to. */
async function listTables<T>(db: Kysely<T>): Promise<string[]> {
  const { rows } = await sql<{ name: string; parents: string[] }>`
    select c.relname as name, array(
      select p.relname::text from pg_constraint f join pg_class p on p.oid = f.confrelid
      where f.conrelid = c.oid and f.contype = 'f' and p.oid <> c.oid
    ) as parents
    from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
      and c.relname not in ('kysely_migration', 'kysely_migration_lock')
    order by c.relname
  `.execute(db)
  const placed = new Set<string>()
  while (placed.size < rows.length) {
    const next = rows.find(
      ({ name, parents }) => !placed.has(name) && parents.every((parent) => placed.has(parent)),
    )
    if (!next) throw new Error('Tables refer to each other in a circle')
    placed.add(next.name)
  }
  return [...placed]
}
