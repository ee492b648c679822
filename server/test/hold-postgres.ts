// A program that holds an embedded PostgreSQL, for tests that kill it: prints its connection, stops at end of input.
import { startEmbeddedPostgres } from '#server/platform/database/embedded-postgres.ts'

const silent = { info: () => {}, warn: () => {} }

try {
  const dataDir = process.argv[2] ?? ''
  const postgres = await startEmbeddedPostgres({ dataDir, log: silent, durable: false })
  console.log(JSON.stringify(postgres.connection))
  process.stdin.resume().once('end', () => postgres.stop())
} catch (error) {
  console.log(String(error))
  process.exitCode = 1
}
