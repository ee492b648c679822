import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it, test } from 'vitest'
import type { NotificationKind } from '#contract/notifications.ts'
import { inTransaction } from '#server/context.ts'
import {
  hideRevelation,
  restoreRevelation,
} from '#server/features/revelations/revelations.service.ts'
import { formsOfText, search, tablesOf } from '#testing/canary.ts'
import {
  A_DAY_MS,
  AN_HOUR_MS,
  createRevelation,
  relate,
  toAll,
  verifiedPerson,
} from '#testing/factories.ts'
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
  reader = await verifiedPerson(server)
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
  // A job tells those close to the author, whose browsers are looked for after it.
  await server.runJobs()
}

function titlesFor(browser: Browser): string[] {
  return browser.messages(service.received).map(({ notification }) => notification.title)
}

/** What failed is due again: the queue would let it wait for its turn. */
async function tryAgain(): Promise<void> {
  await server.ctx.pool.query(`update pgboss.job set start_after = now() where state = 'retry'`)
  await server.runJobs()
}

const FOR_READER = 'Une lettre vous attend'
const FROM_AUTHOR = 'Une révélation est ouverte'

describe('pushes about a reveal', () => {
  it('reach each browser of the recipient and of the author at the instant, once', async () => {
    const [phone, laptop, own] = [
      await subscribed(reader),
      await subscribed(await onAnotherDevice(reader)),
      await subscribed(author),
    ]
    const { id } = await seal(toAll(reader.email, 'autre@exemple.test'))
    await wait(A_DAY_MS - 1)
    expect(service.received).toEqual([])
    await wait(1)
    await wait(AN_HOUR_MS)
    for (const browser of [phone, laptop]) expect(titlesFor(browser)).toEqual([FOR_READER])
    expect(titlesFor(own)).toEqual(['Votre révélation est ouverte'])
    expect(phone.messages(service.received)).toEqual([
      {
        web_push: 8030,
        notification: {
          title: FOR_READER,
          body: 'Son moment est venu.',
          lang: 'fr',
          navigate: `${server.ctx.config.http.publicUrl}/revelation/${id}`,
          tag: `revealed/${id}`,
          silent: false,
        },
        app_badge: 1,
      },
    ])
  })

  it('show the push service who sends and how long to store, and nothing of the content', async () => {
    const browser = await subscribed(reader)
    const { id } = await seal()
    await wait(A_DAY_MS)
    const [request] = service.received
    const { public_key } = (await server.call('GET', '/api/push', { as: reader })).body
    expect(request && vapidClaims(request, public_key)).toMatchObject({
      aud: service.origin,
      sub: expect.stringMatching(/^mailto:/),
    })
    expect(request?.headers).toMatchObject({ ttl: '86400', urgency: 'high' })
    expect(request?.headers.topic).toMatch(/^[\w-]{32}$/)
    const headers = JSON.stringify(request?.headers)
    for (const secret of [id, id.replaceAll('-', ''), TITLE, author.pseudo, reader.email])
      expect(headers).not.toContain(secret)
    const messages = JSON.stringify(browser.messages(service.received))
    for (const secret of [TITLE, author.pseudo, reader.pseudo, reader.email])
      expect(messages).not.toContain(secret)
  })

  it('reach those close to the author who may read it and want pushes', async () => {
    const [friend, family, off] = [
      await signedIn(server),
      await signedIn(server),
      await signedIn(server),
    ]
    await relate(server, author, friend, 'friend')
    await relate(server, author, family, 'family')
    await relate(server, author, off, 'family')
    const browsers = await Promise.all([friend, family, off].map(subscribed))
    const body = { push: { revealed: false } }
    await server.call('PUT', '/api/notifications/switches', { as: off, body })
    for (const visibility of ['family', 'private', 'friends'] as const) await seal({ visibility })
    await wait(A_DAY_MS)
    expect(browsers.map(titlesFor)).toEqual([[FROM_AUTHOR], [FROM_AUTHOR, FROM_AUTHOR], []])
  })

  it('reach whoever has a reminder once, whatever their switches', async () => {
    const passerBy = await signedIn(server)
    const browser = await subscribed(passerBy)
    const body = { push: { revealed: false } }
    await server.call('PUT', '/api/notifications/switches', { as: passerBy, body })
    const { id } = await seal({ visibility: 'public' })
    await seal({ visibility: 'public' })
    await server.call('PUT', `/api/revelations/${id}/reminder`, { as: passerBy })
    await relate(server, author, passerBy, 'friend')
    await wait(A_DAY_MS)
    await wait(AN_HOUR_MS)
    expect(
      browser.messages(service.received).map(({ notification }) => notification.navigate),
    ).toEqual([`${server.ctx.config.http.publicUrl}/revelation/${id}`])
  })

  it('do not reach a recipient whose address is not verified', async () => {
    const unverified = await signedIn(server)
    const browser = await subscribed(unverified)
    await seal({ target_email: unverified.email })
    await wait(A_DAY_MS)
    expect(titlesFor(browser)).toEqual([])
  })
})

describe('pushes about what else happens', () => {
  const switchOn = (as: Person, ...kinds: NotificationKind[]) =>
    server.call('PUT', '/api/notifications/switches', {
      as,
      body: { push: Object.fromEntries(kinds.map((kind) => [kind, true])) },
    })

  async function comment(revelationId: string): Promise<void> {
    const body = { revelation_id: revelationId, content: `Bien dit ${randomUUID()}` }
    expect((await server.call('POST', '/api/comments', { as: reader, body })).status).toBe(201)
  }

  it('name nobody and no letter, whatever it is', async () => {
    const browser = await subscribed(author)
    await switchOn(author, 'comment', 'reaction')
    const { id } = await seal({ visibility: 'public' })
    await comment(id)
    const reacting = { as: reader, body: { revelation_id: id, emoji: '🎉' } }
    await server.call('POST', '/api/reactions', reacting)
    const asking = { as: reader, body: { receiver_id: author.id, type: 'friend' } }
    await server.call('POST', '/api/relationships/request', asking)
    await server.runJobs()
    await wait(A_DAY_MS)
    const replying = { as: reader, body: { content: 'Un mot pour vous seul' } }
    await server.call('POST', `/api/revelations/${id}/replies`, replying)
    await server.runJobs()
    expect(titlesFor(browser).toSorted()).toEqual([
      'Un nouveau commentaire',
      'Une demande vous attend',
      'Une nouvelle réaction',
      'Une réponse vous attend',
      'Votre révélation est ouverte',
    ])
    const messages = browser.messages(service.received)
    expect(messages.map(({ app_badge }) => app_badge)).toEqual([3, 3, 3, 4, 5])
    for (const secret of [reader.pseudo, author.pseudo, TITLE, 'Bien dit', 'Un mot'])
      expect(JSON.stringify(messages)).not.toContain(secret)
  })

  it('reach browsers of whoever switched the kind on, once until it is read', async () => {
    const browser = await subscribed(author)
    const { id } = await seal({ visibility: 'public' })
    await comment(id)
    await server.runJobs()
    expect(service.received).toEqual([])
    await server.call('POST', '/api/notifications/read', { as: author, body: { all: true } })
    await switchOn(author, 'comment')
    for (const _time of [1, 2]) {
      await comment(id)
      await server.runJobs()
      expect(titlesFor(browser)).toHaveLength(1)
    }
    await server.call('POST', '/api/notifications/read', { as: author, body: { all: true } })
    await comment(id)
    await server.runJobs()
    expect(titlesFor(browser)).toHaveLength(2)
  })

  it('take the place of each other where one person causes and withdraws them again and again', async () => {
    const browser = await subscribed(reader)
    for (let times = 0; times < 3; times += 1) {
      const body = { receiver_id: reader.id, type: 'friend' }
      const { request } = (
        await server.call('POST', '/api/relationships/request', { as: author, body })
      ).body
      const { id } = await seal({ visibility: 'public' })
      const notifying = { as: author, body: { revelationId: id } }
      await server.call('POST', '/api/email/notify-revelation', notifying)
      await server.runJobs()
      await server.call('DELETE', `/api/relationships/request/${request.id}`, { as: author })
      await server.call('DELETE', `/api/revelations/${id}`, { as: author })
    }
    const messages = browser.messages(service.received)
    expect(messages).toHaveLength(6)
    expect(new Set(messages.map(({ notification }) => notification.tag)).size).toBe(2)
  })

  it('come alone where the page does without the kind', async () => {
    const browser = await subscribed(author)
    const body = { page: { comment: false }, push: { comment: true } }
    await server.call('PUT', '/api/notifications/switches', { as: author, body })
    const { id } = await seal({ visibility: 'public' })
    await comment(id)
    await server.runJobs()
    expect(browser.messages(service.received).map(({ app_badge }) => app_badge)).toEqual([0])
    const { notifications } = (await server.call('GET', '/api/notifications', { as: author })).body
    expect(notifications).toEqual([])
  })

  it('come once an hour for each letter there, however much is left under it', async () => {
    const browser = await subscribed(author)
    const body = { page: { comment: false }, push: { comment: true } }
    await server.call('PUT', '/api/notifications/switches', { as: author, body })
    const { id } = await seal({ visibility: 'public' })
    for (let times = 0; times < 5; times += 1) {
      server.clock.advance(1)
      await comment(id)
    }
    await server.runJobs()
    expect(titlesFor(browser)).toHaveLength(1)
    server.clock.advance(AN_HOUR_MS)
    await comment(id)
    await server.runJobs()
    expect(titlesFor(browser)).toHaveLength(2)
  })
})

describe('a queued push', () => {
  /** Queued at the instant, and not yet accepted by the push service. */
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

  it('is sent later when the push service accepted nothing', async () => {
    const { browser } = await queued()
    await tryAgain()
    await tryAgain()
    expect(titlesFor(browser)).toEqual([FOR_READER])
  })

  it('waits for the clock of the machine that sends', async () => {
    const { browser } = await queued()
    server.clock.advance(-1_000)
    await tryAgain()
    expect(service.received).toEqual([])
    server.clock.advance(1_000)
    await tryAgain()
    expect(titlesFor(browser)).toEqual([FOR_READER])
  })

  it('is not sent while the revelation is hidden, and is sent once at its restoration', async () => {
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

  it('waits for the restoration of what was hidden before the instant', async () => {
    const browser = await subscribed(reader)
    const { id } = await seal()
    await change(id, hideRevelation)
    await wait(A_DAY_MS + AN_HOUR_MS)
    expect(service.received).toEqual([])
    await change(id, restoreRevelation)
    await server.runJobs()
    expect(titlesFor(browser)).toEqual([FOR_READER])
  })

  test.each<[string, (id: string) => Promise<unknown>]>([
    ['it was deleted', (id) => server.call('DELETE', `/api/revelations/${id}`, { as: author })],
    [
      'its reader changed their switches',
      () =>
        server.call('PUT', '/api/notifications/switches', {
          as: reader,
          body: { push: { letter_waiting: false } },
        }),
    ],
    [
      'it was read on a page',
      () => server.call('POST', '/api/notifications/read', { as: reader, body: { all: true } }),
    ],
    ['the browser was signed out', () => server.call('POST', '/api/auth/logout', { as: reader })],
    ['the browser unsubscribed', () => server.call('DELETE', SUBSCRIPTION, { as: reader })],
    ['it is a day old', async () => server.clock.advance(A_DAY_MS)],
  ])('is not sent when %s', async (_, act) => {
    const { id } = await queued()
    await act(id)
    await tryAgain()
    expect(service.received).toEqual([])
  })

  it('is not sent to whoever is no longer close to the author', async () => {
    await relate(server, author, reader, 'friend')
    await queued({ visibility: 'public', target_email: 'autre@exemple.test' })
    await server.ctx.pool.query('delete from relationships')
    await tryAgain()
    expect(service.received).toEqual([])
  })
})

describe('PUT /api/push/subscription', () => {
  it('ends with the browser: nothing is sent to one that is gone', async () => {
    await subscribed(reader)
    await seal()
    await seal()
    service.status = 410
    await wait(A_DAY_MS)
    await tryAgain()
    expect(service.received).toHaveLength(1)
    expect(await isSubscribed(reader)).toBe(false)
  })

  it('ends with its session, and after the ninety days of a session', async () => {
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

  it('belongs to whoever is signed in now, once per browser', async () => {
    const browser = aBrowser(service.origin)
    await save(author, browser)
    await save(reader, browser)
    await save(reader, browser)
    expect([await isSubscribed(author), await isSubscribed(reader)]).toEqual([false, true])
    await seal()
    await wait(A_DAY_MS)
    expect(titlesFor(browser)).toEqual([FOR_READER])
  })

  it('replaces the subscription of its session', async () => {
    const [former, latter] = [await subscribed(reader), await subscribed(reader)]
    await seal()
    await wait(A_DAY_MS)
    expect([titlesFor(former).length, titlesFor(latter).length]).toEqual([0, 1])
  })

  it('follows no redirect of a push service', async () => {
    await subscribed(reader)
    await seal()
    service.status = 307
    await wait(A_DAY_MS)
    await tryAgain()
    expect(service.received).toHaveLength(1)
  })

  it('rejects visitors', async () => {
    const browser = aBrowser(service.origin)
    const answers = [
      await save(undefined, browser),
      await server.call('DELETE', SUBSCRIPTION),
      await server.call('GET', '/api/push'),
    ]
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401])
  })

  it('rejects every address but those of known push services', async () => {
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
  ])('rejects %s', async (_, keys) => {
    const { subscription } = aBrowser(service.origin)
    const body = { ...subscription, keys: { ...subscription.keys, ...keys } }
    expect((await server.call('PUT', SUBSCRIPTION, { as: reader, body })).status).toBe(400)
  })

  it('seals the subscription in the database, and logs nothing of it', async () => {
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

describe('POST /api/push/test', () => {
  it('tries this browser alone, and says whether there is one', async () => {
    const other = await onAnotherDevice(reader)
    const [here, there] = [await subscribed(reader), await subscribed(other)]
    const tried = await server.call('POST', '/api/push/test', { as: reader })
    expect(tried.body).toEqual({ queued: true })
    await server.runJobs()
    expect(titlesFor(here)).toEqual(['Vos notifications arrivent ici'])
    expect(titlesFor(there)).toEqual([])
    const nowhere = await server.call('POST', '/api/push/test', { as: author })
    expect(nowhere.body).toEqual({ queued: false })
    expect((await server.call('POST', '/api/push/test')).status).toBe(401)
  })
})

it('sends no push where the operator turned them off', async () => {
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
