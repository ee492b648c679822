import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import type { Visibility } from '#contract/revelations.ts'
import { inTransaction } from '#server/context.ts'
import { formsOfText, search as searchIn, tablesOf } from '#testing/canary.ts'
import { A_DAY_MS, createRevelation, relate } from '#testing/factories.ts'
import {
  PASSWORD,
  type Person,
  signedIn,
  startTestServer,
  type TestApp,
} from '#testing/test-server.ts'
import { hideRevelation, restoreRevelation } from './revelations.service.ts'
import { indexRevealedLetters } from './search-index.service.ts'

let server: TestApp
let author: Person
let friend: Person
let letters = 0

beforeAll(async () => {
  server = await startTestServer()
  friend = await signedIn(server)
})
afterAll(() => server.close())

beforeEach(async () => {
  await indexRevealedLetters(server.ctx)
  author = await signedIn(server)
  await relate(server, author, friend, 'friend')
})

/** A letter that contains a word of its own. */
async function seal(visibility: Visibility): Promise<{ id: string; word: string }> {
  letters += 1
  const word = `pivœine${letters}x`
  const content = `Une « ${word.toUpperCase()} » que j’ai plantée.`
  const { id } = await createRevelation(server, author, { visibility, content })
  return { id, word }
}

async function reveal(): Promise<void> {
  server.clock.advance(2 * A_DAY_MS)
  await indexRevealedLetters(server.ctx)
}

async function isFoundBy(as: Person | undefined, word: string): Promise<boolean> {
  const { status, body } = await server.call('GET', `/api/revelations?q=${encodeURI(word)}`, { as })
  expect(status).toBe(200)
  expect(body.revelations).toHaveLength(body.counts.found)
  expect(body.counts.found).toBeLessThanOrEqual(1)
  return body.counts.found === 1
}

/** Who finds the word: a visitor, a friend, the author. */
async function findersOf(word: string): Promise<boolean[]> {
  return Promise.all([undefined, friend, author].map((as) => isFoundBy(as, word)))
}

/** The tables where the word can be read, as it was written or in the form that is searched. */
async function tablesWith(word: string): Promise<string[]> {
  const needles = [word, word.toUpperCase(), word.replace('œ', 'oe')].flatMap(formsOfText)
  const tables = await tablesOf(server.ctx.db)
  return tables
    .filter((table) => searchIn([table], needles).length > 0)
    .map(({ name }) => name.replace(/^.*?(\w+)$/, '$1'))
}

it.each([
  ['public', [true, true, true], ['public_letters']],
  ['friends', [false, true, true], []],
  ['private', [false, false, true], []],
] as const)(
  'a %s letter is found by its words by whoever may read it',
  async (visibility, finders, readable) => {
    const { word } = await seal(visibility)
    expect(await findersOf(word)).toEqual([false, false, true])
    expect(await tablesWith(word)).toEqual([])
    await reveal()
    expect(await findersOf(word)).toEqual(finders)
    expect(await tablesWith(word)).toEqual(readable)
    expect(await isFoundBy(author, `${word} » que j’ai`)).toBe(true)
  },
)

it.each([
  ['public', undefined],
  ['friends', 'friend'],
] as const)('a ligature of a %s letter is found by its two letters', async (visibility, reader) => {
  const { word } = await seal(visibility)
  await reveal()
  expect(await isFoundBy(reader && friend, word.replace('œ', 'oe'))).toBe(true)
})

it('a clock that goes back finds nothing that is sealed again', async () => {
  const { word } = await seal('public')
  await reveal()
  server.clock.advance(-2 * A_DAY_MS)
  expect(await findersOf(word)).toEqual([false, false, false])
  server.clock.advance(2 * A_DAY_MS)
  expect(await findersOf(word)).toEqual([true, true, true])
})

const losses: [string, (id: string) => Promise<unknown>, found: boolean[]][] = [
  [
    'narrowed',
    (id) =>
      server.call('PUT', `/api/revelations/${id}`, { as: author, body: { visibility: 'friends' } }),
    [false, true, true],
  ],
  [
    'hidden',
    (id) => inTransaction(server.ctx, (tx) => hideRevelation(tx, id)),
    [false, false, true],
  ],
  [
    'deleted',
    (id) => server.call('DELETE', `/api/revelations/${id}`, { as: author }),
    [false, false, false],
  ],
  [
    'of an account that is deleted',
    () => server.call('DELETE', '/api/auth/account', { as: author, body: { password: PASSWORD } }),
    [],
  ],
]

it.each(losses)(
  'the words of a letter that is %s are no longer there',
  async (_, lose, finders) => {
    const { id, word } = await seal('public')
    await reveal()
    expect(await tablesWith(word)).toEqual(['public_letters'])
    await lose(id)
    expect(await tablesWith(word)).toEqual([])
    expect(await isFoundBy(undefined, word)).toBe(false)
    await indexRevealedLetters(server.ctx)
    expect(await tablesWith(word)).toEqual([])
    if (finders.length > 0) expect(await findersOf(word)).toEqual(finders)
  },
)

it('a letter that is shown again after it was hidden is found at once, and in its own words after that', async () => {
  const { id, word } = await seal('public')
  await reveal()
  await inTransaction(server.ctx, (tx) => hideRevelation(tx, id))
  await indexRevealedLetters(server.ctx)
  await inTransaction(server.ctx, (tx) => restoreRevelation(tx, id))
  expect(await findersOf(word)).toEqual([true, true, true])
  expect(await tablesWith(word)).toEqual([])
  expect(await indexRevealedLetters(server.ctx)).toBe(1)
  expect(await findersOf(word)).toEqual([true, true, true])
  expect(await tablesWith(word)).toEqual(['public_letters'])
  expect(await indexRevealedLetters(server.ctx)).toBe(0)
})

it('a letter that is narrowed while it is made searchable leaves no word', async () => {
  const { id, word } = await seal('public')
  server.clock.advance(2 * A_DAY_MS)
  const client = await server.ctx.pool.connect()
  try {
    await client.query('begin')
    await client.query("update revelations set visibility = 'friends' where id = $1", [id])
    await indexRevealedLetters(server.ctx)
    await client.query('commit')
  } finally {
    client.release(true)
  }
  expect(await tablesWith(word)).toEqual([])
  await indexRevealedLetters(server.ctx)
  expect(await tablesWith(word)).toEqual([])
  expect(await findersOf(word)).toEqual([false, true, true])
})

it('a letter that is narrowed while its words are being written leaves none', async () => {
  const { id, word } = await seal('public')
  server.clock.advance(2 * A_DAY_MS)
  const client = await server.ctx.pool.connect()
  try {
    const { rows } = await client.query('select pg_backend_pid() as pid')
    let narrowed: Promise<unknown> = Promise.resolve()
    await inTransaction(server.ctx, async (tx) => {
      expect(await indexRevealedLetters(tx)).toBe(1)
      narrowed = client.query("update revelations set visibility = 'friends' where id = $1", [id])
      await isWaiting(rows[0].pid)
    })
    await narrowed
  } finally {
    client.release(true)
  }
  expect(await tablesWith(word)).toEqual([])
  await indexRevealedLetters(server.ctx)
  expect(await tablesWith(word)).toEqual([])
  expect(await findersOf(word)).toEqual([false, true, true])
})

/** Until this connection waits for what another has locked. */
async function isWaiting(pid: number): Promise<void> {
  await vi.waitFor(
    async () => {
      const { rows } = await server.ctx.pool.query('select pg_blocking_pids($1) as pids', [pid])
      expect(rows[0].pids).not.toEqual([])
    },
    { timeout: 20_000 },
  )
}

it('a letter that changes after all, by a clock that is behind, leaves no word of before', async () => {
  const { id, word } = await seal('public')
  await reveal()
  server.clock.advance(-2 * A_DAY_MS)
  const body = { content: 'Tout autre chose, en fin de compte.' }
  expect((await server.call('PUT', `/api/revelations/${id}`, { as: author, body })).status).toBe(
    200,
  )
  expect(await tablesWith(word)).toEqual([])
  await reveal()
  expect(await findersOf(word)).toEqual([false, false, false])
  expect(await tablesWith('tout autre chose')).toEqual(['public_letters'])
})

it('a clock that goes back stops no other letter from being searched', async () => {
  const [hidden, kept] = [await seal('public'), await seal('public')]
  await reveal()
  await inTransaction(server.ctx, (tx) => hideRevelation(tx, hidden.id))
  await indexRevealedLetters(server.ctx)
  await inTransaction(server.ctx, (tx) => restoreRevelation(tx, hidden.id))
  server.clock.advance(-2 * A_DAY_MS)
  expect(await indexRevealedLetters(server.ctx)).toBe(0)
  server.clock.advance(2 * A_DAY_MS)
  expect(await indexRevealedLetters(server.ctx)).toBe(1)
  for (const { word } of [hidden, kept]) expect(await findersOf(word)).toEqual([true, true, true])
})
