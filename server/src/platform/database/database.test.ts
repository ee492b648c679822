import { setImmediate } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '#testing/test-database.ts'
import { type Database, openDatabase, shareLoads } from './database.ts'
import { type Db, PREPARED } from './db.ts'
import { isUniqueViolation } from './sql-errors.ts'

let test: TestDatabase
let database: Database

beforeAll(async () => {
  test = await createTestDatabase()
  database = openDatabase({ connectionString: test.url }, { warn: () => {} })
})

afterAll(async () => {
  await database.close()
  await test.drop()
})

it('reads counts as numbers, instants as dates and days as text', async () => {
  const { rows } = await sql`
    select count(*), 9007199254740991::bigint as largest,
      '2027-03-29 12:00+02'::timestamptz as instant, '2027-03-29'::date as day
  `.execute(database.db)
  expect(rows).toEqual([
    {
      count: 1,
      largest: 9_007_199_254_740_991,
      instant: new Date('2027-03-29T10:00:00Z'),
      day: '2027-03-29',
    },
  ])
})

it('refuses a bigint that a number cannot hold instead of rounding it', async () => {
  await expect(sql`select 9007199254740993::bigint`.execute(database.db)).rejects.toThrow(
    'bigint beyond 2^53',
  )
  expect((await sql`select 1 as one`.execute(database.db)).rows).toEqual([{ one: 1 }])
})

it('tells a value that is already taken from other failures', async () => {
  await sql`create table names (name text primary key check (name <> ''))`.execute(database.db)
  const insert = (name: string) => sql`insert into names values (${name})`.execute(database.db)
  await insert('Ada')
  expect(isUniqueViolation(await insert('Ada').catch((error) => error))).toBe(true)
  expect(isUniqueViolation(await insert('').catch((error) => error))).toBe(false)
})

it('goes on with prepared statements of a table that has a column more', async () => {
  const { db, close } = openDatabase({ connectionString: test.url, max: 1 }, { warn: () => {} })
  await sql`create table grown as select 1 as one`.execute(db)
  const read = (at: Db) => sql`select * from grown where one = ${1} ${PREPARED}`.execute(at)
  expect((await read(db)).rows).toEqual([{ one: 1 }])
  await sql`alter table grown add column two integer default 2`.execute(db)
  expect((await read(db)).rows).toEqual([{ one: 1, two: 2 }])
  await sql`alter table grown add column three integer default 3`.execute(db)
  const inTransaction = () => db.transaction().execute(read)
  expect((await inTransaction()).rows).toEqual([{ one: 1, two: 2, three: 3 }])
  await close()
})

it('fails once in a transaction whose statement is outdated, and goes on in the next', async () => {
  const { db, close } = openDatabase({ connectionString: test.url, max: 1 }, { warn: () => {} })
  await sql`create table widened as select 1 as one`.execute(db)
  const read = (at: Db) => sql`select * from widened where one = ${1} ${PREPARED}`.execute(at)
  const inTransaction = () => db.transaction().execute(read)
  await inTransaction()
  await sql`alter table widened add column two integer default 2`.execute(db)
  await expect(inTransaction()).rejects.toThrow('cached plan')
  expect((await inTransaction()).rows).toEqual([{ one: 1, two: 2 }])
  await close()
})

it('gives each call a database of its own', async () => {
  const other = await createTestDatabase()
  expect(other.url).not.toBe(test.url)
  await other.drop()
})

it('closes every connection, whoever used it', async () => {
  const { pool, close } = openDatabase({ connectionString: test.url }, { warn: () => {} })
  await pool.query('select 1')
  await close()
  expect(pool.totalCount).toBe(0)
})

it('shares what is loaded among those who wait, and never what began to load before they came', async () => {
  const loads: PromiseWithResolvers<number>[] = []
  const load = shareLoads(() => {
    const started = Promise.withResolvers<number>()
    loads.push(started)
    return started.promise
  })
  const first = [load(), load()]
  await expect.poll(() => loads.length).toBe(1)
  const second = [load(), load()]
  await setImmediate()
  await setImmediate()
  expect(loads).toHaveLength(1)
  loads[0]?.resolve(1)
  expect(await Promise.all(first)).toEqual([1, 1])
  await expect.poll(() => loads.length).toBe(2)
  const third = load()
  loads[1]?.reject(new Error('lost'))
  await expect(Promise.all(second)).rejects.toThrow('lost')
  await expect.poll(() => loads.length).toBe(3)
  loads[2]?.resolve(3)
  expect(await third).toBe(3)
})
