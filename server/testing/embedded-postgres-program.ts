// A program that owns an embedded PostgreSQL, for tests that kill it: it prints its connection and stops at end of input.
import { startEmbeddedPostgres } from '#server/platform/database/embedded-postgres.ts'

// Root may write everywhere. The program drops its rights itself: nobody may not even read a checkout in /root.
if (process.argv[3] === 'as nobody' && process.getuid?.() === 0) {
  process.setgid?.(65_534)
  process.setuid?.(65_534)
}

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
