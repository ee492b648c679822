import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { QUICK_MUTANTS } from '#testing/two-worlds/mutants.ts'
import { findPlanted, searchTraces } from '#testing/two-worlds/search.ts'
import { openWorlds, type Worlds } from '#testing/two-worlds/worlds.ts'

// One trace, which seals a video, and some leaks of each kind; `two-worlds.system.test.ts` plays more of both.
const SEED = 2

let worlds: Worlds

beforeAll(async () => {
  worlds = await openWorlds()
})
afterAll(() => worlds.close())

describe('two worlds that differ in what is locked and in nothing else', () => {
  let requested: ReadonlySet<string> = new Set()

  it('look the same to everybody but the author in every answer', async () => {
    const result = await searchTraces(worlds, { seed: SEED, runs: 1 })
    expect(result.failure).toBeUndefined()
    requested = result.requested
  })

  it('received every call of the API', async () => {
    const { body } = await worlds.A.server.call('GET', '/api/docs')
    const forgotten = routesOf(body).filter(
      ({ name, pattern }) =>
        !OF_ONES_OWN_ACCOUNT.includes(name) &&
        ![...requested].some((request) => pattern.test(request)),
    )
    expect(forgotten.map(({ name }) => name)).toEqual([])
  })
})

/** What touches nothing that somebody else could have locked. */
const OF_ONES_OWN_ACCOUNT = [
  'POST /api/auth/register',
  'POST /api/auth/login',
  'POST /api/auth/logout',
  'PUT /api/auth/profile',
  'PUT /api/auth/change-password',
  'POST /api/auth/onboarded',
  'DELETE /api/auth/sessions',
  'DELETE /api/auth/sessions/{id}',
  'PUT /api/subscriptions/preferences',
  'POST /api/subscriptions/upgrade',
  'POST /api/subscriptions/storage',
  'PUT /api/notifications/switches',
  'GET /api/push',
  'POST /api/push/test',
  'PUT /api/push/subscription',
  'DELETE /api/push/subscription',
  'GET /api/health',
  'GET /api/site',
]

function routesOf(document: {
  paths: Record<string, object>
}): { name: string; pattern: RegExp }[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => {
      const name = `${method.toUpperCase()} ${path}`
      return { name, pattern: new RegExp(`^${name.replaceAll(/\{[^}]+\}/g, '[^/]+')}$`) }
    }),
  )
}

it.each(QUICK_MUTANTS)('a leak planted in the servers is found: $name', async (mutant) => {
  expect(await findPlanted(worlds, mutant, { traceCount: 1 })).toBeDefined()
})
