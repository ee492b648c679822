import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { FEATURES, hasFeature, PLANS } from '#contract/subscriptions.ts'
import { STORAGE_OPTIONS } from '#server/features/subscriptions/offers.rules.ts'
import {
  choosePlan,
  demoPayments,
  type Order,
} from '#server/features/subscriptions/purchases.service.ts'
import { requireFeature } from '#server/features/subscriptions/subscriptions.service.ts'
import { A_DAY_MS, createRevelation, revelationBody, verifiedPerson } from '#testing/factories.ts'
import { type Person, startTestServer, type TestApp } from '#testing/test-server.ts'

let server: TestApp

beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

const AT = '/api/subscriptions'

const IN_A_MONTH = '2026-12-20T12:00:00.000Z'

const upgrade = (as: Person | undefined, plan: unknown, idempotency_key?: string) =>
  server.call('POST', `${AT}/upgrade`, { as, body: { plan, idempotency_key } })
const buy = (as: Person | undefined, storage_amount: unknown, idempotency_key?: string) =>
  server.call('POST', `${AT}/storage`, { as, body: { storage_amount, idempotency_key } })

/** As if the month were over: a session does not last that long. */
async function expire({ id }: Person): Promise<void> {
  await server.ctx.db
    .updateTable('subscriptions')
    .set({ expiresAt: server.clock.now })
    .where('userId', '=', id)
    .execute()
}

async function purchasesOf({ id }: Person) {
  return server.ctx.db
    .selectFrom('purchases')
    .selectAll()
    .where('userId', '=', id)
    .orderBy('createdAt')
    .execute()
}

describe('POST /api/subscriptions/upgrade', () => {
  it('starts a plan of a month, and stores the purchase with its price', async () => {
    const person = await verifiedPerson(server)
    const { status, body } = await upgrade(person, 'standard')
    expect([status, body]).toEqual([
      200,
      {
        subscription_type: 'standard',
        subscription_expires: IN_A_MONTH,
        expired_plan: null,
        additional_storage: 0,
        extra_storage: 0,
        total_storage: 5120,
        used_storage: 0,
        awaits_verification: false,
      },
    ])
    expect((await server.call('GET', `${AT}/me`, { as: person })).body).toEqual(body)
    const [purchase, ...others] = await purchasesOf(person)
    expect(others).toEqual([])
    expect(purchase).toMatchObject({ plan: 'standard', priceCents: 299, provider: 'demo' })
    expect(purchase?.endsAt?.toISOString()).toBe(IN_A_MONTH)
  })

  it('rejects the plan one has, and an unknown one', async () => {
    const person = await verifiedPerson(server)
    expect((await upgrade(person, 'free')).body.code).toBe('plan_current')
    await upgrade(person, 'pro')
    const again = await upgrade(person, 'pro')
    expect([again.status, again.body]).toEqual([
      409,
      { error: 'Ce plan est déjà le vôtre', code: 'plan_current' },
    ])
    for (const plan of ['gold', null, undefined]) {
      const { status, body } = await upgrade(person, plan)
      expect([status, body.fields]).toEqual([400, { plan: 'Ce plan n’existe pas' }])
    }
    expect(await purchasesOf(person)).toHaveLength(1)
  })

  it('renews the same plan once it has expired', async () => {
    const person = await verifiedPerson(server)
    await upgrade(person, 'pro')
    await expire(person)
    const { body } = await server.call('GET', `${AT}/me`, { as: person })
    expect(body).toMatchObject({ subscription_type: 'free', expired_plan: 'pro' })
    expect((await upgrade(person, 'pro')).body).toMatchObject({
      subscription_type: 'pro',
      subscription_expires: IN_A_MONTH,
      expired_plan: null,
    })
    expect(await purchasesOf(person)).toHaveLength(2)
  })

  it('returns to free at once, without hiding or deleting anything, added storage included', async () => {
    const person = await verifiedPerson(server)
    await upgrade(person, 'standard')
    await buy(person, 1024)
    const { id } = await createRevelation(server, person)
    expect((await upgrade(person, 'free')).body).toMatchObject({
      subscription_type: 'free',
      subscription_expires: null,
      expired_plan: null,
      total_storage: 1524,
    })
    expect((await server.call('GET', `/api/revelations/${id}`, { as: person })).status).toBe(200)
    expect((await purchasesOf(person)).map(({ plan }) => plan)).toEqual(['standard', null])
  })

  it('buys once in ten simultaneous calls', async () => {
    const person = await verifiedPerson(server)
    const answers = await Promise.all(Array.from({ length: 10 }, () => upgrade(person, 'standard')))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(409)])
    expect(await purchasesOf(person)).toHaveLength(1)
  })

  it('leaves one plan and as many purchases as it accepted when two plans race', async () => {
    const person = await verifiedPerson(server)
    const answers = await Promise.all([upgrade(person, 'pro'), upgrade(person, 'unlimited')])
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    const { body } = await server.call('GET', `${AT}/me`, { as: person })
    expect(await purchasesOf(person)).toHaveLength(2)
    expect(['pro', 'unlimited']).toContain(body.subscription_type)
  })

  it('answers a second tap under the same key as the first', async () => {
    const person = await verifiedPerson(server)
    const key = randomUUID()
    const answers = [await upgrade(person, 'pro', key), await upgrade(person, 'pro', key)]
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    expect(answers[1]?.body).toEqual(answers[0]?.body)
    expect(await purchasesOf(person)).toHaveLength(1)
    const other = await upgrade(person, 'unlimited', key)
    expect([other.status, other.body.fields]).toEqual([
      400,
      { idempotency_key: 'Cet identifiant désigne un autre achat' },
    ])
  })

  it('returns to free under a key any number of times, with the same answer', async () => {
    const person = await verifiedPerson(server)
    await upgrade(person, 'pro')
    const key = randomUUID()
    const answers = [await upgrade(person, 'free', key), await upgrade(person, 'free', key)]
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    expect(answers[1]?.body).toEqual(answers[0]?.body)
    expect(answers[1]?.body.subscription_type).toBe('free')
  })

  it('changes nothing when the provider refuses', async () => {
    const person = await verifiedPerson(server)
    const refusing = { charge: () => Promise.reject(new Error('no funds')) }
    await expect(choosePlan(server.ctx, refusing, person.id, { plan: 'pro' })).rejects.toThrow(
      'no funds',
    )
    const { body } = await server.call('GET', `${AT}/me`, { as: person })
    expect(body.subscription_type).toBe('free')
    expect(await purchasesOf(person)).toEqual([])
  })

  it('charges the provider under one key, whatever happens to the first answer', async () => {
    const person = await verifiedPerson(server)
    const orders: Order[] = []
    const forgetful = {
      charge: async (order: Order) => {
        orders.push(order)
        if (orders.length === 1) throw new Error('the connection was lost')
        return demoPayments.charge(order)
      },
    }
    const order = { plan: 'standard', key: randomUUID() } as const
    await expect(choosePlan(server.ctx, forgetful, person.id, order)).rejects.toThrow('lost')
    await choosePlan(server.ctx, forgetful, person.id, order)
    expect(orders[0]).toMatchObject({ label: 'Plan Standard', priceCents: 299, userId: person.id })
    expect(orders[1]).toEqual(orders[0])
  })
})

describe('POST /api/subscriptions/storage', () => {
  it('adds each option, and stores the purchase with its price', async () => {
    const person = await verifiedPerson(server)
    for (const { amount } of STORAGE_OPTIONS) {
      expect((await buy(person, amount)).status).toBe(200)
    }
    const sum = STORAGE_OPTIONS.reduce((total, { amount }) => total + amount, 0)
    const { body } = await server.call('GET', `${AT}/me`, { as: person })
    expect(body).toMatchObject({
      subscription_type: 'free',
      additional_storage: sum,
      extra_storage: sum,
      total_storage: 500 + sum,
    })
    const bought = (await purchasesOf(person)).map(({ storageMb, priceCents }) => [
      storageMb,
      priceCents,
    ])
    expect(bought.sort()).toEqual(
      STORAGE_OPTIONS.map(({ amount, price }) => [amount, Math.round(price * 100)]).sort(),
    )
  })

  it('rejects a quantity that is not offered', async () => {
    const person = await verifiedPerson(server)
    for (const amount of [1, -1024, 0, 1024.5, 1e9, '1024', null]) {
      const { status, body } = await buy(person, amount)
      expect([amount, status, body.fields]).toEqual([
        amount,
        400,
        { storage_amount: 'Cette quantité n’est pas proposée' },
      ])
    }
  })

  it('is rejected on an unlimited plan, and accepted again afterwards', async () => {
    const person = await verifiedPerson(server)
    await upgrade(person, 'unlimited')
    const { status, body } = await buy(person, 1024)
    expect([status, body.code]).toEqual([409, 'storage_unlimited'])
    await upgrade(person, 'pro')
    expect((await buy(person, 1024)).body.total_storage).toBe(51_200 + 1024)
  })

  it('rejects more than a terabyte', async () => {
    const person = await verifiedPerson(server)
    await buy(person, 1024)
    const almost = 1024 * 1024 - 5120
    await server.ctx.db
      .updateTable('subscriptions')
      .set({ additionalStorageMb: almost })
      .where('userId', '=', person.id)
      .execute()
    const refused = await buy(person, 10_240)
    expect([refused.status, refused.body]).toEqual([
      409,
      {
        error:
          'L’espace ajouté ne peut pas dépasser 1\u00a0To. Choisissez une quantité plus petite ou le plan Illimité.',
        code: 'storage_maximum',
      },
    ])
    expect((await buy(person, 5120)).body.additional_storage).toBe(1024 * 1024)
    expect((await buy(person, 1024)).body.code).toBe('storage_maximum')
    expect(await purchasesOf(person)).toHaveLength(2)
  })

  it('counts each of twenty purchases at once, and a repeated one once', async () => {
    const person = await verifiedPerson(server)
    const key = randomUUID()
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, at) => buy(person, 1024, at < 10 ? key : randomUUID())),
    )
    expect(answers.every(({ status }) => status === 200)).toBe(true)
    const { body } = await server.call('GET', `${AT}/me`, { as: person })
    expect(body.additional_storage).toBe(11 * 1024)
    expect(await purchasesOf(person)).toHaveLength(11)
  })

  it('separates the keys of two people', async () => {
    const [anna, bruno] = [await verifiedPerson(server), await verifiedPerson(server)]
    const key = randomUUID()
    await buy(anna, 1024, key)
    expect((await buy(bruno, 5120, key)).body.additional_storage).toBe(5120)
  })
})

describe('the limit of the free plan', () => {
  it('counts what is sealed: neither what has opened nor what opens at once', async () => {
    const author = await verifiedPerson(server)
    const seal = async (change: object = {}) => {
      const body = { ...revelationBody(server), ...change }
      return (await server.call('POST', '/api/revelations', { as: author, body })).status
    }
    const inDays = (days: number) =>
      new Date(server.clock.now.getTime() + days * A_DAY_MS).toISOString()
    const atOnce = { reveal_date: server.clock.now.toISOString() }
    await seal({ reveal_date: inDays(1) })
    for (let count = 0; count < 4; count += 1) await seal({ reveal_date: inDays(3) })
    expect([await seal(), await seal(atOnce), await seal()]).toEqual([403, 201, 403])
    server.clock.advance(A_DAY_MS)
    const later = { reveal_date: inDays(3) }
    expect([await seal(later), await seal(later)]).toEqual([201, 403])
  })

  it('is lifted by a plan, and comes back for what is new when that plan ends', async () => {
    const person = await verifiedPerson(server)
    const seal = () =>
      server.call('POST', '/api/revelations', { as: person, body: revelationBody(server) })
    for (let count = 0; count < 5; count += 1) await seal()
    const refused = await seal()
    expect([refused.status, refused.body.code]).toEqual([403, 'plan_limit'])
    await upgrade(person, 'standard')
    expect([(await seal()).status, (await seal()).status]).toEqual([201, 201])
    await expire(person)
    const { body } = await seal()
    expect(body.error).toBe(
      'Votre plan gratuit permet 5 révélations scellées à la fois et vous en avez 7. Passez à un plan supérieur, attendez qu’elles s’ouvrent ou supprimez-en 3.',
    )
    const mine = await server.call('GET', `/api/revelations/user/${person.id}`, { as: person })
    expect(mine.body.revelations).toHaveLength(7)
  })
})

describe('a feature of some plans', () => {
  const FEATURES_OF = { free: [], standard: ['themes'], pro: FEATURES, unlimited: FEATURES }

  it.each(PLANS)('comes with the plan and goes with its end: %s', async (plan) => {
    const person = await verifiedPerson(server)
    const had = () =>
      Promise.all(
        FEATURES.map((feature) =>
          requireFeature(server.ctx, person.id, feature).then(
            () => feature,
            ({ code }) => code,
          ),
        ),
      )
    if (plan !== 'free') await upgrade(person, plan)
    expect(FEATURES.filter((feature) => hasFeature(plan, feature))).toEqual(FEATURES_OF[plan])
    expect((await had()).filter((one) => one !== 'feature_of_plan')).toEqual(FEATURES_OF[plan])
    if (plan !== 'free') await expire(person)
    expect(await had()).toEqual(FEATURES.map(() => 'feature_of_plan'))
  })

  it('is refused with the sentence that names its plans', async () => {
    const person = await verifiedPerson(server)
    await upgrade(person, 'standard')
    await expect(requireFeature(server.ctx, person.id, 'statistics')).rejects.toThrow(
      'Les statistiques avancées sont réservées aux plans Pro et Illimité.',
    )
  })
})
