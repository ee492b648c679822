import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { inject } from 'vitest'
import { connectionUrl } from '#server/platform/database/embedded-postgres.ts'

export interface TestServer {
  host: string
  port: number
  /** May create databases. */
  admin: { user: string; password: string; database: string }
  /** Owns the databases of the tests. */
  owner: { user: string; password: string }
  /** A database with all migrations and no row. */
  template: string
}

declare module 'vitest' {
  interface ProvidedContext {
    testServer: TestServer
  }
}

export interface TestDatabase {
  url: string
  drop(): Promise<void>
}

/** A database of its own for one test file: a copy of the migrated template. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const server = inject('testServer')
  const name = `test_${randomBytes(8).toString('hex')}`
  await asAdmin(
    server,
    // Copied as files: written to the log first, as is usual, it takes twice as long.
    `create database ${name} template ${server.template} owner ${server.owner.user} strategy file_copy`,
  )
  return {
    url: testDatabaseUrl(server, name),
    drop: () => asAdmin(server, `drop database if exists ${name} with (force)`),
  }
}

/** A database without any table. */
export async function createEmptyDatabase(): Promise<TestDatabase> {
  const server = inject('testServer')
  const name = `test_${randomBytes(8).toString('hex')}`
  await asAdmin(server, `create database ${name} owner ${server.owner.user}`)
  return {
    url: testDatabaseUrl(server, name),
    drop: () => asAdmin(server, `drop database if exists ${name} with (force)`),
  }
}

export async function asAdmin(server: Omit<TestServer, 'template'>, statement: string) {
  const { host, port, admin } = server
  const client = new pg.Client({ host, port, ...admin })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}

export function testDatabaseUrl(
  { host, port, owner }: Omit<TestServer, 'template'>,
  database: string,
): string {
  return connectionUrl({ host, port, database, ...owner })
}
