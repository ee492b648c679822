// Writes tables.ts from a database that has all migrations; with --check, fails when the file differs.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { generate, PostgresDialect } from 'kysely-codegen'
import { openDatabase } from './database.ts'
import { startEmbeddedPostgres } from './embedded-postgres.ts'
import { migrate } from './migrations.ts'

const TABLES_FILE = path.join(import.meta.dirname, 'tables.ts')

const silent = { info: () => {}, warn: () => {} }

async function generateTables(): Promise<string> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'revelations-tables-'))
  const postgres = await startEmbeddedPostgres({ dataDir, log: silent, durable: false })
  const database = openDatabase(postgres.connection, silent)
  try {
    await migrate(database.pool)
    const types = await generate({
      db: database.db.withoutPlugins(),
      dialect: new PostgresDialect({ dateParser: 'string' }),
      camelCase: true,
      excludePattern: 'kysely_*',
      outFile: null,
      // As database.ts reads it.
      typeMapping: { int8: 'number' },
    })
    return types.replace('export interface DB {', 'export interface Tables {')
  } finally {
    await database.close()
    await postgres.stop()
    await rm(dataDir, { recursive: true })
  }
}

const generated = await generateTables()
if (!process.argv.includes('--check')) {
  await writeFile(TABLES_FILE, generated)
} else if (generated !== (await readFile(TABLES_FILE, 'utf8'))) {
  process.stderr.write('tables.ts does not match the migrations: run npm run types:database.\n')
  process.exitCode = 1
}
