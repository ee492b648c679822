import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { openDatabase } from '#server/platform/database/database.ts'
import { startEmbeddedPostgres } from '#server/platform/database/embedded-postgres.ts'
import { migrate } from '#server/platform/database/migrations.ts'
import { startQueue } from '#server/platform/jobs/jobs.ts'
import { createLog } from '#server/platform/log.ts'
import { startTestStorage } from './s3-server.ts'
import { asAdmin, type TestServer, testDatabaseUrl } from './test-database.ts'

type Server = Omit<TestServer, 'template'>

const silent = { info: () => {}, warn: () => {} }

/** One PostgreSQL for all test files, with a migrated template that each of them copies; one bucket server with TEST_STORAGE=s3. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const url = process.env.TEST_DATABASE_URL
  const { server, stop } = url ? useServer(url) : await startServer()
  const template = `template_${randomBytes(8).toString('hex')}`
  const stopStorage = await startTestStorage()
  async function tearDown(): Promise<void> {
    await stopStorage()
    await asAdmin(server, `drop database if exists ${template} with (force)`)
    await stop()
  }
  try {
    await createTemplate(server, template)
  } catch (error) {
    await tearDown()
    throw error
  }
  project.provide('testServer', { ...server, template })
  return tearDown
}

async function createTemplate(server: Server, name: string): Promise<void> {
  await asAdmin(server, `create database ${name} owner ${server.owner.user}`)
  const connectionString = testDatabaseUrl(server, name)
  const { pool, close } = openDatabase({ connectionString }, silent)
  try {
    await migrate(pool)
    // The tables of the queue: created once, and only checked by the servers that start on a copy.
    const boss = await startQueue(pool, [], { runsJobs: false, log: createLog('silent') })
    await boss.stop({ graceful: false })
  } finally {
    await close()
  }
}

function useServer(url: string): { server: Server; stop(): Promise<void> } {
  const { host, port, user = '', password = '', database = '' } = new pg.Client(url)
  const admin = { user, password: password ?? '', database }
  return { server: { host, port, admin, owner: admin }, stop: async () => {} }
}

async function startServer(): Promise<{ server: Server; stop(): Promise<void> }> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'revelations-test-'))
  const postgres = await startEmbeddedPostgres({ dataDir, log: silent, durable: false })
  const watch = watchOver(dataDir)
  const { host, port, user } = postgres.connection
  return {
    server: {
      host,
      port,
      admin: { user: 'postgres', password: '', database: 'postgres' },
      owner: { user, password: '' },
    },
    stop: async () => {
      await postgres.stop()
      watch.kill()
      await rm(dataDir, { recursive: true })
    },
  }
}

/** PostgreSQL outlives its program by design; a killed test run must not leave it behind. */
function watchOver(dataDir: string): ChildProcess {
  const script = `
    read -r _
    lock="$1/postgres/postmaster.pid"
    kill -INT "$(head -n 1 "$lock")"
    while [ -e "$lock" ]; do sleep 0.1; done
    rm -r "$1"
  `
  const watch = spawn('sh', ['-c', script, 'sh', dataDir], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  watch.unref()
  return watch
}
