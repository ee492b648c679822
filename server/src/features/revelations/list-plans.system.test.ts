import { afterAll, beforeAll, expect, it } from 'vitest'
import { KINDS } from '#contract/kinds.ts'
import { OUTCOME_FILTERS } from '#contract/predictions.ts'
import { SORTS, VISIBILITIES } from '#contract/revelations.ts'
import { PREPARED_MARK, PREPARED_READ_MARK } from '#server/platform/database/db.ts'
import { insertManyRows } from '#testing/rows.ts'
import { type Statement, watchStatements } from '#testing/statements.ts'
import { type Person, signedIn, startTestServer, type TestApp } from '#testing/test-server.ts'
import { addUpCounts } from './lists.service.ts'

/** Read whole on purpose: a handful of rows, kept so by the worker. */
const SMALL = ['public_counts', 'public_counts_until', 'public_count_changes']

interface PlanNode {
  'Node Type': string
  'Relation Name'?: string
  Plans?: PlanNode[]
}

let server: TestApp
let people: Person[]
let ownId: string
let popularId: string

beforeAll(async () => {
  // Plans are looked at, whatever time they take.
  server = await startTestServer({ config: { searchTimeoutMs: 600_000 } })
  people = [await signedIn(server), await signedIn(server)]
  await insertManyRows(server, people.slice(0, 1))
  await addUpCounts(server.ctx)
  ownId = await idOf(`select id from revelations where author_id = '${people[0]?.id}' limit 1`)
  popularId = await idOf(
    'select revelation_id as id from comments group by revelation_id order by count(*) desc limit 1',
  )
  await receiveMany(people[1] as Person)
  await writeMany(people[0] as Person)
  await server.ctx.pool.query('vacuum analyze')
})
afterAll(() => server.close())

/** A thousand letters to the proved address of one account, most of them open. */
async function receiveMany({ id, email }: Person): Promise<void> {
  const { pool } = server.ctx
  await pool.query('update users set email_verified_at = $2 where id = $1', [id, server.clock.now])
  await pool.query(
    `update deliveries set address_key = $1
     where revelation_id in (select id from revelations order by created_at desc limit 1000)`,
    [email],
  )
}

/** A thousand letters of one author, without their files: the keys of invented files open nothing. */
async function writeMany({ id }: Person): Promise<void> {
  await server.ctx.pool.query(
    `update revelations set author_id = $1, media_id = null, is_album = false, file_type = null
     where id in (select id from revelations order by created_at desc offset 1000 limit 1000)`,
    [id],
  )
}

async function idOf(query: string): Promise<string> {
  return (await server.ctx.pool.query(query)).rows[0].id
}

function* feedPaths(): Generator<string> {
  const searches = ['', '&q=commun', '&q=4321', '&q=absent', '&q=foule', '&q=e']
  const filters = ['', '&category=love', '&kind=prediction', '&kind=letter&category=love']
  for (const sort of SORTS) {
    for (const status of ['all', 'revealed', 'pending']) {
      for (const filter of filters) {
        const list = `/api/revelations?sort=${sort}&status=${status}${filter}`
        for (const search of searches) yield `${list}${search}`
        yield `${list}&cursor=${cursorOf(sort)}`
      }
    }
  }
  for (const outcome of OUTCOME_FILTERS) {
    for (const filter of [...filters, `&author=${people[0]?.id}`]) {
      const list = `/api/revelations?visibility=public&sort=latest_revealed&outcome=${outcome}${filter}`
      yield list
      yield `${list}&cursor=${cursorOf('latest_revealed')}`
    }
  }
  for (const kind of KINDS) yield `/api/revelations?kind=${kind}&status=pending&sort=soonest`
  for (const visibility of VISIBILITIES) {
    for (const search of searches) yield `/api/revelations?visibility=${visibility}${search}`
  }
  for (const { id } of people) {
    yield `/api/revelations?author=${id}`
    yield `/api/revelations?author=${id}&sort=popular&q=commun`
    yield `/api/revelations/user/${id}`
    yield `/api/revelations/user/${id}?sort=soonest&status=pending`
    yield `/api/revelations/user/${id}?kind=letter`
  }
}

function cursorOf(sort: string): string {
  const value = sort === 'popular' ? 5 : '2026-11-19T00:00:00.000Z'
  return Buffer.from(JSON.stringify([sort, value, ownId])).toString('base64url')
}

function receivedCursor(): string {
  return Buffer.from(JSON.stringify(['opened', '2026-11-19T00:00:00.000Z', ownId])).toString(
    'base64url',
  )
}

function* otherPaths(): Generator<string> {
  for (const id of [ownId, popularId]) {
    yield `/api/revelations/${id}`
    yield `/api/comments/${id}`
    yield `/api/comments/${id}?limit=50`
    yield `/api/reactions/${id}`
  }
  for (const q of ['f', 'fo', 'foule', '123', 'absent']) yield `/api/auth/search?q=${q}`
  for (const { id } of people) yield `/api/auth/user/${id}`
  for (const query of ['', '?state=waiting', '?q=commun', `?cursor=${receivedCursor()}`]) {
    yield `/api/revelations/received${query}`
  }
  yield '/api/revelations/anniversaries'
  yield '/api/relationships'
  yield '/api/relationships/requests'
  yield '/api/auth/sessions'
  yield '/api/jobs/stats'
  yield '/api/notifications'
  yield '/api/statistics?period=all'
  yield '/api/statistics/letters?sort=responses'
}

/** For these values; for any values besides, where a connection may come to use such a plan, and shared ones always do. */
async function plansOf({ text, values, settingsOff }: Statement): Promise<PlanNode[]> {
  const client = await server.ctx.pool.connect()
  try {
    await client.query('begin')
    for (const name of settingsOff) await client.query(`set local ${name} = off`)
    const explained = [await client.query(`explain (format json) ${text}`, values)]
    if (text.endsWith(PREPARED_MARK) || text.endsWith(PREPARED_READ_MARK)) {
      explained.push(await client.query(`explain (generic_plan, format json) ${text}`))
    }
    await client.query('rollback')
    return explained.map(({ rows }) => rows[0]['QUERY PLAN'][0].Plan)
  } finally {
    client.release()
  }
}

function* scannedTables(node: PlanNode): Generator<string> {
  const table = node['Relation Name'] ?? ''
  if (node['Node Type'] === 'Seq Scan' && !SMALL.includes(table)) yield table
  for (const child of node.Plans ?? []) yield* scannedTables(child)
}

it('no list reads a table that grows from one end to the other', async () => {
  const viewers = [undefined, ...people]
  const explained = new Map<string, Statement & { path: string }>()
  const watch = watchStatements()
  for (const [index, as] of viewers.entries()) {
    for (const path of [...feedPaths(), ...otherPaths()]) {
      const { status } = await server.call('GET', path, { as })
      expect([path, status < 500]).toEqual([path, true])
      for (const statement of watch.drain()) {
        // The queue looks after itself meanwhile.
        if (statement.text.includes('pgboss')) continue
        if (!/^\W*(select|with)\b/i.test(statement.text)) continue
        explained.set(`${index} ${statement.text}`, { ...statement, path })
      }
    }
  }
  watch.stop()
  expect(explained.size).toBeGreaterThan(200)
  const scanning: unknown[] = []
  for (const statement of explained.values()) {
    const plans = await plansOf(statement)
    const tables = plans.flatMap((plan) => [...scannedTables(plan)])
    if (tables.length > 0) scanning.push({ path: statement.path, tables, text: statement.text })
  }
  expect(scanning).toEqual([])
})
