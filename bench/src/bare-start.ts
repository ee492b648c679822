import Fastify from 'fastify'
import { openDatabase } from '#server/platform/database/database.ts'
import { startEmbeddedPostgres } from '#server/platform/database/embedded-postgres.ts'

/** The least that a program with a database of its own starts: PostgreSQL, Fastify, and one question to answer with. */
const [dataDir = '', port] = process.argv.slice(2)
const log = { info: () => undefined, warn: console.warn }
const postgres = await startEmbeddedPostgres({ dataDir, log })
const { pool, close } = openDatabase(postgres.connection, log)
const app = Fastify({ forceCloseConnections: true })
app.get('/api/health', async () => (await pool.query('select 1 as one')).rows[0])
await app.listen({ host: '127.0.0.1', port: Number(port) })
process.once('SIGTERM', async () => {
  await app.close()
  await close()
  await postgres.stop()
})
