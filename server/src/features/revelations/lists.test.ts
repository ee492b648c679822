import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Revelation, SORTS } from '#contract/revelations.ts'
import { PREPARED_READ } from '#server/platform/database/db.ts'
import { A_DAY_MS, createRevelation, relate } from '#testing/factories.ts'
import { type Person, signedIn, startTestServer, type TestApp } from '#testing/test-server.ts'

let server: TestApp
let author: Person
let friend: Person

beforeAll(async () => {
  server = await startTestServer()
  author = await signedIn(server, { pseudo: 'Marguerite' })
  friend = await signedIn(server)
  await relate(server, author, friend, 'family')
  const titles = {
    public: 'Éclipse',
    friends: 'Déménagement',
    family: 'Naissance',
    private: 'Journal',
  }
  for (const [visibility, title] of Object.entries(titles)) {
    server.clock.advance(1000)
    await createRevelation(server, author, {
      title,
      visibility: visibility as keyof typeof titles,
      content: `Le mot caché de « ${title} » est mirabelle-${visibility}.`,
      reveal_date: new Date(server.clock.now.getTime() + 5 * A_DAY_MS).toISOString(),
    })
  }
})
afterAll(() => server.close())

async function list(query: string, as?: Person) {
  const { status, body } = await server.call('GET', `/api/revelations${query}`, { as })
  return { status, body, titles: (body.revelations ?? []).map((item: Revelation) => item.title) }
}

function forged(cursor: unknown[]): string {
  return `?cursor=${Buffer.from(JSON.stringify(cursor)).toString('base64url')}`
}

describe('the feed', () => {
  it('shows public and friends’ items, one’s own, and never family', async () => {
    expect((await list('')).titles).toEqual(['Éclipse'])
    expect((await list('', friend)).titles).toEqual(['Déménagement', 'Éclipse'])
    expect((await list('', author)).titles).toEqual(['Journal', 'Déménagement', 'Éclipse'])
  })

  it('filters by visibility and counts what it shows', async () => {
    expect((await list('?visibility=family', friend)).titles).toEqual(['Naissance'])
    expect((await list('?visibility=private', friend)).titles).toEqual([])
    expect((await list('?visibility=private', author)).titles).toEqual(['Journal'])
    const { body } = await list('?visibility=friends', friend)
    expect(body.counts).toEqual({ found: 1, revealed: 0, pending: 1 })
    expect((await list('?status=revealed', friend)).body.counts.found).toBe(0)
    expect((await list('?status=pending&category=general', friend)).body.counts.found).toBe(2)
    expect((await list('?category=love', friend)).body.counts.found).toBe(0)
  })

  it('refuses filters and cursors that do not exist', async () => {
    for (const query of [
      '?visibility=tous',
      '?status=x',
      '?sort=x',
      '?limit=0',
      '?limit=101',
      '?q=deux&q=fois',
      '?cursor=zz',
      forged(['newest', '2026-11-20T12:00:00.000Z', '-'.repeat(36)]),
      forged(['newest', 5, author.id]),
      forged(['newest', '2020', author.id]),
      `${forged(['popular', 2 ** 40, author.id])}&sort=popular`,
    ]) {
      const { status, body } = await list(query)
      expect([query, status]).toEqual([query, 400])
      expect(body.error).not.toMatch(/invalid|expected/i)
    }
  })

  it('plans once only pages of the usual size, whatever sizes are asked', async () => {
    const { pool, db } = server.ctx
    for (const limit of [20, 61, 62]) {
      for (const as of [undefined, author]) await list(`?limit=${limit}`, as)
    }
    const connections = await Promise.all(
      Array.from({ length: pool.totalCount }, () => pool.connect()),
    )
    const planned = await Promise.all(
      connections.map(async (connection) => {
        const { rows } = await connection.query('select statement from pg_prepared_statements')
        connection.release()
        return rows.map(({ statement }) => statement).join()
      }),
    )
    const shared = await sql<{ statement: string }>`
      select statement from pg_prepared_statements ${PREPARED_READ}`.execute(db)
    planned.push(...shared.rows.map(({ statement }) => statement))
    expect(planned.join()).toContain('limit 21')
    expect(planned.join()).not.toMatch(/limit 6[23]/)
  })

  it('takes the year 0 for an instant before all others', async () => {
    for (const as of [undefined, author]) {
      expect(
        (await list(forged(['newest', '0000-01-01T00:00:00Z', author.id]), as)).titles,
      ).toEqual([])
    }
  })

  it('shows of another person only what is public and revealed', async () => {
    const of = async (as?: Person) =>
      (await server.call('GET', `/api/revelations/user/${author.id}`, { as })).body.counts.found
    expect(await of(author)).toBe(4)
    expect(await of(friend)).toBe(0)
    const start = server.clock.now
    server.clock.advance(6 * A_DAY_MS)
    expect(await of(friend)).toBe(1)
    server.clock.now = start
  })
})

describe('search', () => {
  it('finds titles and pseudos without minding case or accents', async () => {
    expect((await list('?q=eclipse')).titles).toEqual(['Éclipse'])
    expect((await list('?q=CLIP')).titles).toEqual(['Éclipse'])
    expect((await list('?q=marguerite', friend)).titles).toHaveLength(2)
    for (const q of ['%', '％', '＿', '\\', '\0', 'Écl\0ipse']) {
      expect([q, (await list(`?q=${encodeURIComponent(q)}`)).titles]).toEqual([q, []])
    }
  })

  it('looks into a sealed letter for its author only', async () => {
    expect((await list('?q=mirabelle', author)).titles).toHaveLength(3)
    expect((await list('?q=mirabelle', friend)).body.counts.found).toBe(0)
    expect((await list('?q=mirabelle')).body.counts.found).toBe(0)
  })

  it('looks into revealed letters for those who may read them, once they are indexed', async () => {
    const start = server.clock.now
    server.clock.advance(6 * A_DAY_MS)
    await server.runJobs()
    expect((await list('?q=MIRABELLE')).titles).toEqual(['Éclipse'])
    expect((await list('?q=mirabelle-p')).titles).toEqual(['Éclipse'])
    expect((await list('?q=mirabelle-friends')).titles).toEqual([])
    expect((await list('?q=mirabelle-friends', friend)).titles).toEqual(['Déménagement'])
    expect((await list('?q=mirabelle-family&visibility=family', friend)).titles).toEqual([
      'Naissance',
    ])
    expect((await list('?q=belle-mira')).titles).toEqual([])
    server.clock.now = start
  })
})

describe('pages', () => {
  it('give every item once in the right order, whatever the sort and the size', async () => {
    const prolific = await signedIn(server)
    await server.ctx.db
      .insertInto('subscriptions')
      .values({ userId: prolific.id, plan: 'pro' })
      .execute()
    for (let n = 0; n < 13; n += 1) {
      // Several share an instant of creation and of reveal: the id must decide.
      if (n % 3 === 0) server.clock.advance(1000)
      await createRevelation(server, prolific, {
        title: `Numéro ${n}`,
        reveal_date: new Date(server.clock.now.getTime() + (n % 4) * A_DAY_MS).toISOString(),
      })
    }
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...SORTS),
        fc.integer({ min: 1, max: 7 }),
        async (sort, limit) => {
          const seen: Revelation[] = []
          let cursor: string | null = null
          do {
            const { body } = await list(
              `?author=${prolific.id}&sort=${sort}&limit=${limit}${cursor ? `&cursor=${cursor}` : ''}`,
            )
            seen.push(...body.revelations)
            cursor = body.next_cursor
          } while (cursor)
          expect(new Set(seen.map((item) => item.id)).size).toBe(13)
          expect(seen).toHaveLength(13)
          const keys = seen.map((item) =>
            sort === 'newest' ? item.created_at : sort === 'popular' ? '' : item.reveal_date,
          )
          const expected = [...keys].sort()
          expect(keys).toEqual(sort === 'soonest' ? expected : expected.reverse())
        },
      ),
      { numRuns: 20 },
    )
  })
})
