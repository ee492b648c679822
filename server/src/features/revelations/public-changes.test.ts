import { randomBytes, randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest'
import { createApi } from '#server/api.ts'
import { type AppContext, inTransaction } from '#server/context.ts'
import { openDatabase } from '#server/platform/database/database.ts'
import { createRevelation, relate } from '#testing/factories.ts'
import { pdf } from '#testing/media-files.ts'
import { asAdmin } from '#testing/test-database.ts'
import {
  type Answer,
  call,
  type Person,
  signedIn,
  startTestServer,
  type TestApp,
} from '#testing/test-server.ts'
import { uploadFile } from '#testing/uploads.ts'
import type { Shown } from './lists.rules.ts'
import { type FoundList, findRevelations, findRevelationsOfUser } from './lists.service.ts'
import { followPublicChanges } from './public-changes.service.ts'
import { getRevelation, loadViews } from './revelation-views.service.ts'
import { hideRevelation, restoreRevelation } from './revelations.service.ts'

let server: TestApp

beforeEach(async () => {
  server = await startTestServer()
})
afterEach(() => server.close())

describe('what answers to everybody are read from', () => {
  /** Sums of what transactions changed of `revelations`, and the searchable form of `pseudo`: they change with these alone. */
  const DERIVED = [
    'public_counts',
    'public_count_changes',
    'public_counts_until',
    'users (pseudo_form)',
  ]

  it('is nothing but tables and columns whose changes are noted', async () => {
    const { ctx } = server
    const author = await signedIn(server)
    const letter = await createRevelation(server, author, { title: 'Une comète passera' })
    await createRevelation(server, author, { kind: 'prediction', title: 'Une éclipse' })
    const album = await sealAlbum(author)
    server.clock.advance(2 * 86_400_000)
    await server.runJobs()
    const { rows } = await ctx.pool.query<{ readable: string }>(`
      select case when tgattr::text = '' then relid::text
        else relid || ' (id, ' || (
          select string_agg(attname, ', ') from pg_attribute
          where attrelid = relid and attnum = any(tgattr::int2[])
        ) || ')' end as readable
      from (select *, tgrelid::regclass as relid from pg_trigger) as triggers
      join pg_proc on pg_proc.oid = tgfoid
      where prosrc like '%into public_changes%' and tgtype & 16 > 0`)
    const readable = [...rows.map((row) => row.readable), ...DERIVED]
    const role = `reader_${randomBytes(6).toString('hex')}`
    const postgres = inject('testServer')
    await asAdmin(postgres, `create role ${role}; grant ${role} to ${postgres.owner.user}`)
    const database = openDatabase(
      { connectionString: ctx.config.databaseUrl, options: `-c role=${role}` },
      ctx.log,
    )
    try {
      for (const one of readable) {
        const [table = '', columns = ''] = one.split(/ (?=\()/)
        await ctx.pool.query(`grant select ${columns} on ${table} to ${role}`)
      }
      const reader: AppContext = { ...ctx, db: database.db, pool: database.pool }
      const viewed = ({ viewer, envelopes, now }: FoundList) =>
        loadViews(reader, { actor: null, viewer }, envelopes, now)
      const seen = await getRevelation(reader, { actor: null, deliveryKey: null }, letter.id)
      expect(seen.letter?.content).toBe('Il fera beau toute la journée.')
      const withFiles = await getRevelation(reader, { actor: null, deliveryKey: null }, album.id)
      expect(withFiles.letter?.files).toHaveLength(2)
      for (const query of [
        {},
        { sort: 'popular', status: 'revealed' },
        { kind: 'prediction', outcome: 'none' },
        { q: 'comète' },
        { q: 'fera beau' },
      ] as const) {
        expect(await viewed(await findRevelations(reader, null, query))).not.toEqual([])
      }
      expect(await viewed(await findRevelationsOfUser(reader, null, author.id, {}))).toHaveLength(3)
      await expect(database.pool.query('select email from users')).rejects.toThrow('permission')
    } finally {
      await database.close()
      await ctx.pool.query(`drop owned by ${role}`)
      await asAdmin(postgres, `drop role ${role}`)
    }
  })
})

describe('what a transaction notes', () => {
  it('is which answers show what it wrote', async () => {
    const author = await signedIn(server)
    const { id, fileId } = await sealAlbum(author)
    const spare = await uploadFile(server, author, { bytes: pdf(), name: 'seul.pdf' })
    const spareId = spare.filename.slice(0, 36)
    const stranger = await signedIn(server)
    const client = await server.ctx.pool.connect()
    const notesOf = async (statement: string) => {
      await client.query('delete from public_changes')
      await client.query(statement)
      const { rows } = await client.query('select scope, row_id from public_changes')
      return rows.map(({ scope, row_id }) => [scope, row_id])
    }
    try {
      await client.query('begin')
      const change = (what: string) => notesOf(`update revelations set ${what} where id = '${id}'`)
      expect(await change('comments_count = comments_count + 1')).toEqual([['row', id]])
      expect(await change('reactions_count = reactions_count + 1')).toEqual([['order', id]])
      expect(await change(`category = 'other'`)).toEqual([['list', id]])
      expect(await change(`reveal_at = reveal_at + interval '1 hour'`)).toEqual([['list', id]])
      expect(await change(`visibility = 'private'`)).toContainEqual(['list', id])
      expect(await change('comments_count = comments_count + 1')).toEqual([])
      expect(await change(`visibility = 'public'`)).toContainEqual(['list', id])
      for (const [table, key, noted] of [
        ['deliveries', 'revelation_id', id],
        ['revelation_files', 'revelation_id', id],
        ['media_objects', 'media_id', fileId],
      ]) {
        const these = `from ${table} where ${key} = '${noted}'`
        await client.query(`create temporary table spared on commit drop as select * ${these}`)
        const update = `update ${table} set ${key} = ${key} where ${key} = '${noted}'`
        expect(await notesOf(update), `${table} changed`).toEqual([['row', noted]])
        expect(await notesOf(`delete ${these}`), `${table} removed`).toEqual([['row', noted]])
        const insert = `insert into ${table} select * from spared`
        expect(await notesOf(insert), `${table} added`).toEqual([['row', noted]])
        await client.query('drop table spared')
      }
      expect(await notesOf(`update media set kind = kind where id = '${spareId}'`)).toEqual([
        ['row', spareId],
      ])
      expect(await notesOf(`delete from media where id = '${spareId}'`)).toContainEqual([
        'row',
        spareId,
      ])
      const rename = `update users set pseudo = 'tout_autre' where id = '${stranger.id}'`
      expect(await notesOf(rename)).toEqual([['row', stranger.id]])
      await client.query(`delete from users where id = '${stranger.id}'`)
      const { rows } = await client.query('select scope, row_id from public_changes')
      expect(rows).toEqual([{ scope: 'everything', row_id: null }])
      expect(await notesOf(`delete from revelations where id = '${id}'`)).toContainEqual([
        'list',
        id,
      ])
    } finally {
      await client.query('rollback')
      client.release()
    }
  })

  it('is everything where there is too much of it, and after a lost connection', async () => {
    const { pool } = server.ctx
    const changes = followPublicChanges(server.ctx)
    const other: Shown = { rows: [randomUUID()], chosenBy: 'row' }
    const note = (count: number) =>
      pool.query(`insert into public_changes (scope, row_id)
        select 'row', gen_random_uuid() from generate_series(1, ${count})`)
    const first = await changes.readRevision()
    await note(100)
    const second = await changes.readRevision()
    expect(changes.hasChanged(other, first)).toBe(false)
    await note(10_000)
    const third = await changes.readRevision()
    expect(changes.hasChanged(other, second)).toBe(true)
    await pool.query(`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`)
    await expect
      .poll(async () => {
        await changes.readRevision()
        return changes.hasChanged(other, third)
      })
      .toBe(true)
  })
})

/** A public letter for tomorrow with two documents. */
async function sealAlbum(author: Person): Promise<{ id: string; fileId: string }> {
  const plan = { userId: author.id, plan: 'unlimited' as const }
  await server.ctx.db.insertInto('subscriptions').values(plan).execute()
  const files = []
  for (const name of ['un.pdf', 'deux.pdf']) {
    files.push(await uploadFile(server, author, { bytes: pdf(), name }))
  }
  const { id } = await createRevelation(server, author, { file_urls: files.map(({ url }) => url) })
  return { id, fileId: String(files[0]?.filename).slice(0, 36) }
}

/** As many changes are raced in an ordinary run; `RACED_CHANGES=10000` takes minutes. */
const RACED_CHANGES = Number(process.env.RACED_CHANGES ?? 120)
const READERS = 32
const COUPLES = 8

describe('somebody who lost the right a moment ago', () => {
  it('is answered nothing from before, by either of two programs', {
    timeout: 1_800_000,
  }, async () => {
    const other = await createApi(server.ctx)
    const programs = [server.app, other]
    const couples = await Promise.all(Array.from({ length: COUPLES }, () => createCouple(server)))
    let [changes, reads, stale] = [0, 0, 0]
    let waiting: { forReads: number; proceed: () => void }[] = []
    const whileOthersRead = () =>
      new Promise<void>((proceed) => {
        // Those under way, and as many that begin now.
        waiting.push({ forReads: reads + 2 * READERS, proceed })
      })
    const write = async (couple: Couple) => {
      for (let turn = couples.indexOf(couple); changes < RACED_CHANGES; turn += 1) {
        const lose = losses[turn % losses.length] as Loss
        await lose(server, couple, whileOthersRead)
        changes += 1
      }
      writing -= 1
    }
    let writing = COUPLES
    const read = async (number: number) => {
      for (let turn = number; writing > 0; turn += 1) {
        const couple = couples[turn % COUPLES] as Couple
        const question = questions[turn % questions.length] as Question
        const as = question.isFriend ? couple.friend : undefined
        const lost = couple.lostTo(question.isFriend)
        const program = programs[turn % programs.length] as (typeof programs)[0]
        const answer = await call(program, 'GET', question.url(couple), { as })
        reads += 1
        for (const { forReads, proceed } of waiting) if (forReads <= reads) proceed()
        waiting = waiting.filter(({ forReads }) => forReads > reads)
        if (lost.some(({ id, isLostStill }) => isLostStill() && answer.text.includes(id)))
          stale += 1
      }
    }
    await Promise.all([
      ...couples.map(write),
      ...Array.from({ length: READERS }, (_, number) => read(number)),
    ])
    await other.close()
    expect(reads).toBeGreaterThan(RACED_CHANGES)
    expect({ stale }).toEqual({ stale: 0 })
    console.info(
      `${changes} losses raced against ${READERS} readers: ${reads} answers, ${stale} stale.`,
    )
  })
})

interface Letter {
  id: string
  /** Grows whenever somebody may see it again. */
  regained: { everybody: number; friend: number }
  isLost: { everybody: boolean; friend: boolean }
}

interface Couple {
  author: Person
  friend: Person
  letters: { edited: Letter; hidden: Letter; deleted: Letter; friends: Letter }
  lostTo(isFriend: boolean): { id: string; isLostStill(): boolean }[]
}

async function createCouple(server: TestApp): Promise<Couple> {
  const [author, friend] = [await signedIn(server), await signedIn(server)]
  await relate(server, author, friend, 'friend')
  const letters = {
    edited: await createLetter(server, author),
    hidden: await createLetter(server, author),
    deleted: await createLetter(server, author),
    friends: await createLetter(server, author, true),
  }
  return {
    ...{ author, friend, letters },
    lostTo: (isFriend) =>
      Object.values(letters)
        .filter(({ isLost }) => (isFriend ? isLost.friend : isLost.everybody))
        .map((letter) => {
          const { everybody, friend } = letter.regained
          const isSame = () =>
            letter.regained.everybody === everybody && letter.regained.friend === friend
          return { id: letter.id, isLostStill: isSame }
        }),
  }
}

async function createLetter(
  server: TestApp,
  author: Person,
  isForFriends = false,
): Promise<Letter> {
  const visibility = isForFriends ? 'friends' : 'public'
  const { id } = await createRevelation(server, author, { visibility })
  const isLost = { everybody: isForFriends, friend: false }
  return { id, regained: { everybody: 0, friend: 0 }, isLost }
}

type Audience = 'everybody' | 'friend'
const ALL: readonly Audience[] = ['everybody', 'friend']

function regain(whom: readonly Audience[], letters: readonly Letter[]): void {
  for (const letter of letters) {
    for (const one of whom) {
      letter.regained[one] += 1
      letter.isLost[one] = false
    }
  }
}

function lose(whom: readonly Audience[], letters: readonly Letter[]): void {
  for (const letter of letters) for (const one of whom) letter.isLost[one] = true
}

async function sure(answer: Promise<Answer>): Promise<Answer> {
  const { status, text } = await answer
  if (status >= 300) throw new Error(`${status}: ${text}`)
  return answer
}

type Loss = (server: TestApp, couple: Couple, whileOthersRead: () => Promise<void>) => Promise<void>

/** Each takes a right away, and gives it back. */
const losses: readonly Loss[] = [
  async function narrow(server, { author, letters: { edited } }, whileOthersRead) {
    const edit = (visibility: string) =>
      sure(
        server.call('PUT', `/api/revelations/${edited.id}`, { as: author, body: { visibility } }),
      )
    await edit('private')
    lose(ALL, [edited])
    await whileOthersRead()
    regain(ALL, [edited])
    await edit('public')
  },
  async function hide({ ctx }, { letters: { hidden } }, whileOthersRead) {
    await inTransaction(ctx, (tx) => hideRevelation(tx, hidden.id))
    lose(ALL, [hidden])
    await whileOthersRead()
    regain(ALL, [hidden])
    await inTransaction(ctx, (tx) => restoreRevelation(tx, hidden.id))
  },
  async function remove(server, { author, letters }, whileOthersRead) {
    await sure(server.call('DELETE', `/api/revelations/${letters.deleted.id}`, { as: author }))
    lose(ALL, [letters.deleted])
    await whileOthersRead()
    letters.deleted = await createLetter(server, author)
  },
  async function block(server, { author, friend, letters }, whileOthersRead) {
    const url = `/api/relationships/blocks/${friend.id}`
    await sure(server.call('PUT', url, { as: author }))
    lose(['friend'], Object.values(letters))
    await whileOthersRead()
    regain(['friend'], Object.values(letters))
    await sure(server.call('DELETE', url, { as: author }))
    await relate(server, author, friend, 'friend')
  },
  async function unfriend(server, { author, friend, letters }, whileOthersRead) {
    const { body } = await sure(server.call('GET', '/api/relationships', { as: author }))
    const [{ id }] = body.relationships
    await sure(server.call('DELETE', `/api/relationships/${id}`, { as: author }))
    lose(['friend'], [letters.friends])
    await whileOthersRead()
    regain(['friend'], [letters.friends])
    await relate(server, author, friend, 'friend')
  },
]

interface Question {
  isFriend: boolean
  url(couple: Couple): string
}

const feed = () => '/api/revelations?limit=100'
const letter = ({ letters }: Couple) => `/api/revelations/${letters.edited.id}`
const hiddenLetter = ({ letters }: Couple) => `/api/revelations/${letters.hidden.id}`
const popular = () => '/api/revelations?limit=100&sort=popular'
const publicOnes = () => '/api/revelations?limit=100&visibility=public'
const profile = ({ author }: Couple) => `/api/revelations/user/${author.id}`
const home = () => '/'
const questions: readonly Question[] = [
  { isFriend: false, url: home },
  ...[feed, letter, hiddenLetter, popular, publicOnes, profile].flatMap((url) => [
    { isFriend: false, url },
    { isFriend: true, url },
  ]),
]
