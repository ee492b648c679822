import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Revelation } from '#contract/revelations.ts'
import { insertRows, rowOf } from '#testing/rows.ts'
import { type Person, signedIn, startTestServer, type TestApp } from '#testing/test-server.ts'

let server: TestApp
let author: Person

/** Frequent words in more rows than are counted: in the newest, or in none but the oldest. */
beforeAll(async () => {
  server = await startTestServer()
  author = await signedIn(server)
  const now = server.clock.now.getTime()
  const rows = Array.from({ length: 4_200 }, (_, n) =>
    rowOf(server, {
      authorId: author.id,
      title: `${n < 2_500 ? 'Partout' : 'Jadis'} ${n}${n === 4_199 ? ' trésor' : ''}`,
      createdAt: new Date(now - n * 1000),
      revealAt: new Date(now + (n % 2 === 0 ? -1 : 1) * 1000 * (n + 1)),
    }),
  )
  // Older than all of them, and its author's alone: more than are counted.
  const own = Array.from({ length: 600 }, (_, n) =>
    rowOf(server, {
      authorId: author.id,
      title: `Jadis, à part ${n}`,
      visibility: 'private',
      createdAt: new Date(now - (10_000 + n) * 1000),
    }),
  )
  await insertRows(server, [...rows, ...own])
})
afterAll(() => server.close())

async function search(query: string, as?: Person) {
  const { body } = await server.call('GET', `/api/revelations?${query}`, { as })
  const titles = body.revelations.map((item: Revelation) => item.title)
  return { titles, counts: body.counts, cursor: body.next_cursor }
}

it('stops counting what is found more than five hundred times, and says so', async () => {
  const { counts } = await search('q=partout')
  expect(counts).toMatchObject({ found: 500, is_capped: true })
  expect(counts.revealed + counts.pending).toBe(500)
  const counted = { found: 111, revealed: 56, pending: 55 }
  expect((await search('q=partout%2024')).counts).toEqual(counted)
  expect((await search('q=partout%20249')).counts).toEqual({ found: 11, revealed: 5, pending: 6 })
})

it('pages through what is frequent, wherever it stands in the list', async () => {
  for (const as of [undefined, author]) {
    for (const [word, first] of [
      ['partout', 0],
      ['jadis', 2_500],
    ] as const) {
      const one = await search(`q=${word}&limit=3`, as)
      const name = (n: number) => `${word === 'jadis' ? 'Jadis' : 'Partout'} ${n}`
      expect(one.titles).toEqual([name(first), name(first + 1), name(first + 2)])
      const two = await search(`q=${word}&limit=2&cursor=${one.cursor}`, as)
      expect(two.titles).toEqual([name(first + 3), name(first + 4)])
    }
  }
})

it('finds what is rare however far down it stands', async () => {
  expect((await search('q=tresor')).titles).toEqual(['Jadis 4199 trésor'])
  expect((await search('q=tresor&status=revealed')).titles).toEqual([])
  expect((await search('q=tresor&status=pending&sort=popular')).counts.found).toBe(1)
})

it('looks for one or two letters in the newest thousand only', async () => {
  expect((await search('q=%C3%A9s')).titles).toEqual([])
  expect((await search('q=pa')).counts.found).toBe(1_000)
  expect((await search('q=pa&limit=2')).titles).toEqual(['Partout 0', 'Partout 1'])
})
