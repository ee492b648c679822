import { stat } from 'node:fs/promises'
import path from 'node:path'
import { expect, it } from 'vitest'
import {
  killProgram,
  logUntilBack,
  postmasterPid,
  query,
  usePostgresPrograms,
} from '#testing/postgres-programs.ts'
import { openDatabase } from './database.ts'

const { copyDataDir, start, startOwner } = usePostgresPrograms()
const silent = { info: () => {}, warn: () => {} }

it('takes over the PostgreSQL that outlived a killed program', async () => {
  const dataDir = await copyDataDir('orphan')
  const { program, firstLine } = await startOwner(dataDir)
  await query(JSON.parse(firstLine), 'create table kept as select 42 as value')
  const pid = await postmasterPid(dataDir)
  await killProgram(program)
  const { connection } = await start(dataDir)
  expect(await postmasterPid(dataDir)).toBe(pid)
  expect(await query(connection, 'select value from kept')).toEqual([42])
})

it('recovers when the program and its PostgreSQL were both killed', async () => {
  const dataDir = await copyDataDir('both')
  const { program, firstLine } = await startOwner(dataDir)
  await query(JSON.parse(firstLine), 'create table kept as select 42 as value')
  await killProgram(program)
  process.kill(await postmasterPid(dataDir), 'SIGKILL')
  const { connection } = await start(dataDir)
  expect(await query(connection, 'select value from kept')).toEqual([42])
})

it('does not keep an orphan that is not durable', async () => {
  const dataDir = await copyDataDir('careless')
  const { program } = await startOwner(dataDir)
  const pid = await postmasterPid(dataDir)
  await killProgram(program)
  const { connection } = await start(dataDir, { durable: true })
  expect(await query(connection, `select current_setting('fsync')`)).toEqual(['on'])
  expect(await postmasterPid(dataDir)).not.toBe(pid)
})

it('starts PostgreSQL again when it dies alone, and the pool follows', async () => {
  const dataDir = await copyDataDir('dies')
  const { log, back } = logUntilBack()
  const { connection } = await start(dataDir, { log })
  const { pool, close } = openDatabase(connection, silent)
  await pool.query('create table kept as select 42 as value')
  process.kill(await postmasterPid(dataDir), 'SIGKILL')
  await back
  const { rows } = await pool.query('select value from kept')
  await close()
  expect(rows).toEqual([{ value: 42 }])
})

it('holds its folder again after PostgreSQL restarted because one of its processes died', async () => {
  const dataDir = await copyDataDir('checkpointer')
  const { log, back } = logUntilBack()
  const { connection } = await start(dataDir, { log })
  const pid = await postmasterPid(dataDir)
  const [checkpointer] = await query(
    { ...connection, user: 'postgres' },
    `select pid from pg_stat_activity where backend_type = 'checkpointer'`,
  )
  process.kill(checkpointer as number, 'SIGKILL')
  await back
  expect(await postmasterPid(dataDir)).toBe(pid)
  expect((await startOwner(dataDir)).firstLine).toContain('is in use by another program')
})

it('gives up, and says so, when PostgreSQL dies again and again', async () => {
  const dataDir = await copyDataDir('hopeless')
  async function killPostgres(): Promise<void> {
    process.kill(await postmasterPid(dataDir), 'SIGKILL')
  }
  const info = (line: unknown) => {
    if (line === 'PostgreSQL is back') void killPostgres()
  }
  const { exited } = await start(dataDir, { log: { info, warn: () => {} } as typeof silent })
  await killPostgres()
  expect((await exited).message).toBe('PostgreSQL ended 6 times in a minute')
})

it('puts the socket of a folder with a long name elsewhere, and finds it again', async () => {
  const dataDir = await copyDataDir('long'.repeat(30))
  const { program, firstLine } = await startOwner(dataDir)
  const { host } = JSON.parse(firstLine)
  expect(host.startsWith(path.dirname(dataDir))).toBe(false)
  await killProgram(program)
  const { connection, stop } = await start(dataDir)
  expect(connection.host).toBe(host)
  await stop()
  await expect(stat(host)).rejects.toThrow('ENOENT')
})
