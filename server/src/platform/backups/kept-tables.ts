import type pg from 'pg'

/** A table as a backup keeps it. */
export interface KeptTable {
  schema: string
  name: string
  /** Those that hold something of their own: what PostgreSQL generates follows. */
  columns: string[]
}

type Client = Pick<pg.ClientBase, 'query'>

const SCHEMAS = ['public', 'pgboss']

/** Every other table is kept: one that a migration adds is in the next backup without anybody thinking of it. */
export const LEFT_OUT: Readonly<Record<string, string>> = {
  'public.kysely_migration': 'made again by the migrations, which the manifest names',
  'public.kysely_migration_lock': 'made again by the migrations',
  'public.rate_counts': 'calls of the last minutes; unlogged, so that a crash forgets it too',
  'public.password_tries':
    'tries of passwords in the last minutes; unlogged, so that a crash forgets it too',
  'public.leases': 'which process is at work at this moment',
  'pgboss.version': 'made again by the queue, with the moments of its own upkeep',
  'pgboss.bam': 'the queue’s changes to its own tables, made again with them',
  'pgboss.job_dependency': 'no job waits for another here',
  'pgboss.queue_stats': 'figures of the last days, for a dashboard',
  'pgboss.schedule': 'the queue’s own schedules, which are not used',
  'pgboss.subscription': 'the queue’s own events, which are not used',
  'pgboss.warning': 'what the queue warned of, for a dashboard',
}

/** A job that is over is remembered for a day and means nothing any more. */
const KEPT_ROWS: Readonly<Record<string, string>> = {
  'pgboss.job': `where state < 'completed'`,
}

/** The tables to keep, each after those its rows refer to. */
export async function listKeptTables(client: Client): Promise<KeptTable[]> {
  const { rows } = await client.query<KeptTable & { refersTo: string[] }>(
    `select nspname as schema, relname as name,
       array(
         select attname::text from pg_attribute
         where attrelid = c.oid and attnum > 0 and not attisdropped and attgenerated = ''
         order by attnum
       ) as columns,
       array(
         select r.relnamespace::regnamespace || '.' || r.relname
         from pg_constraint join pg_class r on r.oid = confrelid
         where contype = 'f' and conrelid = c.oid and confrelid <> c.oid
       ) as "refersTo"
     from pg_class c join pg_namespace n on n.oid = relnamespace
     where relkind in ('r', 'p') and not relispartition and nspname = any($1)
     order by nspname, relname`,
    [SCHEMAS],
  )
  const kept = rows.filter((table) => !(nameOf(table) in LEFT_OUT))
  return inOrder(kept).map(({ schema, name, columns }) => ({ schema, name, columns }))
}

function inOrder<T extends KeptTable & { refersTo: string[] }>(tables: readonly T[]): T[] {
  const ordered: T[] = []
  const placed = new Set<string>()
  let waiting = [...tables]
  while (waiting.length > 0) {
    const names = new Set(waiting.map(nameOf))
    const next = waiting.filter((table) => !table.refersTo.some((other) => names.has(other)))
    if (next.length === 0) throw new Error(`Tables refer to each other: ${[...names].join(', ')}`)
    for (const table of next) {
      ordered.push(table)
      placed.add(nameOf(table))
    }
    waiting = waiting.filter((table) => !placed.has(nameOf(table)))
  }
  return ordered
}

export function nameOf({ schema, name }: { schema: string; name: string }): string {
  return `${schema}.${name}`
}

/** `"id", "name"`: a column may have the name of a keyword. */
function columnsOf({ columns }: KeptTable): string {
  return columns.map((column) => `"${column}"`).join(', ')
}

export function copyOut(table: KeptTable): string {
  const rows = KEPT_ROWS[nameOf(table)] ?? ''
  return `copy (select ${columnsOf(table)} from ${nameOf(table)} ${rows}) to stdout`
}

export function copyIn(table: KeptTable): string {
  return `copy ${nameOf(table)} (${columnsOf(table)}) from stdin`
}

/** Where each sequence stands, as text: some are larger than what JSON holds exactly. */
export async function listSequences(client: Client) {
  const { rows } = await client.query<{ schema: string; name: string; value: string }>(
    `select schemaname as schema, sequencename as name, last_value::text as value
     from pg_sequences where schemaname = any($1) and last_value is not null
     order by schemaname, sequencename`,
    [SCHEMAS],
  )
  return rows
}

/** What this database holds already, if anything. */
export async function findAnyTable(client: Client): Promise<string | undefined> {
  const { rows } = await client.query<{ name: string }>(
    `select schemaname || '.' || tablename as name from pg_tables
     where schemaname = any($1) order by schemaname desc, tablename limit 1`,
    [SCHEMAS],
  )
  return rows[0]?.name
}
