import { realpath } from 'node:fs/promises'
import path from 'node:path'
import { StartError } from '#server/platform/start-error.ts'
import { APPLICATION, type EmbeddedPostgres, POSSESSION_LOCK } from './embedded-postgres.ts'
import { POSTGRES_PORT } from './postgres-folder.ts'
import { connectToRunning } from './postmaster.ts'

/**
 * Where the application connects to the PostgreSQL of a program that runs on this folder. Nothing is started and
 * nothing taken over: a `StartError` when no program holds it.
 */
export async function findRunningPostgres(
  dataDir: string,
): Promise<EmbeddedPostgres['connection']> {
  const real = await realpath(dataDir).catch(() => undefined)
  const folder = real && {
    dataDir: real,
    data: path.join(real, 'postgres'),
    logFile: path.join(real, 'postgres.log'),
  }
  const client = folder && (await connectToRunning(folder))
  if (!client) throw notRunning(dataDir)
  try {
    const { rowCount } = await client.query(
      `select from pg_locks where locktype = 'advisory' and objid = $1 and granted`,
      [POSSESSION_LOCK],
    )
    // It outlived the program that started it.
    if (rowCount === 0) throw notRunning(dataDir)
    return { host: client.host, port: POSTGRES_PORT, user: APPLICATION, database: APPLICATION }
  } finally {
    await client.end()
  }
}

function notRunning(dataDir: string): StartError {
  return new StartError(
    `No program that this user may see runs on ${dataDir}: start it first (script/server), or say its DATA_DIR or DATABASE_URL.`,
  )
}
