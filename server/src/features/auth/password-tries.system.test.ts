import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { A_DAY_MS } from '#testing/factories.ts'
import {
  type Answer,
  PASSWORD,
  type Person,
  signedIn,
  startTestServer,
  type TestApp,
} from '#testing/test-server.ts'
import { storeNetwork } from './password-tries.service.ts'

const NEW_PASSWORD = 'un tout autre mot'
const A_WINDOW_MS = 15 * 60_000
const HOME = '127.0.0.1'
const HOTEL = '198.51.100.1'

let server: TestApp
let person: Person

beforeAll(async () => {
  server = await startTestServer({ rateLimits: true })
})
afterAll(() => server.close())
beforeEach(async () => {
  person = await signedIn(server)
  // What one test counted says nothing to the next.
  server.clock.advance(A_WINDOW_MS)
})

/** One try, from this network as the proxy on this machine tells it. */
function signIn(email: string, password: string, network: string): Promise<Answer> {
  const headers = { 'x-forwarded-for': network }
  return server.call('POST', '/api/auth/login', { body: { email, password }, headers })
}

let strangers = 0

/** Ten wrong passwords, each from a network of its own. */
async function lockOut(email: string): Promise<Answer[]> {
  const answers: Answer[] = []
  for (let n = 0; n < 10; n += 1) {
    strangers += 1
    answers.push(await signIn(email, 'faux', `203.0.113.${strangers % 250}`))
  }
  return answers
}

function locks(address: string) {
  return server.mailbox.all.filter(
    ({ to, subject }) => to === address && subject.startsWith('Trop d’essais'),
  )
}

async function profileStatus(as: Person): Promise<number> {
  return (await server.call('GET', '/api/auth/profile', { as })).status
}

describe('strangers who try passwords', () => {
  it('lock out strangers, not the network the owner signed in from', async () => {
    const answers = await lockOut(person.email)
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(400))
    const elsewhere = await signIn(person.email, PASSWORD, HOTEL)
    expect([elsewhere.status, elsewhere.body.code]).toEqual([429, 'too_many_requests'])
    expect(elsewhere.headers['retry-after']).toBe('900')
    expect((await signIn(person.email, PASSWORD, HOME)).status).toBe(200)
  })

  it('lock no signed-in person out of calls that require the password', async () => {
    await lockOut(person.email)
    const change = { currentPassword: PASSWORD, newPassword: NEW_PASSWORD }
    const send = (method: string, path: string, body: object) =>
      server.call(method, `/api/auth/${path}`, { as: person, body })
    expect((await send('PUT', 'change-password', change)).status).toBe(200)
    const address = { email: `autre.${person.id}@exemple.test`, password: NEW_PASSWORD }
    expect((await send('POST', 'change-email', address)).status).toBe(200)
    expect((await send('DELETE', 'account', { password: NEW_PASSWORD })).status).toBe(200)
  })

  it('learn nothing about who has an account', async () => {
    const nobody = `personne.${person.id}@exemple.test`
    const [known, unknown] = [await lockOut(person.email), await lockOut(nobody)]
    known.push(await signIn(person.email, PASSWORD, HOTEL))
    unknown.push(await signIn(nobody, PASSWORD, HOTEL))
    const contentOf = (answers: Answer[]) => answers.map(({ status, text }) => [status, text])
    expect(contentOf(known)).toEqual(contentOf(unknown))
    expect(known.at(-1)?.body.error).toContain('une fois par jour au plus')
    await server.runJobs()
    expect(locks(person.email)).toHaveLength(1)
    expect(server.mailbox.all.filter(({ to }) => to === nobody)).toEqual([])
    expect((await server.ctx.pool.query('select from password_requests')).rowCount).toBe(0)
  })

  it('cause one mail a day', async () => {
    for (let n = 0; n < 2; n += 1) {
      await lockOut(person.email)
      await server.runJobs()
      expect(locks(person.email)).toHaveLength(1)
      server.clock.advance(A_WINDOW_MS)
    }
    server.clock.advance(A_DAY_MS)
    await lockOut(person.email)
    await server.runJobs()
    expect(locks(person.email)).toHaveLength(2)
  })

  it('cannot lock out who was mailed: the link works from anywhere, and makes that network known', async () => {
    await lockOut(person.email)
    await server.runJobs()
    const token = /#jeton=([\w-]{43})/.exec(locks(person.email)[0]?.text ?? '')?.[1]
    const reset = await server.call('POST', '/api/auth/reset-password', {
      body: { token, password: NEW_PASSWORD },
      headers: { 'x-forwarded-for': HOTEL },
    })
    expect(reset.status).toBe(200)
    await lockOut(person.email)
    expect((await signIn(person.email, NEW_PASSWORD, '198.51.100.2')).status).toBe(429)
    expect((await signIn(person.email, NEW_PASSWORD, HOTEL)).status).toBe(200)
  })
})

describe('a network that signed in before', () => {
  it('has ten tries of its own, and locks nobody else out', async () => {
    const other = { ...person }
    const statuses: number[] = []
    for (let n = 0; n < 11; n += 1) {
      statuses.push((await signIn(person.email, 'faux', HOME)).status)
    }
    expect(statuses).toEqual([...Array(10).fill(400), 429])
    await server.runJobs()
    // True for whoever locked themselves as for those whom strangers locked.
    expect(locks(person.email)[0]?.text.replaceAll(/\s+/g, ' ')).toContain(
      'depuis le réseau de ces essais, ou depuis tous ceux que vous n’avez pas encore utilisés',
    )
    const body = { currentPassword: 'faux', newPassword: NEW_PASSWORD }
    const change = await server.call('PUT', '/api/auth/change-password', { as: other, body })
    expect(change.body.code).toBe('wrong_password')
    const elsewhere = await signIn(person.email, PASSWORD, HOTEL)
    expect(elsewhere.status).toBe(200)
  })

  it('is known for ninety days, and as one of the last ten', async () => {
    for (let n = 1; n <= 10; n += 1) {
      server.clock.advance(1)
      await storeNetwork(server.ctx, person.id, `192.0.2.${n}`)
    }
    await lockOut(person.email)
    expect((await signIn(person.email, 'faux', HOME)).status).toBe(429)
    expect((await signIn(person.email, 'faux', '192.0.2.1')).status).toBe(400)
    server.clock.advance(90 * A_DAY_MS + 1)
    await server.runJobs()
    const { rowCount } = await server.ctx.pool.query('select from sign_in_networks')
    expect(rowCount).toBe(0)
    await lockOut(person.email)
    expect((await signIn(person.email, 'faux', '192.0.2.1')).status).toBe(429)
  })

  it('is stored as a hash that two accounts do not share, and goes with the account', async () => {
    await signedIn(server)
    const { rows } = await server.ctx.pool.query('select network, user_id from sign_in_networks')
    const hashes = new Set(rows.map(({ network }) => network.toString('hex')))
    expect(hashes.size).toBe(rows.length)
    await server.call('DELETE', '/api/auth/account', { as: person, body: { password: PASSWORD } })
    const left = await server.ctx.pool.query('select user_id from sign_in_networks')
    expect(left.rows.map((row) => row.user_id)).not.toContain(person.id)
  })
})

it('tries within a session count for it alone, and a right one is released', async () => {
  const login = await signIn(person.email, PASSWORD, HOTEL)
  const intruder = { ...person, token: login.body.token }
  const tryFrom = async (as: Person, password: string) => {
    const headers = { 'x-forwarded-for': as === person ? '192.0.2.50' : '192.0.2.51' }
    const body = { email: person.email, password }
    // One’s own address changes nothing, whoever asks with the right password.
    return (await server.call('POST', '/api/auth/change-email', { as, body, headers })).body.code
  }
  const codes: string[] = []
  for (let n = 0; n < 11; n += 1) codes.push(await tryFrom(intruder, 'faux'))
  expect(codes).toEqual([...Array(10).fill('wrong_password'), 'too_many_requests'])
  for (let n = 0; n < 11; n += 1) expect(await tryFrom(person, PASSWORD)).toBe('invalid_input')
})

it('networks of one site have so many tries together, and another site has its own', async () => {
  const from = async (site: string, network: number) => {
    const nobody = `personne.${network}.${person.id}@exemple.test`
    return (await signIn(nobody, 'faux', `2001:db8:${site}:${network}::1`)).status
  }
  expect([await from('1', 1), await from('1', 2)]).toEqual([400, 400])
  // What both counted together, as if it were all that a site may try.
  const { rowCount } = await server.ctx.pool.query(
    'update password_tries set tries = 400 where tries = 2 and ends_at > $1',
    [server.clock.now],
  )
  expect(rowCount).toBe(1)
  expect([await from('1', 3), await from('2', 3)]).toEqual([429, 400])
})

describe('the queue of hashes', () => {
  it.each([
    ['one network', () => '192.0.2.60'],
    ['one site', (n: number) => `2001:db8:3:${n}::1`],
  ])('reserves places for others beside many accounts of %s', async (_, networkOf) => {
    const change = (as: Person, n: number) =>
      server.call('POST', '/api/auth/change-email', {
        as,
        body: { email: as.email, password: PASSWORD },
        headers: { 'x-forwarded-for': networkOf(n) },
      })
    const crowd = await Promise.all(Array.from({ length: 24 }, () => signedIn(server)))
    const sent = crowd.map(change)
    const [stranger, ...answers] = await Promise.all([
      signIn(person.email, PASSWORD, `198.51.100.${crowd.length}`),
      ...sent,
    ])
    expect(stranger.status).toBe(200)
    const codes = new Set(answers.map(({ body }) => body.code))
    expect(codes).toEqual(new Set(['invalid_input', 'busy']))
  })

  it('admits thirty calls a minute of one network, at any endpoint and for any account', async () => {
    const headers = { 'x-forwarded-for': '192.0.2.61' }
    const post = async (path: string, body: object) =>
      (await server.call('POST', `/api/auth/${path}`, { body, headers })).body.code
    // A link that opens nothing costs no hash here, and is counted all the same.
    const reset = { token: 'a'.repeat(43), password: NEW_PASSWORD }
    for (let n = 0; n < 30; n += 1) expect(await post('reset-password', reset)).toBe('link_expired')
    const login = { email: person.email, password: PASSWORD }
    expect(await post('login', login)).toBe('too_many_requests')
    const account = { ...login, pseudo: 'personne_de_trop' }
    expect(await post('register', account)).toBe('too_many_requests')
    // What a form refuses is never hashed.
    expect(await post('login', {})).toBe('invalid_input')
    const answers = await Promise.all([
      server.call('PUT', '/api/auth/change-password', {
        as: person,
        body: { currentPassword: PASSWORD, newPassword: NEW_PASSWORD },
        headers,
      }),
      server.call('POST', '/api/auth/change-email', { as: person, body: login, headers }),
      server.call('DELETE', '/api/auth/account', { as: person, body: login, headers }),
    ])
    expect(answers.map(({ status }) => status)).toEqual([429, 429, 429])
    expect((await signIn(person.email, PASSWORD, HOTEL)).status).toBe(200)
  })
})

describe('simultaneous tries', () => {
  it('are counted before any of them is compared, in any process; the queue is short', async () => {
    const { databaseUrl, dataDir } = server.ctx.config
    const second = await startTestServer({
      rateLimits: true,
      now: server.clock.now,
      config: { databaseUrl, dataDir },
    })
    try {
      const tries = Array.from({ length: 120 }, (_, n) =>
        (n % 2 ? server : second).call('POST', '/api/auth/login', {
          body: { email: `personne.${n}@exemple.test`, password: 'faux' },
          headers: { 'x-forwarded-for': '192.0.2.77' },
        }),
      )
      const answers = await Promise.all(tries)
      const compared = answers.filter(({ status }) => status === 400)
      const busy = answers.filter(({ body }) => body.code === 'busy')
      const refused = answers.filter(({ status }) => status === 429)
      expect(compared.length + busy.length + refused.length).toBe(answers.length)
      expect(compared.length).toBeGreaterThan(0)
      // The limit of a network in a minute.
      expect(compared.length + busy.length).toBeLessThanOrEqual(30)
      for (const { status, headers } of busy) {
        expect([status, headers['retry-after']]).toEqual([503, '2'])
      }
      // Tries that were not compared were released.
      const { rows } = await server.ctx.pool.query(
        'select max(tries) as most from password_tries where ends_at > $1',
        [server.clock.now],
      )
      expect(rows).toEqual([{ most: compared.length }])
      expect((await server.call('GET', '/api/health')).status).toBe(200)
    } finally {
      await second.close()
    }
  })

  it('at one account are ten, from however many networks', async () => {
    const tries = Array.from({ length: 40 }, (_, n) =>
      signIn(person.email, 'faux', `192.0.2.${100 + n}`),
    )
    const statuses = (await Promise.all(tries)).map(({ status }) => status)
    expect(statuses.filter((status) => status === 400)).toHaveLength(10)
    expect(statuses.filter((status) => status === 429)).toHaveLength(30)
    expect(await profileStatus(person)).toBe(200)
  })
})
