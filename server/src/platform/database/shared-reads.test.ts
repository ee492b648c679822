import { sql } from 'kysely'
import type pg from 'pg'
import { afterEach, beforeAll, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '#testing/test-database.ts'
import { type Database, openDatabase } from './database.ts'
import { type Db, PREPARED, PREPARED_READ } from './db.ts'

let test: TestDatabase
let database: Database

beforeAll(async () => {
  test = await createTestDatabase()
  return () => test.drop()
})

afterEach(() => database.close())

/** A database whose shared connections are there, and what its pool says was lost. */
async function openSharing(options: pg.PoolConfig = {}) {
  database = openDatabase(
    { connectionString: test.url, ...options },
    { warn: () => {} },
    { sharesReads: true },
  )
  const { db, pool } = database
  const lost: Error[] = []
  pool.on('error', (error) => lost.push(error))
  await expect
    .poll(async () => (await readPid(db)) !== (await ownPid(db)), { timeout: 10_000 })
    .toBe(true)
  return { db, pool, lost }
}

/** Of the connection that a read was made on. */
async function readPid(db: Db): Promise<number> {
  const { rows } = await sql<{ pid: number }>`
    select pg_backend_pid() as pid where ${1}::integer > 0 ${PREPARED_READ}`.execute(db)
  return Number(rows[0]?.pid)
}

async function ownPid(db: Db): Promise<number> {
  const { rows } = await sql<{ pid: number }>`
    select pg_backend_pid() as pid where ${1}::integer > 0 ${PREPARED}`.execute(db)
  return Number(rows[0]?.pid)
}

const WAITING = `select pid from pg_locks where locktype = 'advisory' and objid = $1 and not granted
  and database = (select oid from pg_database where datname = current_database())`

const divide = (db: Db, by: number) =>
  sql<{ result: number }>`select 12 / ${by}::integer as result ${PREPARED_READ}`.execute(db)

it('reads for many on few connections, each with its own answer and its own error', async () => {
  const { db, pool } = await openSharing()
  const pidsOf = (length: number) => Promise.all(Array.from({ length }, () => readPid(db)))
  expect(new Set(await pidsOf(10)).size).toBeLessThan(5)
  expect(new Set(await pidsOf(100)).size).toBeGreaterThan(1)
  const answers = await Promise.allSettled([3, 0, 4, 0, 6].map((by) => divide(db, by)))
  expect(answers.map((answer) => answer.status === 'fulfilled' && answer.value.rows)).toEqual([
    [{ result: 4 }],
    false,
    [{ result: 3 }],
    false,
    [{ result: 2 }],
  ])
  expect(pool.idleCount).toBe(pool.totalCount)
})

it('plans what it reads once for any list, where PostgreSQL would plan it for each', async () => {
  const { db, pool } = await openSharing()
  await pool.query('create table things as select n as id from generate_series(1, 10000) as n')
  await pool.query('create unique index on things (id)')
  await pool.query('analyze things')
  const read = (mark: typeof PREPARED) =>
    sql`select * from things where id = any(${[1]}::integer[]) ${mark}`.execute(db)
  for (let times = 0; times < 10; times += 1) {
    await read(PREPARED_READ)
    await read(PREPARED)
  }
  const plansOf = async (mark: typeof PREPARED) => {
    const { rows } = await sql<{ customPlans: number }>`
      select custom_plans from pg_prepared_statements
      where statement like ${'%from things%'} ${mark}`.execute(db)
    return rows.map(({ customPlans }) => customPlans)
  }
  expect([await plansOf(PREPARED_READ), await plansOf(PREPARED)]).toEqual([[0], [10]])
})

it('writes, and reads in a transaction, on a connection of its own', async () => {
  const { db, pool } = await openSharing()
  const shared = await readPid(db)
  await sql`create table if not exists written (id integer)`.execute(db)
  await db.transaction().execute(async (tx) => {
    const pid = await readPid(tx)
    expect(pid).not.toBe(shared)
    expect(await ownPid(tx)).toBe(pid)
    await sql`insert into written values (1)`.execute(tx)
    const count = (at: Db) =>
      sql<{ count: number }>`select count(*) from written ${PREPARED_READ}`.execute(at)
    expect((await count(tx)).rows).toEqual([{ count: 1 }])
    expect((await count(db)).rows).toEqual([{ count: 0 }])
  })
  await expect(
    db.transaction().execute(async (tx) => {
      await sql`insert into written values (1)`.execute(tx)
      throw new Error('undone')
    }),
  ).rejects.toThrow('undone')
  expect((await sql`select from written`.execute(db)).rows).toHaveLength(1)
  expect(pool.idleCount).toBe(pool.totalCount)
})

it('lets no read wait for a slow one that was sent before', async () => {
  const { db, pool } = await openSharing()
  const holder = await pool.connect()
  await holder.query('select pg_advisory_lock(7)')
  const slow = sql`select pg_advisory_xact_lock_shared(${7}) ${PREPARED_READ}`.execute(db)
  // Longer than a read may take before the next ones go elsewhere.
  await pool.query('select pg_sleep(0.05)')
  const pids = await Promise.all(Array.from({ length: 20 }, () => readPid(db)))
  expect(pids).toHaveLength(20)
  await holder.query('select pg_advisory_unlock(7)')
  holder.release()
  await slow
})

it('tells of a connection that was lost, and reads on others', async () => {
  const { db, pool, lost } = await openSharing()
  const pid = await readPid(db)
  await pool.query('select pg_terminate_backend($1)', [pid])
  await expect.poll(() => lost.length).toBeGreaterThan(0)
  expect(await readPid(db)).not.toBe(pid)
  await expect
    .poll(async () => (await readPid(db)) !== (await ownPid(db)), { timeout: 10_000 })
    .toBe(true)
})

it('repeats elsewhere what was read on a connection that is lost meanwhile', async () => {
  const { db, pool } = await openSharing()
  const holder = await pool.connect()
  await holder.query('select pg_advisory_lock(8)')
  const waiting = sql<{ pid: number }>`
    select pg_backend_pid() as pid, pg_advisory_xact_lock_shared(${8}) ${PREPARED_READ}`.execute(db)
  const behind = readPid(db)
  const findPid = async () => (await holder.query(WAITING, [8])).rows[0]?.pid
  await expect.poll(findPid).toBeTypeOf('number')
  const pid = await findPid()
  await holder.query('select pg_terminate_backend($1)', [pid])
  expect(await behind).not.toBe(pid)
  await holder.query('select pg_advisory_unlock(8)')
  expect((await waiting).rows[0]?.pid).not.toBe(pid)
  holder.release()
})

it('answers what was sent right behind a read that waits for a lock', async () => {
  const { db, pool } = await openSharing()
  const holder = await pool.connect()
  await holder.query('select pg_advisory_lock(10)')
  const stuck = sql`select pg_advisory_xact_lock_shared(${10}) ${PREPARED_READ}`.execute(db)
  expect(await Promise.all([readPid(db), readPid(db)])).toHaveLength(2)
  await holder.query('select pg_advisory_unlock(10)')
  holder.release()
  await stuck
})

it('reads alone what fails for many at once, and then together again', async () => {
  const { db } = await openSharing()
  const read = () => sql`select * from missing where one = ${1} ${PREPARED_READ}`.execute(db)
  const failed = await Promise.allSettled([read(), read(), read()])
  for (const answer of failed) {
    expect(answer).toMatchObject({ status: 'rejected', reason: { code: '42P01' } })
  }
  await sql`create table missing as select 1 as one`.execute(db)
  for (const { rows } of await Promise.all([read(), read(), read()])) {
    expect(rows).toEqual([{ one: 1 }])
  }
})

it('goes on with a prepared read of a table that has a column more', async () => {
  const { db } = await openSharing()
  await sql`create table grows as select 1 as one`.execute(db)
  const read = () => sql`select * from grows where one = ${1} ${PREPARED_READ}`.execute(db)
  expect((await read()).rows).toEqual([{ one: 1 }])
  await sql`alter table grows add column two integer default 2`.execute(db)
  const answers = await Promise.all([read(), read(), read()])
  for (const { rows } of answers) expect(rows).toEqual([{ one: 1, two: 2 }])
})

it('ends once what is read is answered', async () => {
  const { db, pool } = await openSharing()
  const holder = await pool.connect()
  await holder.query('select pg_advisory_lock(9)')
  const reading = sql`select pg_advisory_xact_lock_shared(${9}) ${PREPARED_READ}`.execute(db)
  await expect.poll(async () => (await holder.query(WAITING, [9])).rowCount).toBe(1)
  const closing = database.close()
  database.close = () => closing
  await expect(readPid(db)).rejects.toThrow('Cannot use a pool')
  await holder.query('select pg_advisory_unlock(9)')
  holder.release()
  await reading
  await closing
})
