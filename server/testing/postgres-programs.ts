import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import pg from 'pg'
import { afterAll, afterEach, beforeAll } from 'vitest'
import {
  type EmbeddedPostgres,
  startEmbeddedPostgres,
} from '#server/platform/database/embedded-postgres.ts'

const PROGRAM = fileURLToPath(new URL('./embedded-postgres-program.ts', import.meta.url))
const silent = { info: () => {}, warn: () => {} }

/** Data folders, embedded servers and programs that own them; all of them end with the test. */
export function usePostgresPrograms() {
  let folder: string
  const servers: EmbeddedPostgres[] = []
  const programs: ChildProcess[] = []

  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'rv-'))
    const server = await start(newDataDir('stopped'))
    await server.stop()
  })

  afterEach(async () => {
    await Promise.all(programs.splice(0).map((program) => endProgram(program)))
    await Promise.all(servers.splice(0).map((server) => server.stop()))
  })

  afterAll(() => rm(folder, { recursive: true }))

  function newDataDir(name: string): string {
    return path.join(folder, name)
  }

  /** A copy of a folder, by default of an initialised one: no test waits for initdb. */
  async function copyDataDir(name: string, from = newDataDir('stopped')): Promise<string> {
    await promisify(execFile)('cp', ['-a', from, newDataDir(name)])
    return newDataDir(name)
  }

  // No test cuts the power, so fsync would only add seconds on a busy disk.
  async function start(
    dataDir: string,
    { log = silent, durable = false } = {},
  ): Promise<EmbeddedPostgres> {
    const server = await startEmbeddedPostgres({ dataDir, log, durable })
    servers.push(server)
    return server
  }

  /** A program of its own, with the first line of its output. */
  async function run(command: string[]) {
    const [file = '', ...args] = command
    const program = spawn(file, args, { stdio: ['pipe', 'pipe', 'inherit'] })
    programs.push(program)
    const [line]: string[] = await once(createInterface(program.stdout), 'line')
    return { program, firstLine: line ?? '' }
  }

  /** A program that owns the folder; its first line is its connection, or the reason it refuses. */
  function startOwner(dataDir: string, ...rights: 'as nobody'[]) {
    return run([process.execPath, PROGRAM, dataDir, ...rights])
  }

  return { newDataDir, copyDataDir, start, run, startOwner }
}

/** Lets the program end by itself and resolves with its exit code. */
export async function endProgram(program: ChildProcess): Promise<number | null> {
  const ended = program.exitCode !== null || program.signalCode !== null
  program.stdin?.end()
  if (!ended) await once(program, 'exit')
  return program.exitCode
}

export async function killProgram(program: ChildProcess): Promise<void> {
  program.kill('SIGKILL')
  await endProgram(program)
}

export async function postmasterPid(dataDir: string): Promise<number> {
  const text = await readFile(path.join(dataDir, 'postgres/postmaster.pid'), 'utf8')
  return Number.parseInt(text, 10)
}

/** The values of all columns of all rows, in one list. */
export async function query(connection: pg.ClientConfig, text: string): Promise<unknown[]> {
  const client = new pg.Client(connection)
  await client.connect()
  try {
    return (await client.query({ text, rowMode: 'array' })).rows.flat()
  } finally {
    await client.end()
  }
}

/** A log, and a promise of its line « PostgreSQL is back ». */
export function logUntilBack() {
  const { promise, resolve } = Promise.withResolvers<void>()
  const info = (line: unknown) => line === 'PostgreSQL is back' && resolve()
  return { log: { info, warn: () => {} } as typeof silent, back: promise }
}
