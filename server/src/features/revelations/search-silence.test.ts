import { afterAll, beforeAll, expect, it } from 'vitest'
import { relate } from '#testing/factories.ts'
import { insertRows, rowOf } from '#testing/rows.ts'
import { type Statement, watchStatements } from '#testing/statements.ts'
import { type Person, signedIn, startTestServer, type TestApp } from '#testing/test-server.ts'

const PER_VISIBILITY = 12

let server: TestApp
let viewer: Person
let friend: Person

/** Beside two letters that the viewer may read, what a friend and a stranger keep for themselves. */
beforeAll(async () => {
  server = await startTestServer()
  viewer = await signedIn(server)
  friend = await signedIn(server)
  const stranger = await signedIn(server)
  const hermit = await signedIn(server, { pseudo: 'Muguet' })
  await signedIn(server, { pseudo: 'Lavande' })
  await relate(server, viewer, friend, 'friend')
  const hidden = [
    { title: 'Pour moi seul', content: 'Une pivoine que je garde', visibility: 'private' },
    { title: 'Une jonquille', content: 'Des mots que je garde', visibility: 'family' },
  ] as const
  const shown = { title: 'Pour d’autres', content: 'Une anémone que je montre' }
  await insertRows(server, [
    ...[friend, stranger, hermit].flatMap(({ id: authorId }) =>
      Array.from({ length: 2 * PER_VISIBILITY }, (_, n) =>
        rowOf(server, { authorId, ...(n % 2 ? hidden[0] : hidden[1]) }),
      ),
    ),
    rowOf(server, { authorId: friend.id, ...shown, visibility: 'friends' }),
    rowOf(server, { authorId: stranger.id, ...shown }),
  ])
  await server.runJobs()
})
afterAll(() => server.close())

/** Of the memory of what visitors are answered: it is asked for whenever anything has changed, whatever is searched. */
const NEXT_REVEAL = /^\s*select reveal_at from revelations/

async function search(q: string, as: Person | undefined) {
  const watch = watchStatements()
  const { body } = await server.call('GET', `/api/revelations?q=${encodeURIComponent(q)}`, { as })
  const sent = watch
    .drain()
    .filter(({ text }) => /revelations|letter_grams/.test(text) && !NEXT_REVEAL.test(text))
  watch.stop()
  return { found: body.counts.found, sent }
}

interface PlanNode {
  'Node Type': string
  'Actual Rows': number
  'Rows Removed by Filter'?: number
  'Rows Removed by Index Recheck'?: number
  Plans?: PlanNode[]
}

/** What each step of a statement reads and drops. */
async function readBy({ text, values, settingsOff }: Statement): Promise<unknown[]> {
  const client = await server.ctx.pool.connect()
  try {
    await client.query('begin')
    for (const name of settingsOff) await client.query(`set local ${name} = off`)
    const { rows } = await client.query(
      `explain (analyze, timing off, format json) ${text}`,
      values,
    )
    await client.query('rollback')
    return [...stepsOf(rows[0]['QUERY PLAN'][0].Plan)]
  } finally {
    client.release()
  }
}

function* stepsOf(node: PlanNode): Generator<unknown> {
  yield [
    node['Node Type'],
    node['Actual Rows'],
    node['Rows Removed by Filter'],
    node['Rows Removed by Index Recheck'],
  ]
  for (const child of node.Plans ?? []) yield* stepsOf(child)
}

it.each([
  ['letters', 'pivoine', 'rhododendron'],
  // Another word: what visitors are answered is remembered.
  ['titles', 'jonquille', 'campanule'],
  ['what is theirs whose pseudo it is', 'muguet', 'lavande'],
])(
  'does the same whether others keep a phrase in %s or nobody wrote it',
  async (_, phrase, nobodys) => {
    for (const as of [undefined, viewer]) {
      const [silent, empty] = [await search(phrase, as), await search(nobodys, as)]
      expect([silent.found, empty.found]).toEqual([0, 0])
      expect(silent.sent.map(({ text }) => text)).toEqual(empty.sent.map(({ text }) => text))
      for (const [n, statement] of silent.sent.entries()) {
        expect(await readBy(statement)).toEqual(await readBy(empty.sent[n] as Statement))
      }
    }
  },
)

it('finds what is shown to the viewer, and follows an audience that changes', async () => {
  const foundBy = async (as: Person | undefined, q = 'anemone') => (await search(q, as)).found
  expect([await foundBy(undefined), await foundBy(viewer), await foundBy(friend)]).toEqual([
    1, 2, 2,
  ])
  const { body } = await server.call('GET', '/api/revelations?q=anemone&visibility=friends', {
    as: friend,
  })
  const url = `/api/revelations/${body.revelations[0].id}`
  const narrowed = await server.call('PUT', url, { as: friend, body: { visibility: 'private' } })
  expect(narrowed.status).toBe(200)
  expect([await foundBy(undefined), await foundBy(viewer), await foundBy(friend)]).toEqual([
    1, 1, 2,
  ])
  expect(await foundBy(friend, 'pivoine')).toBe(PER_VISIBILITY)
})
