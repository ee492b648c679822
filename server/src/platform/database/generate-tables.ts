// As a program, this file writes tables.ts from a database with all migrations; `migrations.test.ts` compares them.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { generate, PostgresDialect } from 'kysely-codegen'
import { openDatabase } from './database.ts'
import type { Db } from './db.ts'
import { startEmbeddedPostgres } from './embedded-postgres.ts'
import { migrate } from './migrations.ts'

export const TABLES_FILE = path.join(import.meta.dirname, 'tables.ts')

/** The source of tables.ts for the tables of this database. */
export async function generateTables(db: Db): Promise<string> {
  const types = await generate({
    db: db.withoutPlugins(),
    dialect: new PostgresDialect({ dateParser: 'string' }),
    camelCase: true,
    excludePattern: 'kysely_*',
    outFile: null,
    // database.ts reads bigint as a number.
    typeMapping: { int8: 'number' },
  })
  return types.replace('export interface DB {', 'export interface Tables {')
}

async function writeTables(): Promise<void> {
  const log = { info: () => {}, warn: () => {} }
  const dataDir = await mkdtemp(path.join(tmpdir(), 'revelations-tables-'))
  const postgres = await startEmbeddedPostgres({ dataDir, log, durable: false })
  const database = openDatabase(postgres.connection, log)
  try {
    await migrate(database.pool)
    await writeFile(TABLES_FILE, await generateTables(database.db))
  } finally {
    await database.close()
    await postgres.stop()
    await rm(dataDir, { recursive: true })
  }
}

if (import.meta.main) await writeTables()
