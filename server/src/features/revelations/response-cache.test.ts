import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { watchSnapshots } from '#server/platform/database/database.ts'
import { AN_HOUR_MS, createRevelation } from '#testing/factories.ts'
import { type Person, signedIn, startTestServer, type TestApp } from '#testing/test-server.ts'
import { createSnapshotCache } from './response-cache.service.ts'

let server: TestApp
let author: Person
let built: number
let cached: ReturnType<typeof createSnapshotCache<string>>

beforeEach(async () => {
  server = await startTestServer()
  author = await signedIn(server)
  built = 0
  const currentSnapshot = watchSnapshots(server.ctx.pool)
  const sizeOf = (text: string) => text.length
  cached = createSnapshotCache<string>(server.ctx, { currentSnapshot, sizeOf, maxBytes: 30 })
})
afterEach(() => server.close())

function getCached(key = 'feed'): Promise<string> {
  return cached(key, async (still) => {
    built += 1
    return `${key} ${built} at ${still.now().getTime() % 1000}`
  })
}

function opensInAnHour(): string {
  return new Date(server.clock.now.getTime() + AN_HOUR_MS).toISOString()
}

/** Other programs on the same server may write at any time; then everything is built anew. */
async function isRemembered(key?: string): Promise<boolean> {
  for (let tries = 0; tries < 20; tries += 1) {
    await getCached(key)
    const before = built
    await getCached(key)
    if (built === before) return true
  }
  return false
}

describe('what is the same for everybody', () => {
  it('is built once as long as nothing is written', async () => {
    expect(await isRemembered()).toBe(true)
  })

  it('is built anew after any write, and right after it', async () => {
    await getCached()
    for (const write of [
      () => createRevelation(server, author),
      () => server.ctx.pool.query(`update users set bio = 'Autre' where id = '${author.id}'`),
      () => server.ctx.pool.query('delete from revelations'),
    ]) {
      const before = built
      await write()
      await getCached()
      expect(built).toBe(before + 1)
    }
  })

  it('is built anew at the instant of a reveal, after a minute, and when the clock goes back', async () => {
    await createRevelation(server, author, { reveal_date: opensInAnHour() })
    server.clock.advance(AN_HOUR_MS - 1_000)
    for (const step of [1_000, 60_000, -1]) {
      expect(await isRemembered()).toBe(true)
      const before = built
      server.clock.advance(step)
      await getCached()
      expect(built).toBe(before + 1)
    }
  })

  it('takes no more room than it is given: what was not asked for longest goes first', async () => {
    expect(await isRemembered('one')).toBe(true)
    expect(await isRemembered('two')).toBe(true)
    expect(await isRemembered('three')).toBe(true)
    const before = built
    await getCached('one')
    expect(built).toBe(before + 1)
  })

  it('is built once for all who ask at the same time', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => getCached()))
    // Those who came while the first question was under way wait for the next.
    expect(new Set(answers).size).toBeLessThanOrEqual(3)
  })

  it('is refused to all who wait when the database cannot be asked, and given again after', async () => {
    let fails = true
    const flaky = createSnapshotCache<string>(server.ctx, {
      currentSnapshot: async () => {
        if (fails) throw new Error('gone')
        return 'one'
      },
      sizeOf: (text) => text.length,
      maxBytes: 30,
    })
    await expect(flaky('key', async () => 'built')).rejects.toThrow('gone')
    fails = false
    await expect(flaky('key', async () => 'built')).resolves.toBe('built')
  })
})
