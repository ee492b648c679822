// Runs both sides and reloads them: `npm run dev`. PostgreSQL outlives each restart of the server, which so is back sooner.
import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import concurrently from 'concurrently'
import { readConfig } from '../server/src/config.ts'
import {
  connectionUrl,
  startEmbeddedPostgres,
} from '../server/src/platform/database/embedded-postgres.ts'
import { createLog } from '../server/src/platform/log.ts'

process.chdir(path.join(import.meta.dirname, '..'))
const { dataDir, databaseUrl } = readConfig()
await mkdir(dataDir, { recursive: true })
const postgres = databaseUrl
  ? undefined
  : await startEmbeddedPostgres({ dataDir, log: createLog('info') })

function serverEnvironment(): Record<string, string> {
  return {
    // A third of each restart is compiling what did not change.
    NODE_COMPILE_CACHE: 'node_modules/.cache/compiled',
    ...(postgres && { DATABASE_URL: connectionUrl(postgres.connection) }),
  }
}

const { result } = concurrently(
  [
    { name: 'server', command: 'node --watch server/src/start.ts', env: serverEnvironment() },
    { name: 'web', command: 'vite web' },
  ],
  { killOthersOn: ['failure', 'success'] },
)
try {
  await result
} catch {
  // Ctrl+C ends both sides with a failure of their own.
} finally {
  await postgres?.stop()
}
