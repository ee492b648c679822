import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { Kysely, PostgresDialect, sql } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import type pg from 'pg'
import { StartError } from '#server/platform/start-error.ts'

export const MIGRATIONS_FOLDER = path.resolve(import.meta.dirname, '../../../migrations')

const FILE_NAME = /^\d{4}_[a-z0-9_]+\.sql$/

interface MigrationOptions {
  folder?: string
  /** The last one to apply; without it all are. */
  until?: string | undefined
  /** What a migration says of the rows it changed (`raise notice`). */
  onNotice?: (message: string) => void
}

/**
 * Applies the migrations up to the latest, or to `until`, in one transaction, and returns their names: a failed upgrade
 * leaves the database to the older program. Processes wait for each other. Refuses a database of a newer program.
 */
export async function migrate(
  pool: pg.Pool,
  { folder = MIGRATIONS_FOLDER, until, onNotice }: MigrationOptions = {},
): Promise<string[]> {
  const migrations = await readMigrations(folder)
  const client = await pool.connect()
  if (onNotice) client.on('notice', ({ message = '' }) => onNotice(message))
  try {
    // A large migration, or the wait for another process that runs one, may outlast the pool's limit.
    await client.query('set statement_timeout = 0')
    const db = migrationDatabase(client)
    await refuseNewerDatabase(db, migrations)
    const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } })
    const { error, results = [] } = await (until === undefined
      ? migrator.migrateToLatest()
      : migrator.migrateTo(until))
    if (error) {
      // Another process, of a newer version, may have migrated while this one waited.
      await refuseNewerDatabase(db, migrations)
      const name = results.find((result) => result.status === 'Error')?.migrationName
      throw new Error(name ? `Migration ${name} failed` : 'Migrations failed', { cause: error })
    }
    return results.map((result) => result.migrationName)
  } finally {
    client.release(true)
  }
}

/** The names of this program's migrations, in their order. */
export async function listKnownMigrations(): Promise<string[]> {
  return Object.keys(await readMigrations(MIGRATIONS_FOLDER))
}

async function readMigrations(folder: string): Promise<Record<string, Migration>> {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.sql')).sort()
  const migrations: Record<string, Migration> = {}
  for (const [index, file] of files.entries()) {
    if (!FILE_NAME.test(file)) throw new Error(`Migration ${file} is not named 0001_like_this.sql`)
    if (files[index + 1]?.startsWith(file.slice(0, 5))) {
      throw new Error(`Migrations ${file} and ${files[index + 1]} have the same number`)
    }
    const text = await readFile(path.join(folder, file), 'utf8')
    migrations[path.basename(file, '.sql')] = {
      up: async (db) => {
        await sql.raw(text).execute(db)
      },
    }
  }
  return migrations
}

/** Kysely on this one connection, which has no statement timeout. */
function migrationDatabase(client: pg.PoolClient): Kysely<unknown> {
  const connection = {
    query: client.query.bind(client) as never,
    release: () => {},
  }
  const pool = { connect: async () => connection, end: async () => {}, options: {} }
  return new Kysely({ dialect: new PostgresDialect({ pool }) })
}

async function refuseNewerDatabase(
  db: Kysely<unknown>,
  migrations: Record<string, Migration>,
): Promise<void> {
  const table = await sql<{ name: string | null }>`
    select to_regclass('kysely_migration')::text as name
  `.execute(db)
  if (!table.rows[0]?.name) return
  const applied = await sql<{ name: string }>`
    select name from kysely_migration order by name desc
  `.execute(db)
  const unknown = applied.rows.find((row) => !(row.name in migrations))
  if (unknown) {
    throw new StartError(
      `The database was written by a newer version of this program (it knows ${unknown.name}): start that version, or restore a backup.`,
    )
  }
}
