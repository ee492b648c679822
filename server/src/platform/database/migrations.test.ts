import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { StartError } from '#server/platform/start-error.ts'
import { createEmptyDatabase, type TestDatabase } from '#testing/test-database.ts'
import { type Database, type DatabasePatience, openDatabase } from './database.ts'
import { generateTables, TABLES_FILE } from './generate-tables.ts'
import { MIGRATIONS_FOLDER, migrate } from './migrations.ts'

let folder: string
let test: TestDatabase
const databases: Database[] = []

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'revelations-migrations-'))
  test = await createEmptyDatabase()
})

afterEach(async () => {
  await Promise.all(databases.splice(0).map((database) => database.close()))
  await test.drop()
  await rm(folder, { recursive: true })
})

function openTestDatabase(settings: Partial<DatabasePatience> = {}): Database {
  const database = openDatabase({ connectionString: test.url, ...settings }, { warn: () => {} })
  databases.push(database)
  return database
}

const openPool = () => openTestDatabase().pool

async function write(files: Record<string, string>): Promise<void> {
  for (const [name, text] of Object.entries(files)) await writeFile(path.join(folder, name), text)
}

it('builds the real schema from nothing, once', async () => {
  const files = (await readdir(MIGRATIONS_FOLDER)).map((file) => path.basename(file, '.sql')).sort()
  const pool = openPool()
  expect(await migrate(pool)).toEqual(files)
  expect(await migrate(pool)).toEqual([])
})

it('makes the tables of which tables.ts says the types', async () => {
  const { db, pool } = openTestDatabase()
  await migrate(pool)
  expect(
    await generateTables(db),
    'tables.ts does not match the migrations: run npm run types:database',
  ).toBe(await readFile(TABLES_FILE, 'utf8'))
})

it('keeps one delivery of a letter whose two addresses are the same', async () => {
  const pool = openPool()
  await migrate(pool, { until: '0045_notifications' })
  await pool.query(`
    with author as (
      insert into users (email, email_key, pseudo, pseudo_key, password_hash, created_at)
      values ('a@exemple.fr', 'a@exemple.fr', 'a', 'a', '', now()) returning id
    ), letters as (
      insert into revelations (
        id, author_id, title, category, visibility, was_public, target_email, target_email_key, second_email,
        second_email_key, reveal_at, time_zone, wrapped_key, sealed_content, sealed_opening, commitment, created_at, updated_at
      )
      select gen_random_uuid(), author.id, '', 'general', 'family', false, 'b@élan.fr', 'b@xn--lan-9la.fr', second, second,
        now(), 'Europe/Brussels', '', '', '', '', now(), now()
      from author, unnest(array['b@xn--lan-9la.fr', 'c@exemple.fr']) as second returning id
    )
    insert into deliveries (id, revelation_id, rank, due_at, state, key_hash)
    select gen_random_uuid(), id, rank, now(), 'planned', sha256((id || rank)::bytea)
    from letters, unnest(array['first', 'second']) as rank`)
  await migrate(pool)
  const { rows } = await pool.query(
    'select address, position from deliveries order by position, address',
  )
  expect(rows).toEqual([
    { address: 'b@élan.fr', position: 0 },
    { address: 'b@élan.fr', position: 0 },
    { address: 'c@exemple.fr', position: 1 },
  ])
})

it('finds seals of before format 2, and says of each letter what can be attested', async () => {
  const pool = openPool()
  await migrate(pool, { until: '0052_view_days' })
  const letters = `
    with author as (
      insert into users (email, email_key, pseudo, pseudo_key, password_hash, created_at)
      values ('a@exemple.fr', 'a@exemple.fr', 'a', 'a', '', now()) returning id
    )
    insert into revelations (
      id, author_id, title, category, visibility, was_public, reveal_at, time_zone, wrapped_key, sealed_content, sealed_opening,
      commitment, created_at, updated_at
    )
    select gen_random_uuid(), author.id, name, 'general', visibility, was_public, reveal_at, 'UTC', '', '', '', '',
      '2026-01-01', updated_at
    from author, (values
      ('public', 'public', true, timestamptz '2027-01-01', timestamptz '2026-01-01'),
      ('at once', 'public', true, '2026-01-01', '2026-01-01'),
      ('edited', 'public', true, '2027-01-01', '2026-01-02'),
      ('narrowed', 'family', true, '2027-01-01', '2026-01-02'),
      ('private', 'private', false, '2027-01-01', '2026-01-01')
    ) as letter (name, visibility, was_public, reveal_at, updated_at)`
  await pool.query(letters)
  await pool.query(`
    insert into seals (revelation_id, version, kind, commitment, sealed_at)
    select id, 1, 'create', sha256(id::text::bytea), created_at from revelations`)
  await migrate(pool, { until: '0053_bound_leaves' })
  const { rows } = await pool.query(
    `select title, record_state, public_since is not null as is_dated from revelations order by title`,
  )
  expect(rows.map((row) => Object.values(row))).toEqual([
    ['at once', 'none', true],
    ['edited', 'unattested', false],
    ['narrowed', 'unattested', false],
    ['private', 'none', false],
    ['public', 'counted', true],
  ])
  const { rows: formats } = await pool.query(
    'select v2_from, (select array_agg(distinct format) from seals) as formats from log_format',
  )
  expect(formats).toEqual([{ v2_from: 5, formats: [1] }])
  // As a program of before it would, were it still running.
  const older = `insert into seals (revelation_id, version, kind, commitment, sealed_at)
    values (gen_random_uuid(), 1, 'create', sha256('a'), now())`
  await expect(pool.query(older)).rejects.toThrow('seals_bound')
})

it('finds what each revelation that there is was sealed as, and says how many', async () => {
  const pool = openPool()
  await migrate(pool, { until: '0055_idempotency_keys' })
  await pool.query(`
    with author as (
      insert into users (email, email_key, pseudo, pseudo_key, password_hash, created_at)
      values ('a@exemple.fr', 'a@exemple.fr', 'a', 'a', '', now()) returning id
    ), letters as (
      insert into revelations (
        id, author_id, title, category, visibility, visibility_before_hiding, hidden_at, record_state, outcome,
        outcome_declared_at, reveal_at, time_zone, wrapped_key, sealed_content, sealed_opening, commitment, created_at, updated_at
      )
      select gen_random_uuid(), author.id, name, 'general', visibility, before, case when before is not null then now() end,
        state, outcome, case when outcome is not null then now() end, '2026-12-01', 'UTC', '', '', '', '', '2026-11-01', '2026-11-01'
      from author, (values
        ('public', 'public', null, 'counted', null),
        ('voted on', 'public', null, 'counted', null),
        ('a vote taken back', 'public', null, 'counted', null),
        ('declared', 'public', null, 'counted', 'failed'),
        ('declared, then narrowed', 'private', null, 'counted', 'failed'),
        ('narrowed', 'friends', null, 'counted', null),
        ('hidden', 'private', 'public', 'none', null),
        ('to somebody', 'private', null, 'none', null),
        ('to oneself', 'private', null, 'none', null),
        ('to oneself and somebody', 'family', null, 'none', null)
      ) as letter (name, visibility, before, state, outcome)
      returning id, title, author_id
    ), voted as (
      insert into prediction_votes (revelation_id, voter_id, outcome, voted_at)
      select id, author_id, 'partly', now() from letters where title = 'voted on'
    )
    insert into deliveries (revelation_id, position, address, address_key, due_at, state, key_hash)
    select id, position, address, address, now(), 'planned', sha256((id::text || position)::bytea)
    from letters, (values (0, 'a@exemple.fr'), (1, 'b@exemple.fr')) as one (position, address)
    where case position when 0 then title like 'to oneself%' else title <> 'to oneself' end`)
  await pool.query("update revelations set votes_partly = 1 where title = 'a vote taken back'")
  const notices: string[] = []
  await migrate(pool, { onNotice: (notice) => notices.push(notice) })
  const { rows } = await pool.query(
    'select title, kind, record_state from revelations order by title',
  )
  expect(rows.map((row) => Object.values(row))).toEqual([
    ['a vote taken back', 'announcement', 'none'],
    ['declared', 'prediction', 'counted'],
    ['declared, then narrowed', 'prediction', 'counted'],
    ['hidden', 'announcement', 'none'],
    ['narrowed', 'letter', 'none'],
    ['public', 'announcement', 'none'],
    ['to oneself', 'capsule', 'none'],
    ['to oneself and somebody', 'letter', 'none'],
    ['to somebody', 'letter', 'none'],
    ['voted on', 'prediction', 'counted'],
  ])
  expect(notices).toContain(
    'kinds of existing revelations: announcement 3, capsule 1, letter 3, prediction 3',
  )
  const { rows: counts } = await pool.query(
    'select kind, found::int from public_counts order by kind',
  )
  expect(counts).toEqual([
    { kind: 'announcement', found: 2 },
    { kind: 'prediction', found: 2 },
  ])
  // As a program of before it would, were it still running.
  const older = `insert into revelations (id, author_id, title, category, visibility, reveal_at, time_zone, wrapped_key, sealed_content,
      sealed_opening, commitment, created_at, updated_at)
    select gen_random_uuid(), id, '', 'general', 'public', now(), 'UTC', '', '', '', '', now(), now() from users`
  await expect(pool.query(older)).rejects.toThrow('"kind"')
})

it('applies only what is new, in the order of the numbers', async () => {
  const pool = openPool()
  await write({
    '0001_people.sql': 'create table people (name text); create index on people (name)',
  })
  expect(await migrate(pool, { folder })).toEqual(['0001_people'])
  await write({
    '0003_rename.sql': 'alter table people rename column age to years',
    '0002_age.sql': 'alter table people add column age int',
  })
  expect(await migrate(pool, { folder })).toEqual(['0002_age', '0003_rename'])
  await pool.query(`insert into people (name, years) values ('Ada', 36)`)
})

it('leaves the database as it was when one of them fails', async () => {
  await write({
    '0001_people.sql': 'create table people (name text)',
    '0002_wrong.sql': 'create tabel',
  })
  const pool = openPool()
  await expect(migrate(pool, { folder })).rejects.toThrow('Migration 0002_wrong failed')
  const { rows } = await pool.query(`select to_regclass('people') as people`)
  expect(rows).toEqual([{ people: null }])
})

it('refuses a database that knows a migration this program does not', async () => {
  await write({ '0001_people.sql': 'select 1', '0002_future.sql': 'select 1' })
  const pool = openPool()
  await migrate(pool, { folder })
  await rm(path.join(folder, '0002_future.sql'))
  const error = await migrate(pool, { folder }).catch((thrown) => thrown)
  expect(error).toBeInstanceOf(StartError)
  expect(error.message).toContain('newer version of this program (it knows 0002_future)')
})

it('applies each migration once when several processes migrate at once', async () => {
  await write({ '0001_people.sql': 'create table people (name text); select pg_sleep(0.2)' })
  const applied = await Promise.all([1, 2, 3].map(() => migrate(openPool(), { folder })))
  expect(applied.flat()).toEqual(['0001_people'])
})

it('lets a migration outlast the time limit of the pool, and leaves the limit in place', async () => {
  await write({ '0001_slow.sql': 'select pg_sleep(0.3)' })
  const { pool } = openTestDatabase({ statement_timeout: 100 })
  expect(await migrate(pool, { folder })).toEqual(['0001_slow'])
  await expect(pool.query('select pg_sleep(0.3)')).rejects.toThrow('statement timeout')
})

it.each([
  ['people.sql', 'Migration people.sql is not named 0001_like_this.sql'],
  ['0001_other.sql', 'Migrations 0001_other.sql and 0001_people.sql have the same number'],
])('refuses a file named %s', async (name, message) => {
  await write({ '0001_people.sql': 'select 1', [name]: 'select 1' })
  await expect(migrate(openPool(), { folder })).rejects.toThrow(message)
})
