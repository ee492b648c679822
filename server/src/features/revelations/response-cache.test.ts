import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { AN_HOUR_MS, createRevelation } from '#testing/factories.ts'
import { type Person, signedIn, startTestServer, type TestApp } from '#testing/test-server.ts'
import type { Shown } from './lists.rules.ts'
import { followPublicChanges, forgetPublicChanges } from './public-changes.service.ts'
import type { Cached, CachedMany, Remembered } from './public-items.service.ts'
import { createAnswerCache } from './response-cache.service.ts'

const BYTES = 100_000
/** Room for two answers and what they occupy besides. */
const FOR_TWO = 2.5 * BYTES

interface Answer extends Remembered {
  text: string
}

let server: TestApp
let author: Person
let built: number
let readings: number
let cached: Cached<Answer>
let cachedMany: CachedMany<Answer>
let checkOf: (key: string, answer: Answer) => () => Promise<boolean>

beforeEach(async () => {
  server = await startTestServer()
  author = await signedIn(server)
  built = 0
  readings = 0
  const changes = followPublicChanges(server.ctx)
  const readRevision = async () => {
    const revision = await changes.readRevision()
    readings += 1
    return revision
  }
  const cache = createAnswerCache<Answer>(server.ctx, { ...changes, readRevision }, FOR_TWO)
  cached = cache.get
  cachedMany = cache.getMany
  checkOf = cache.checkOf
})
afterEach(() => server.close())

function getAnswer(key = 'feed', shown: Shown = { rows: [], chosenBy: 'list' }): Promise<Answer> {
  return cached(key, async (still) => {
    built += 1
    return { text: `${key} ${built} at ${still.now().getTime() % 1000}`, bytes: BYTES, ...shown }
  })
}

async function getCached(key?: string, shown?: Shown): Promise<string> {
  return (await getAnswer(key, shown)).text
}

/** How often an answer that shows this is built for a reader before and one after. */
async function builtAround(shown: Shown, work: () => Promise<unknown>): Promise<number> {
  const before = built
  await getCached(JSON.stringify(shown), shown)
  await work()
  await getCached(JSON.stringify(shown), shown)
  return built - before
}

function opensInAnHour(): string {
  return new Date(server.clock.now.getTime() + AN_HOUR_MS).toISOString()
}

describe('what is the same for everybody', () => {
  it('is built anew for whoever comes after a change, although one is being built', async () => {
    const letter = await createRevelation(server, author)
    const shown: Shown = { rows: [letter.id], chosenBy: 'row' }
    const { promise, resolve } = Promise.withResolvers<void>()
    const early = cached('one', async () => {
      await promise
      return { text: 'before', bytes: BYTES, ...shown }
    })
    await vi.waitFor(() => expect(readings).toBe(1))
    await server.ctx.pool.query('update revelations set comments_count = comments_count + 1')
    const late = await cached('one', async () => ({ text: 'after', bytes: BYTES, ...shown }))
    resolve()
    expect([(await early).text, late.text]).toEqual(['before', 'after'])
    const next = await cached('one', async () => ({ text: 'again', bytes: BYTES, ...shown }))
    expect(next.text).toBe('after')
  })

  it('is built once as long as nothing that it shows is changed', async () => {
    const letter = await createRevelation(server, author)
    const other = await createRevelation(server, author)
    const comment = async () => {
      const body = { revelation_id: other.id, content: `Vivement demain, ${built}.` }
      const { status } = await server.call('POST', '/api/comments', { as: author, body })
      expect(status).toBe(201)
    }
    for (const chosenBy of ['row', 'list', 'order'] as const) {
      expect(await builtAround({ rows: [letter.id], chosenBy }, comment)).toBe(1)
    }
    expect(await builtAround({ rows: [letter.id, other.id], chosenBy: 'row' }, comment)).toBe(2)
  })

  it('is built anew after a write that may change which rows it has, and right after it', async () => {
    await getCached()
    for (const write of [
      () => createRevelation(server, author),
      () =>
        server.ctx.pool.query(
          `update revelations set category = 'other' where category <> 'other'`,
        ),
      () => server.ctx.pool.query(`update revelations set visibility = 'private'`),
      () => server.ctx.pool.query(`update revelations set visibility = 'public'`),
      () => server.ctx.pool.query('delete from revelations'),
    ]) {
      const before = built
      await write()
      await getCached()
      expect(built).toBe(before + 1)
    }
  })

  it('is built anew by what it is sorted by, and a search by anything', async () => {
    const { id } = await createRevelation(server, author)
    const react = () =>
      server.ctx.pool.query('update revelations set reactions_count = reactions_count + 1')
    expect(await builtAround({ rows: [], chosenBy: 'order' }, react)).toBe(2)
    expect(await builtAround({ rows: [], chosenBy: 'search' }, react)).toBe(2)
    expect(await builtAround({ rows: [], chosenBy: 'search' }, react)).toBe(1)
    const index = () =>
      server.ctx.pool.query(
        `insert into letter_grams (revelation_id, grams) values ('${id}', '{}')`,
      )
    expect(await builtAround({ rows: [], chosenBy: 'search' }, index)).toBe(1)
  })

  it('is built anew once what was noted is forgotten, and not where there was nothing to forget', async () => {
    const { id } = await createRevelation(server, author)
    const forget = () => forgetPublicChanges(server.ctx)
    const shown: Shown = { rows: [id], chosenBy: 'row' }
    await forget()
    // The change is committed and its note gone before anybody looked.
    const change = async () => {
      await server.ctx.pool.query('update revelations set comments_count = comments_count + 1')
      await forget()
    }
    expect(await builtAround(shown, change)).toBe(2)
    expect(await builtAround(shown, forget)).toBe(0)
    const { rows } = await server.ctx.pool.query('select scope from public_changes')
    expect(rows).toEqual([{ scope: 'everything' }])
  })

  it('sees what a transaction wrote when it is committed, whatever was committed since it wrote', async () => {
    const [early, late] = [
      await createRevelation(server, author),
      await createRevelation(server, author),
    ]
    const shown: Shown = { rows: [early.id], chosenBy: 'row' }
    const client = await server.ctx.pool.connect()
    try {
      await client.query('begin')
      await client.query(`update revelations set title = 'Tout autre' where id = '${early.id}'`)
      const another = () =>
        server.ctx.pool.query(`update revelations set title = 'Autre' where id = '${late.id}'`)
      expect(await builtAround(shown, another)).toBe(1)
      expect(await builtAround(shown, () => client.query('commit'))).toBe(1)
    } finally {
      client.release()
    }
  })

  it('is built anew at the instant of a reveal, after a minute, and when the clock goes back', async () => {
    await createRevelation(server, author, { reveal_date: opensInAnHour() })
    server.clock.advance(AN_HOUR_MS - 1_000)
    for (const step of [1_000, 60_000, -1]) {
      await getCached()
      const before = built
      await getCached()
      expect(built).toBe(before)
      server.clock.advance(step)
      await getCached()
      expect(built).toBe(before + 1)
    }
  })

  it('says later of an answer whether it is current: not after a change, a reveal or a minute, nor once it was displaced', async () => {
    await createRevelation(server, author, { reveal_date: opensInAnHour() })
    server.clock.advance(AN_HOUR_MS - 1_000)
    const steps = [
      () => createRevelation(server, author),
      async () => server.clock.advance(1_000),
      async () => server.clock.advance(60_000),
      async () => server.clock.advance(-1),
      async () => void (await Promise.all(['one', 'two'].map((key) => getCached(key)))),
    ]
    for (const step of steps) {
      const isCurrent = checkOf('feed', await getAnswer())
      expect(await isCurrent()).toBe(true)
      await step()
      expect(await isCurrent()).toBe(false)
      // Nor when there is another one, which is.
      await getAnswer()
      expect(await isCurrent()).toBe(false)
    }
  })

  it('takes no more room than it is given: what was not asked for longest goes first', async () => {
    for (const key of ['one', 'two', 'three']) await getCached(key)
    const before = built
    await getCached('three')
    expect(built).toBe(before)
    await getCached('one')
    expect(built).toBe(before + 1)
  })

  it('is built for the rows of a list that are not current, and for them together', async () => {
    const letters = [
      await createRevelation(server, author),
      await createRevelation(server, author, { reveal_date: opensInAnHour() }),
    ]
    const [one, other] = letters.map(({ id }) => id) as [string, string]
    const asked: (readonly string[])[] = []
    const getMany = async (ids: readonly string[]) => {
      const values = await cachedMany(ids, async (_, missing) => {
        asked.push(missing)
        const answer = (id: string) => ({
          text: id,
          bytes: 10,
          rows: [id],
          chosenBy: 'row' as const,
        })
        return new Map(missing.map((id) => [id, answer(id)]))
      })
      expect([...values.values()].map(({ text }) => text).toSorted()).toEqual([...ids].toSorted())
    }
    await getMany([one])
    await getMany([one, other])
    await server.ctx.pool.query(`update revelations set title = 'Autre' where id = '${one}'`)
    await getMany([other, one])
    await getMany([one, other])
    server.clock.advance(AN_HOUR_MS)
    await getMany([one, other])
    expect(asked).toEqual([[one], [other], [one], [one, other]])
  })

  it('is built once for all who ask at the same time', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => getCached()))
    expect(new Set(answers).size).toBe(1)
  })

  it('is refused to all who wait when the database cannot be asked, and given again after', async () => {
    let fails = true
    const changes = followPublicChanges(server.ctx)
    const readRevision = async () => {
      if (fails) throw new Error('gone')
      return changes.readRevision()
    }
    const { get } = createAnswerCache<Answer>(server.ctx, { ...changes, readRevision }, FOR_TWO)
    const build = async (): Promise<Answer> => ({
      text: 'built',
      bytes: BYTES,
      rows: [],
      chosenBy: 'list',
    })
    await expect(get('key', build)).rejects.toThrow('gone')
    fails = false
    await expect(get('key', build)).resolves.toMatchObject({ text: 'built' })
  })
})
