import { access, readFile } from 'node:fs/promises'
import path from 'node:path'
import type pg from 'pg'
import type { Config } from '#server/config.ts'
import { type Database, openDatabase } from '#server/platform/database/database.ts'
import {
  findRunningPostgres,
  startEmbeddedPostgres,
} from '#server/platform/database/embedded-postgres.ts'
import type { Log } from '#server/platform/log.ts'
import { StartError } from '#server/platform/start-error.ts'
import { prepareDataFolder } from '#server/platform/storage/folders.ts'

/** The database of an installation, whether its program runs or not: its embedded PostgreSQL is started if it must be. */
export async function reachDatabase(config: Config, log: Log): Promise<Database> {
  const { databaseUrl, dataDir } = config
  if (databaseUrl !== undefined) return open({ connectionString: databaseUrl }, log)
  const running = await findRunningPostgres(dataDir).catch((error) => {
    if (error instanceof StartError) return undefined
    throw error
  })
  if (running) return open(running, log)
  await requireInstallation(dataDir)
  return openOwn(config, log)
}

/** Refuses a folder without an embedded database. */
export async function requireInstallation(dataDir: string): Promise<void> {
  await access(path.join(dataDir, 'postgres', 'PG_VERSION')).catch(() => {
    throw new StartError(
      `There is no installation in ${dataDir}: say its DATA_DIR, or its DATABASE_URL.`,
    )
  })
}

/** The database to restore into: that of DATABASE_URL, or one that is made in DATA_DIR; no program may run there. */
export async function makeDatabase(config: Config, log: Log): Promise<Database> {
  if (config.databaseUrl !== undefined) return open({ connectionString: config.databaseUrl }, log)
  await prepareDataFolder(config.dataDir)
  return openOwn(config, log)
}

async function openOwn({ dataDir }: Config, log: Log): Promise<Database> {
  const postgres = await startEmbeddedPostgres({ dataDir, log })
  const database = await open(postgres.connection, log)
  return {
    ...database,
    async close() {
      await database.close()
      await postgres.stop()
    },
  }
}

/** Under a name of its own: a restore tells by it whether the program runs. */
async function open(connection: pg.PoolConfig, log: Log): Promise<Database> {
  const named = { ...connection, application_name: 'revelations command' }
  const database = openDatabase(named, log)
  try {
    await database.pool.query('select')
    return database
  } catch (error) {
    await database.close()
    const { message, code } = error as NodeJS.ErrnoException
    throw new StartError(`The database cannot be reached: it answered « ${message || code} ».`)
  }
}

export async function readProductVersion(): Promise<string> {
  const file = path.resolve(import.meta.dirname, '../../package.json')
  return JSON.parse(await readFile(file, 'utf8')).version
}
