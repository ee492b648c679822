import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { PlanOffer } from '#contract/subscriptions.ts'
import { A_DAY_MS, createRevelation, verifiedPerson, verifyEmail } from '#testing/factories.ts'
import { picture } from '#testing/media-files.ts'
import { beginUpload, requestUpload } from '#testing/resumable-uploads.ts'
import { type Person, signedIn, startTestServer, type TestApp } from '#testing/test-server.ts'
import { sendFile, uploadFile } from '#testing/uploads.ts'

let server: TestApp

beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

const AT = '/api/subscriptions'
const MB = 1024 * 1024

async function subscribe(userId: string, row: object): Promise<void> {
  await server.ctx.db
    .insertInto('subscriptions')
    .values({ userId, plan: 'free', ...row })
    .execute()
}

describe('GET /api/subscriptions/me', () => {
  it('answers the free plan, empty and without an end, to an account that never subscribed', async () => {
    const person = await signedIn(server)
    const { status, body } = await server.call('GET', `${AT}/me`, { as: person })
    expect([status, body]).toEqual([
      200,
      {
        subscription_type: 'free',
        subscription_expires: null,
        expired_plan: null,
        additional_storage: 0,
        extra_storage: 0,
        total_storage: 100,
        used_storage: 0,
        awaits_verification: true,
      },
    ])
  })

  it('measures the originals as they are stored, used or not', async () => {
    const person = await signedIn(server)
    const bytes = await picture('png', 900, 700)
    const { url } = await uploadFile(server, person, { bytes })
    const used = async () =>
      (await server.call('GET', `${AT}/me`, { as: person })).body.used_storage
    const expected = Math.ceil((bytes.length / MB) * 100) / 100
    expect(expected).toBeGreaterThan(0)
    expect(await used()).toBe(expected)
    const { id } = await createRevelation(server, person, { file_url: url })
    await server.runJobs()
    expect(await used()).toBe(expected)
    await server.call('DELETE', `/api/revelations/${id}`, { as: person })
    expect(await used()).toBe(0)
  })

  it('answers the storage of the plan and what was added to it', async () => {
    const person = await verifiedPerson(server)
    const expiresAt = new Date(server.clock.now.getTime() + 3 * A_DAY_MS)
    await subscribe(person.id, { plan: 'pro', expiresAt, additionalStorageMb: 1024 })
    const mine = async () => (await server.call('GET', `${AT}/me`, { as: person })).body
    expect(await mine()).toMatchObject({
      subscription_type: 'pro',
      expired_plan: null,
      subscription_expires: expiresAt.toISOString(),
      additional_storage: 1024,
      extra_storage: 1024,
      total_storage: 52_224,
    })
    server.clock.advance(3 * A_DAY_MS)
    expect(await mine()).toMatchObject({
      subscription_type: 'free',
      expired_plan: 'pro',
      subscription_expires: expiresAt.toISOString(),
      additional_storage: 1024,
      total_storage: 1524,
    })
  })

  it('answers -1 without a limit', async () => {
    const person = await verifiedPerson(server)
    await subscribe(person.id, { plan: 'unlimited' })
    const { body } = await server.call('GET', `${AT}/me`, { as: person })
    expect(body).toMatchObject({ subscription_type: 'unlimited', total_storage: -1 })
  })
})

describe('an address that is not verified', () => {
  const mine = async (as: Person) => (await server.call('GET', `${AT}/me`, { as })).body

  it('has 100 MB whatever its plan, unfinished uploads included, and learns how to have more', async () => {
    const person = await signedIn(server)
    const body = { plan: 'unlimited' }
    expect((await server.call('POST', `${AT}/upgrade`, { as: person, body })).body).toMatchObject({
      subscription_type: 'unlimited',
      total_storage: 100,
      awaits_verification: true,
    })
    await beginUpload(server, person, 60 * MB)
    const refused = await requestUpload(server, person, 41 * MB)
    expect([refused.status, refused.body.code]).toEqual([413, 'address_unverified'])
    expect(refused.body.error).toContain('(40\u00A0Mo)')
    expect(refused.body.error).toContain('Ouvrez le lien de vérification')
    await beginUpload(server, person, 40 * MB)
    const form = await sendFile(server, person, { bytes: await picture('png') })
    expect([form.status, form.body.code]).toEqual([413, 'address_unverified'])
    expect((await mine(person)).used_storage).toBe(100)
    await verifyEmail(server, person)
    expect(await mine(person)).toMatchObject({ total_storage: -1, awaits_verification: false })
    await beginUpload(server, person, 41 * MB)
  })
})

describe('GET /api/subscriptions/plans', () => {
  it('answers four plans to everybody, at the prices of the specification', async () => {
    const { status, body } = await server.call('GET', `${AT}/plans`)
    expect(status).toBe(200)
    const figures = (body.plans as PlanOffer[]).map(({ id, price, storage }) => [
      id,
      price,
      storage,
    ])
    expect(figures).toEqual([
      ['free', 0, 500],
      ['standard', 2.99, 5120],
      ['pro', 9.99, 51_200],
      ['unlimited', 19.99, -1],
    ])
    const recommended = body.plans.filter((plan: { recommended: boolean }) => plan.recommended)
    expect(recommended).toHaveLength(1)
    expect(body.simulated).toBe(true)
    expect(body.storageOptions.length).toBeGreaterThan(0)
    expect(body.storageOptions[0]).toEqual({
      amount: 1024,
      label: '1\u00a0Go',
      price: expect.any(Number),
    })
  })
})

describe('notification preferences', () => {
  const ALL = {
    emailNotifications: true,
    newRevelations: true,
    revelationRevealed: true,
    newComments: true,
    newReactions: true,
    showPresence: true,
    onThisDay: true,
    repliesByEmail: false,
  }

  it('are all yes until a person chooses otherwise', async () => {
    const person = await signedIn(server)
    const read = async () => (await server.call('GET', `${AT}/preferences`, { as: person })).body
    const save = (body: object) => server.call('PUT', `${AT}/preferences`, { as: person, body })
    expect(await read()).toEqual({ preferences: ALL })
    expect((await save({ newComments: false })).body.preferences).toEqual({
      ...ALL,
      newComments: false,
    })
    const chosen = { ...ALL, newComments: false, newReactions: false }
    expect((await save({ newReactions: false })).body.preferences).toEqual(chosen)
    expect((await save({})).body.preferences).toEqual(chosen)
    expect(await read()).toEqual({ preferences: chosen })
    expect((await save(ALL)).body.preferences).toEqual(ALL)
  })

  it('are one’s own', async () => {
    const [anna, bruno] = [await signedIn(server), await signedIn(server)]
    const body = { emailNotifications: false, userId: bruno.id }
    await server.call('PUT', `${AT}/preferences`, { as: anna, body })
    const { body: others } = await server.call('GET', `${AT}/preferences`, { as: bruno })
    expect(others.preferences).toEqual(ALL)
  })

  it('are rejected with a sentence when they are neither yes nor no', async () => {
    const person = await signedIn(server)
    for (const newComments of ['oui', 1, null]) {
      const answer = await server.call('PUT', `${AT}/preferences`, {
        as: person,
        body: { newComments },
      })
      expect([answer.status, answer.body.fields]).toEqual([
        400,
        { newComments: 'Choisissez oui ou non' },
      ])
    }
  })
})

it('is for signed-in people, but for the plans', async () => {
  for (const [method, path] of [
    ['GET', 'me'],
    ['GET', 'preferences'],
    ['PUT', 'preferences'],
    ['POST', 'upgrade'],
    ['POST', 'storage'],
  ] as const) {
    const { status } = await server.call(method, `${AT}/${path}`, { body: { newComments: 3 } })
    expect([path, status]).toEqual([path, 401])
  }
})

describe('where the operator grants plans', () => {
  let granted: TestApp

  beforeAll(async () => {
    granted = await startTestServer({ config: { simulatedPlans: false } })
  })
  afterAll(() => granted.close())

  it('rejects plans and storage for free, and announces it in the list of plans', async () => {
    const person = await signedIn(granted)
    expect((await granted.call('GET', `${AT}/plans`)).body.simulated).toBe(false)
    for (const [path, body] of [
      ['upgrade', { plan: 'unlimited' }],
      ['upgrade', { plan: 'free' }],
      ['storage', { storage_amount: 1024 }],
    ] as const) {
      const refused = await granted.call('POST', `${AT}/${path}`, { as: person, body })
      expect([refused.status, refused.body.code]).toEqual([403, 'plans_granted'])
      expect(refused.body.error).toContain('les plans ne s’achètent pas')
    }
    const { body } = await granted.call('GET', `${AT}/me`, { as: person })
    expect(body).toMatchObject({ subscription_type: 'free', additional_storage: 0 })
  })
})
