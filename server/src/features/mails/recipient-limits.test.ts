import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { A_DAY_MS, AN_HOUR_MS, revelationBody, verifyEmail } from '#testing/factories.ts'
import {
  type Answer,
  type Person,
  signedIn,
  startTestServer,
  type TestApp,
} from '#testing/test-server.ts'
import { deleteOldRecipientUses } from './mail-limits.service.ts'

let server: TestApp

beforeAll(async () => {
  server = await startTestServer({ rateLimits: true })
})
afterAll(() => server.close())

async function settle({ isVerified }: { isVerified: boolean }): Promise<Person> {
  const person = await signedIn(server)
  if (isVerified) await verifyEmail(server, person)
  const plan = { userId: person.id, plan: 'unlimited' }
  await server.ctx.db.insertInto('subscriptions').values(plan).execute()
  return person
}

function write(as: Person, target_email: string): Promise<Answer> {
  return server.call('POST', '/api/revelations', {
    as,
    body: revelationBody(server, { target_email }),
  })
}

const stranger = (number: number) => `inconnu.${number}@exemple.test`

async function writeTo(as: Person, count: number): Promise<void> {
  for (let number = 0; number < count; number += 1) {
    expect((await write(as, stranger(number))).status).toBe(201)
  }
}

describe('POST /api/revelations', () => {
  it('accepts 3 recipients a day before the author’s address is verified, then 20, and answers why not more', async () => {
    const person = await settle({ isVerified: false })
    await writeTo(person, 3)
    const refused = await write(person, stranger(3))
    expect([refused.status, refused.body.code]).toEqual([429, 'too_many_addressees'])
    expect(refused.body.error).toContain(
      'Vérifiez votre adresse pour écrire à 20 adresses par jour',
    )
    expect(refused.headers['retry-after']).toBe(String(A_DAY_MS / 1000))
    await verifyEmail(server, person)
    await writeTo(person, 20)
    const last = await write(person, stranger(20))
    expect([last.status, last.body.error]).toEqual([
      429,
      'Vous avez écrit à trop d’adresses différentes aujourd’hui. Réessayez demain.',
    ])
  })

  it('does not count the same recipients again, in any spelling, nor the author', async () => {
    const person = await settle({ isVerified: false })
    await writeTo(person, 3)
    await writeTo(person, 3)
    expect((await write(person, stranger(1).toUpperCase())).status).toBe(201)
    expect((await write(person, person.email)).status).toBe(201)
    expect((await write(person, stranger(9))).status).toBe(429)
  })

  it('accepts others once the first uses are a day old, also of deleted revelations', async () => {
    const person = await settle({ isVerified: false })
    const first = await write(person, stranger(0))
    server.clock.advance(6 * AN_HOUR_MS)
    await write(person, stranger(1))
    await write(person, stranger(2))
    const { id } = first.body.revelation
    await server.call('DELETE', `/api/revelations/${id}`, { as: person })
    const refused = await write(person, stranger(3))
    expect(refused.headers['retry-after']).toBe(String((18 * AN_HOUR_MS) / 1000))
    server.clock.advance(18 * AN_HOUR_MS - 1)
    expect((await write(person, stranger(3))).status).toBe(429)
    server.clock.advance(1)
    expect((await write(person, stranger(3))).status).toBe(201)
    expect((await write(person, stranger(4))).status).toBe(429)
  })

  it('counts simultaneous calls', async () => {
    const person = await settle({ isVerified: false })
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, number) => write(person, stranger(number))),
    )
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(3)
    expect(answers.filter(({ body }) => body.code === 'too_many_addressees')).toHaveLength(5)
  })

  it('counts simultaneous edits of addresses', async () => {
    const person = await settle({ isVerified: false })
    const ids: string[] = []
    for (let number = 0; number < 6; number += 1) {
      ids.push((await write(person, person.email)).body.revelation.id)
    }
    const answers = await Promise.all(
      ids.map((id, number) => {
        const body = { target_email: stranger(number) }
        return server.call('PUT', `/api/revelations/${id}`, { as: person, body })
      }),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(3)
    expect(answers.filter(({ body }) => body.code === 'too_many_addressees')).toHaveLength(3)
  })

  it('counts edits of the address of one revelation', async () => {
    const person = await settle({ isVerified: false })
    const { body } = await write(person, stranger(0))
    const readdress = (target_email: string) =>
      server.call('PUT', `/api/revelations/${body.revelation.id}`, {
        as: person,
        body: { target_email },
      })
    for (const number of [1, 2, 1, 0]) {
      expect((await readdress(stranger(number))).status).toBe(200)
    }
    const refused = await readdress(stranger(3))
    expect([refused.status, refused.body.code]).toEqual([429, 'too_many_addressees'])
  })
})

it('stores no address, and the hash of one for a day', async () => {
  const person = await settle({ isVerified: true })
  await write(person, stranger(77))
  const { rows } = await server.ctx.pool.query('select * from addressee_uses where user_id = $1', [
    person.id,
  ])
  expect(rows).toHaveLength(1)
  expect(JSON.stringify(rows)).not.toContain('inconnu')
  server.clock.advance(A_DAY_MS)
  await deleteOldRecipientUses(server.ctx)
  const left = await server.ctx.db.selectFrom('addresseeUses').selectAll().execute()
  expect(left).toEqual([])
})
