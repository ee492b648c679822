import { chmod, mkdir, readdir, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, it } from 'vitest'
import {
  endProgram,
  killProgram,
  postmasterPid,
  query,
  usePostgresPrograms,
} from '#testing/postgres-programs.ts'

const { newDataDir, copyDataDir, start, run, startOwner } = usePostgresPrograms()

it('starts durable on an empty folder, on a private socket, for a role that is no superuser', async () => {
  const { connection } = await start(newDataDir('first/start'), { durable: true })
  const settings = ['fsync', 'full_page_writes', 'synchronous_commit', 'listen_addresses']
  const values = settings.map((name) => `current_setting('${name}')`).join()
  expect(await query(connection, `select ${values}`)).toEqual(['on', 'on', 'on', ''])
  expect(
    await query(connection, 'select rolsuper from pg_roles where rolname = current_user'),
  ).toEqual([false])
  expect((await stat(connection.host)).mode & 0o777).toBe(0o700)
})

it('sorts by code point unless asked for French, and folds every alphabet', async () => {
  const { connection } = await start(await copyDataDir('locale'))
  const words = `select word from (values ('zèbre'), ('étoile'), ('Eau')) as words(word) order by word`
  expect(await query(connection, words)).toEqual(['Eau', 'zèbre', 'étoile'])
  expect(await query(connection, `${words} collate "fr-x-icu"`)).toEqual(['Eau', 'étoile', 'zèbre'])
  expect(await query(connection, `select lower('ÉTÉ ΑΒΓ')`)).toEqual(['été αβγ'])
})

it('finds its data again after a stop', async () => {
  const dataDir = await copyDataDir('restart')
  const first = await start(dataDir)
  await query(first.connection, 'create table kept as select 42 as value')
  await first.stop()
  const second = await start(dataDir)
  expect(await query(second.connection, 'select value from kept')).toEqual([42])
})

it('refuses a second program on the same folder and leaves the first in peace', async () => {
  const dataDir = await copyDataDir('second')
  const { connection } = await start(dataDir)
  const pid = await postmasterPid(dataDir)
  const { program, firstLine } = await startOwner(dataDir)
  expect(firstLine).toBe(
    `StartError: ${dataDir} is in use by another program, revelations (process ${process.pid}): stop that one first, or choose another DATA_DIR.`,
  )
  expect(await endProgram(program)).toBe(1)
  expect(await postmasterPid(dataDir)).toBe(pid)
  expect(await query(connection, 'select 1')).toEqual([1])
})

it('lets one of two programs that start at once on an empty folder win', async () => {
  const dataDir = newDataDir('race')
  const programs = await Promise.all([startOwner(dataDir), startOwner(dataDir)])
  const firstLine = programs.map((program) => program.firstLine)
  expect(firstLine.filter((line) => line.includes('is in use by another program'))).toHaveLength(1)
  const winner = firstLine.find((line) => line.startsWith('{')) ?? ''
  expect(await query(JSON.parse(winner), 'select 1')).toEqual([1])
  expect((await readdir(dataDir)).sort()).toEqual(['postgres', 'postgres.log', 'run'])
})

it('starts beside a draft that another first start still writes', async () => {
  const dataDir = await copyDataDir('draft')
  const draft = path.join(dataDir, 'postgres.new-other')
  const write = `echo writing; while [ -d ${dataDir} ]; do mkdir -p ${draft}/base && : > ${draft}/base/$((i += 1)); done`
  const { program } = await run(['sh', '-c', write])
  try {
    const { connection } = await start(dataDir)
    expect(await query(connection, 'select 1')).toEqual([1])
  } finally {
    await killProgram(program)
  }
})

it('refuses the files of another major version and leaves them as they are', async () => {
  const dataDir = await copyDataDir('major')
  await writeFile(path.join(dataDir, 'postgres/PG_VERSION'), '17\n')
  const before = await readdir(dataDir, { recursive: true })
  await expect(start(dataDir)).rejects.toThrow(
    `${dataDir}/postgres was written by PostgreSQL 17 and this program brings 18`,
  )
  expect(await readdir(dataDir, { recursive: true })).toEqual(before)
})

it('refuses a folder that holds something else', async () => {
  const dataDir = newDataDir('foreign')
  await mkdir(path.join(dataDir, 'postgres/photos'), { recursive: true })
  await expect(start(dataDir)).rejects.toThrow('holds no PostgreSQL data: move it away')
})

it('refuses a path that cannot be a folder', async () => {
  const file = newDataDir('file')
  await writeFile(file, '')
  await expect(start(path.join(file, 'data'))).rejects.toThrow(
    'DATA_DIR cannot be written (ENOTDIR',
  )
})

it('refuses a folder it may not write', async () => {
  const dataDir = newDataDir('locked')
  await mkdir(dataDir)
  await chmod(dataDir, 0o555)
  await chmod(path.dirname(dataDir), 0o755)
  const { firstLine } = await startOwner(dataDir, 'as nobody')
  expect(firstLine).toMatch(/^StartError: DATA_DIR cannot be written \(EACCES: permission denied/)
})

it.each([
  ['no process', 'echo 4194305'],
  ['another program', 'echo $$'],
  ['a process that ended and nobody reaped', 'true & echo $!'],
])('starts in spite of lock files that name %s', async (name, command) => {
  const dataDir = await copyDataDir(`stale, ${name}`)
  const { program, firstLine: pid } = await run(['sh', '-c', `${command}; exec sleep 60`])
  const data = path.join(dataDir, 'postgres')
  const socketFolder = path.join(dataDir, 'run')
  const lock = [pid, data, 1_700_000_000, 5432, socketFolder, '', '1 1', 'ready', ''].join('\n')
  await writeFile(path.join(data, 'postmaster.pid'), lock)
  await writeFile(path.join(socketFolder, '.s.PGSQL.5432.lock'), lock)
  const { connection } = await start(dataDir)
  expect(await query(connection, 'select 1')).toEqual([1])
  await killProgram(program)
})

it('starts on a copy of a folder in use without touching the original', async () => {
  const original = await copyDataDir('original')
  const first = await start(original)
  const pid = await postmasterPid(original)
  const second = await start(await copyDataDir('copy', original))
  expect(second.connection.host).not.toBe(first.connection.host)
  await query(second.connection, 'create table only_here (value int)')
  expect(await query(first.connection, `select to_regclass('only_here')`)).toEqual([null])
  expect(await postmasterPid(original)).toBe(pid)
})
