import { afterAll, beforeAll, beforeEach, describe, expect, it, test } from 'vitest'
import { inTransaction } from '#server/context.ts'
import { hideRevelation, restoreRevelation } from '#server/features/revelations/hiding.service.ts'
import { formsOfText, search, tablesOf } from '#testing/canary.ts'
import { A_DAY_MS, AN_HOUR_MS, createRevelation, relate, verifyEmail } from '#testing/factories.ts'
import {
  aBrowser,
  type Browser,
  type PushService,
  startPushService,
  vapidClaims,
} from '#testing/push-service.ts'
import {
  PASSWORD,
  type Person,
  signedIn,
  startTestServer,
  type TestApp,
} from '#testing/test-server.ts'

const TITLE = 'Un titre pour personne d’autre'
const SUBSCRIPTION = '/api/push/subscription'
const OPENED = 'Le moment choisi est venu. Vous pouvez la lire.'

let service: PushService
let server: TestApp
let author: Person
let reader: Person
const log: string[] = []

beforeAll(async () => {
  service = await startPushService()
  server = await startTestServer({
    config: { push: { isOn: true, services: [service.origin] } },
    log: { write: (line: string) => void log.push(line) },
  })
})
afterAll(async () => {
  await server.close()
  await service.close()
})

beforeEach(async () => {
  service.status = 201
  service.received.length = 0
  author = await signedIn(server)
  reader = await signedIn(server)
  await verifyEmail(server, reader)
})

function save(as: Person | undefined, { subscription }: Browser) {
  return server.call('PUT', SUBSCRIPTION, { as, body: subscription })
}

async function subscribed(as: Person): Promise<Browser> {
  const browser = aBrowser(service.origin)
  expect((await save(as, browser)).body).toEqual({ subscribed: true })
  return browser
}

async function isSubscribed(as: Person): Promise<boolean> {
  return (await server.call('GET', '/api/push', { as })).body.subscribed
}

function saveAt(endpoint: string) {
  const browser = aBrowser(service.origin)
  browser.subscription.endpoint = endpoint
  return save(reader, browser)
}

/** The same person on one device more. */
async function onAnotherDevice({ email, ...person }: Person): Promise<Person> {
  const body = { email, password: PASSWORD }
  const { token } = (await server.call('POST', '/api/auth/login', { body })).body
  return { ...person, email, token }
}

function seal(overrides: Parameters<typeof createRevelation>[2] = {}) {
  return createRevelation(server, author, {
    title: TITLE,
    target_email: reader.email,
    visibility: 'private',
    ...overrides,
  })
}

async function wait(ms: number): Promise<void> {
  server.clock.advance(ms)
  await server.runJobs()
}

function titlesFor(browser: Browser): string[] {
  return browser.messages(service.received).map(({ title }) => title.replaceAll('\u00A0', ' '))
}

/** What failed is due again: the queue would let it wait for its turn. */
async function tryAgain(): Promise<void> {
  await server.ctx.pool.query(`update pgboss.job set start_after = now() where state = 'retry'`)
  await server.runJobs()
}

const forReader = () => `@${author.pseudo} vous a laissé une révélation : elle est ouverte`
const fromAuthor = () => `La révélation de @${author.pseudo} est ouverte`

describe('at the instant', () => {
  it('tells each browser of the addressee and of the author once, and nobody before', async () => {
    const [phone, laptop, own] = [
      await subscribed(reader),
      await subscribed(await onAnotherDevice(reader)),
      await subscribed(author),
    ]
    const { id } = await seal({ second_email: 'autre@exemple.test' })
    await wait(A_DAY_MS - 1)
    expect(service.received).toEqual([])
    await wait(1)
    await wait(AN_HOUR_MS)
    for (const browser of [phone, laptop]) expect(titlesFor(browser)).toEqual([forReader()])
    expect(titlesFor(own)).toEqual(['Votre révélation est ouverte'])
    expect(phone.messages(service.received)).toEqual([
      {
        title: expect.any(String),
        body: OPENED,
        path: `/revelation/${id}`,
        tag: `devoilee/${id}`,
      },
    ])
  })

  it('says to the push service who writes, how long it is news, and nothing of what', async () => {
    const browser = await subscribed(reader)
    const { id } = await seal()
    await wait(A_DAY_MS)
    const [handed] = service.received
    const { public_key } = (await server.call('GET', '/api/push', { as: reader })).body
    expect(handed && vapidClaims(handed, public_key)).toMatchObject({
      aud: service.origin,
      sub: expect.stringMatching(/^mailto:/),
    })
    expect(handed?.headers).toMatchObject({ ttl: '86400', urgency: 'high' })
    expect(handed?.headers.topic).toMatch(/^[\w-]{32}$/)
    const said = JSON.stringify(handed?.headers)
    for (const secret of [id, id.replaceAll('-', ''), TITLE, author.pseudo, reader.email])
      expect(said).not.toContain(secret)
    expect(JSON.stringify(browser.messages(service.received))).not.toContain(TITLE)
  })

  it('tells those tied to the author what they may read, if they want to hear of it', async () => {
    const [friend, family, deaf] = [
      await signedIn(server),
      await signedIn(server),
      await signedIn(server),
    ]
    await relate(server, author, friend, 'friend')
    await relate(server, author, family, 'family')
    await relate(server, author, deaf, 'family')
    const browsers = await Promise.all([friend, family, deaf].map(subscribed))
    const body = { revelationRevealed: false }
    await server.call('PUT', '/api/subscriptions/preferences', { as: deaf, body })
    for (const visibility of ['family', 'private', 'friends'] as const) await seal({ visibility })
    await wait(A_DAY_MS)
    expect(browsers.map(titlesFor)).toEqual([[fromAuthor()], [fromAuthor(), fromAuthor()], []])
  })

  it('tells whoever asked to be reminded once, whatever they want to hear of otherwise', async () => {
    const passerBy = await signedIn(server)
    const browser = await subscribed(passerBy)
    const body = { revelationRevealed: false }
    await server.call('PUT', '/api/subscriptions/preferences', { as: passerBy, body })
    const { id } = await seal({ visibility: 'public' })
    await seal({ visibility: 'public' })
    await server.call('PUT', `/api/revelations/${id}/reminder`, { as: passerBy })
    await relate(server, author, passerBy, 'friend')
    await wait(A_DAY_MS)
    await wait(AN_HOUR_MS)
    expect(browser.messages(service.received).map(({ path }) => path)).toEqual([
      `/revelation/${id}`,
    ])
  })

  it('tells an addressee whose address is not proved nothing', async () => {
    const unproved = await signedIn(server)
    const browser = await subscribed(unproved)
    await seal({ target_email: unproved.email })
    await wait(A_DAY_MS)
    expect(titlesFor(browser)).toEqual([])
  })
})

describe('what is asked again as it leaves', () => {
  /** Queued at the instant, and not yet taken by the push service. */
  async function queued(overrides: Parameters<typeof seal>[0] = {}) {
    const browser = await subscribed(reader)
    const { id } = await seal(overrides)
    service.status = 503
    await wait(A_DAY_MS)
    expect(service.received.length).toBeGreaterThan(0)
    service.received.length = 0
    service.status = 201
    return { id, browser }
  }
  const change = (id: string, work: typeof hideRevelation) =>
    inTransaction(server.ctx, (tx) => work(tx, id))

  it('leaves later when the push service could not take it', async () => {
    const { browser } = await queued()
    await tryAgain()
    await tryAgain()
    expect(titlesFor(browser)).toEqual([forReader()])
  })

  it('waits for the clock of the machine that sends', async () => {
    const { browser } = await queued()
    server.clock.advance(-1_000)
    await tryAgain()
    expect(service.received).toEqual([])
    server.clock.advance(1_000)
    await tryAgain()
    expect(titlesFor(browser)).toEqual([forReader()])
  })

  it('says nothing of what is hidden, and says it once it is restored', async () => {
    const own = await subscribed(author)
    const { id, browser } = await queued()
    await change(id, hideRevelation)
    await tryAgain()
    expect(service.received).toEqual([])
    await change(id, restoreRevelation)
    await server.runJobs()
    expect([browser, own].map((one) => titlesFor(one).length)).toEqual([1, 1])
    await change(id, hideRevelation)
    await change(id, restoreRevelation)
    await server.runJobs()
    expect(service.received).toHaveLength(2)
  })

  it('waits with what was hidden before the instant until it is restored', async () => {
    const browser = await subscribed(reader)
    const { id } = await seal()
    await change(id, hideRevelation)
    await wait(A_DAY_MS + AN_HOUR_MS)
    expect(service.received).toEqual([])
    await change(id, restoreRevelation)
    await server.runJobs()
    expect(titlesFor(browser)).toEqual([forReader()])
  })

  test.each<[string, (id: string) => Promise<unknown>]>([
    ['it was deleted', (id) => server.call('DELETE', `/api/revelations/${id}`, { as: author })],
    [
      'its reader wants to hear nothing any more',
      () =>
        server.call('PUT', '/api/subscriptions/preferences', {
          as: reader,
          body: { revelationRevealed: false },
        }),
    ],
    ['the browser was signed out', () => server.call('POST', '/api/auth/logout', { as: reader })],
    ['the browser is told no more', () => server.call('DELETE', SUBSCRIPTION, { as: reader })],
    ['it is no news any more', async () => server.clock.advance(A_DAY_MS)],
  ])('says nothing when %s', async (_, happen) => {
    const { id } = await queued()
    await happen(id)
    await tryAgain()
    expect(service.received).toEqual([])
  })

  it('says nothing to whoever is tied to the author no more', async () => {
    await relate(server, author, reader, 'friend')
    await queued({ visibility: 'public', target_email: 'autre@exemple.test' })
    await server.ctx.pool.query('delete from relationships')
    await tryAgain()
    expect(service.received).toEqual([])
  })
})

describe('a subscription', () => {
  it('ends with the browser: a push service that knows it no more is not asked again', async () => {
    await subscribed(reader)
    await seal()
    await seal()
    service.status = 410
    await wait(A_DAY_MS)
    await tryAgain()
    expect(service.received).toHaveLength(1)
    expect(await isSubscribed(reader)).toBe(false)
  })

  it('ends with its session, and with the ninety days a session lives', async () => {
    const phone = await onAnotherDevice(reader)
    const [here, there] = [await subscribed(reader), await subscribed(phone)]
    await server.call('DELETE', '/api/auth/sessions', { as: reader })
    await seal()
    await wait(A_DAY_MS)
    expect([titlesFor(here).length, titlesFor(there).length]).toEqual([1, 0])
    await seal({ reveal_date: new Date(server.clock.now.getTime() + 91 * A_DAY_MS).toISOString() })
    await wait(91 * A_DAY_MS)
    expect(titlesFor(here)).toHaveLength(1)
  })

  it('is that of whoever is signed in now, once per browser', async () => {
    const browser = aBrowser(service.origin)
    await save(author, browser)
    await save(reader, browser)
    await save(reader, browser)
    expect([await isSubscribed(author), await isSubscribed(reader)]).toEqual([false, true])
    await seal()
    await wait(A_DAY_MS)
    expect(titlesFor(browser)).toEqual([forReader()])
  })

  it('takes the place of the one its session had', async () => {
    const [former, latter] = [await subscribed(reader), await subscribed(reader)]
    await seal()
    await wait(A_DAY_MS)
    expect([titlesFor(former).length, titlesFor(latter).length]).toEqual([0, 1])
  })

  it('goes nowhere else when a push service sends elsewhere', async () => {
    await subscribed(reader)
    await seal()
    service.status = 307
    await wait(A_DAY_MS)
    await tryAgain()
    expect(service.received).toHaveLength(1)
  })

  it('is refused to a visitor', async () => {
    const browser = aBrowser(service.origin)
    const answers = [
      await save(undefined, browser),
      await server.call('DELETE', SUBSCRIPTION),
      await server.call('GET', '/api/push'),
    ]
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401])
  })

  it('is refused anywhere but at the push service of a browser’s maker', async () => {
    for (const endpoint of [
      'http://fcm.googleapis.com/fcm/send/a',
      'https://fcm.googleapis.com:8443/fcm/send/a',
      'https://fcm.googleapis.com.exemple.test/a',
      'https://exemple.test/fcm.googleapis.com',
      'https://fcm.googleapis.com@exemple.test/a',
      'https://notify.windows.com/a',
      'https://xn--push-services-mozilla.com/a',
      'http://127.0.0.1:9/a',
      'http://169.254.169.254/latest/meta-data',
      'https://[::1]/a',
      'file:///etc/passwd',
      'rien',
    ]) {
      const { status, body } = await saveAt(endpoint)
      expect([endpoint, status, body.code]).toEqual([endpoint, 400, 'unknown_push_service'])
    }
    for (const endpoint of [
      'https://fcm.googleapis.com/fcm/send/a:b',
      'https://updates.push.services.mozilla.com/wpush/v2/a',
      'https://wns2-par02p.notify.windows.com/w/?token=a',
      'https://web.push.apple.com/a',
    ]) {
      expect([endpoint, (await saveAt(endpoint)).status]).toEqual([endpoint, 200])
    }
  })

  test.each([
    ['a key that is no point of the curve', { p256dh: Buffer.alloc(65, 4).toString('base64url') }],
    ['a short secret', { auth: 'abc' }],
  ])('with %s is refused', async (_, keys) => {
    const { subscription } = aBrowser(service.origin)
    const body = { ...subscription, keys: { ...subscription.keys, ...keys } }
    expect((await server.call('PUT', SUBSCRIPTION, { as: reader, body })).status).toBe(400)
  })

  it('lies sealed in the database, and stands in no log', async () => {
    const browser = await subscribed(reader)
    await seal()
    service.status = 400
    await wait(A_DAY_MS)
    expect(service.received).toHaveLength(1)
    const { endpoint, keys } = browser.subscription
    const secrets = [new URL(endpoint).pathname, keys.p256dh, keys.auth]
    const places = [
      ...(await tablesOf(server.ctx.db)),
      { name: 'log', bytes: Buffer.from(log.join('')) },
    ]
    expect(log.join('')).toContain('a push service refused a message')
    expect(search(places, secrets.flatMap(formsOfText))).toEqual([])
  })
})

it('is nowhere where the operator switched it off', async () => {
  const browser = await subscribed(reader)
  const { push } = server.ctx.config
  server.ctx.config.push = { ...push, isOn: false }
  try {
    const { body } = await server.call('GET', '/api/push', { as: reader })
    expect(body).toEqual({ public_key: null, subscribed: false })
    expect((await save(reader, browser)).body.code).toBe('unknown_push_service')
    await seal()
    await wait(A_DAY_MS)
    expect(service.received).toEqual([])
  } finally {
    server.ctx.config.push = push
  }
})
