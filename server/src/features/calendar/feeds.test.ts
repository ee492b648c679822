import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { A_DAY_MS, createRevelation, relate } from '#testing/factories.ts'
import { untilWaiting } from '#testing/statements.ts'
import {
  PASSWORD,
  type Person,
  signedIn,
  startTestServer,
  type TestApp,
} from '#testing/test-server.ts'
import { createVoiceMessage } from '#testing/voice-messages.ts'

const FEED = '/api/calendar-feed'
const NO_FEED = { url: null, ended_at: null }
const LETTER = 'Personne ne doit lire ceci avant la date.'

let server: TestApp
let me: Person
const logged: string[] = []

beforeAll(async () => {
  server = await startTestServer({ log: { write: (line) => logged.push(line) } })
})
afterAll(() => server.close())
beforeEach(async () => {
  me = await signedIn(server)
})

async function createFeed(as: Person): Promise<string> {
  const { status, body } = await server.call('POST', FEED, { as })
  expect(status).toBe(201)
  return body.url
}

function pathOf(url: string): string {
  return new URL(url).pathname
}

function read(url: string, headers: Record<string, string> = {}) {
  return server.call('GET', pathOf(url), { headers })
}

function addEvent(as: Person, event: object) {
  const body = { title: 'Un jour', date: '2026-12-25', type: 'other', ...event }
  return server.call('POST', '/api/calendar-events', { as, body })
}

/** The events of a calendar, their lines unfolded (RFC 5545 §3.1). */
function eventsOf(text: string): string[][] {
  const unfolded = text.replaceAll('\r\n ', '')
  return unfolded
    .split('BEGIN:VEVENT\r\n')
    .slice(1)
    .map((event) => event.split('END:VEVENT')[0]?.split('\r\n') ?? [])
}

function eventNamed(text: string, summary: string): string[] {
  const found = eventsOf(text).find((lines) => lines.includes(`SUMMARY:${summary}`))
  if (!found) throw new Error(`There is no « ${summary} »`)
  return found
}

test('an address is created on request, and shown again', async () => {
  expect((await server.call('GET', FEED, { as: me })).body).toEqual(NO_FEED)
  const url = await createFeed(me)
  expect(url).toMatch(/\/api\/calendar-feed\/[\w-]{43}\.ics$/)
  expect((await server.call('GET', FEED, { as: me })).body).toEqual({ url, ended_at: null })
})

test('only the hash of the secret is stored, and no log has it', async () => {
  const url = await createFeed(me)
  const token = url.slice(url.lastIndexOf('/') + 1, -4)
  await read(url)
  const { rows } = await server.ctx.pool.query('select * from calendar_feeds')
  expect(JSON.stringify(rows)).not.toContain(token)
  expect(rows.some(({ token_hash }) => token_hash.equals(Buffer.from(token)))).toBe(false)
  expect(logged.some((line) => line.includes('/api/calendar-feed/:file'))).toBe(true)
  expect(logged.join('\n')).not.toContain(token)
})

test('a new address, or a revocation, ends the former address at once, which answers as an invented one', async () => {
  const first = await createFeed(me)
  const second = await createFeed(me)
  expect((await read(second)).status).toBe(200)
  const dead = await read(first)
  await server.call('DELETE', FEED, { as: me })
  expect((await server.call('GET', FEED, { as: me })).body).toEqual(NO_FEED)
  const answers = [
    dead,
    await read(second),
    await server.call('GET', `${FEED}/${'a'.repeat(43)}.ics`),
    await server.call('GET', `${FEED}/${'a'.repeat(43)}`),
    await server.call('GET', `${FEED}/${'a'.repeat(150)}.ics`),
    await server.call('GET', `${FEED}/%00.ics`),
    await server.call('GET', `${FEED}/.ics`),
  ]
  for (const { status, body, headers } of answers) {
    expect([status, body]).toEqual([404, dead.body])
    expect(Object.keys(headers).toSorted()).toEqual(Object.keys(dead.headers).toSorted())
  }
})

test('own events are whole days, the same everywhere, and come back when they should', async () => {
  await addEvent(me, { title: 'Noël', date: '2026-12-25', type: 'holiday' })
  await addEvent(me, { title: 'Inès', date: '2006-11-30', type: 'birthday', description: 'a\nb' })
  await addEvent(me, { title: 'Léa', date: '2004-02-29', type: 'birthday' })
  const { text, headers, status } = await read(await createFeed(me))
  expect([status, headers['content-type']]).toEqual([200, 'text/calendar; charset=utf-8'])
  expect(headers['cache-control']).toBe('private, no-store')
  const christmas = eventNamed(text, 'Noël')
  expect(christmas).toContain('DTSTART;VALUE=DATE:20261225')
  expect(christmas).toContain('DTEND;VALUE=DATE:20261226')
  expect(christmas.some((line) => line.startsWith('RRULE'))).toBe(false)
  const birthday = eventNamed(text, 'Inès')
  expect(birthday).toContain('DTSTART;VALUE=DATE:20061130')
  expect(birthday).toContain('RRULE:FREQ=YEARLY')
  expect(birthday).toContain('DESCRIPTION:a\\nb')
  const leap = eventNamed(text, 'Léa')
  expect(leap).toContain('DTSTART;VALUE=DATE:20040229')
  expect(leap).toContain('RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=-1')
})

test('a feed has what opens in the circle, its title on one line, without a word of a letter', async () => {
  const mother = await signedIn(server)
  await relate(server, me, mother, 'family')
  const { id } = await createRevelation(server, mother, {
    title: 'Ce que\nje te dois',
    content: LETTER,
    visibility: 'family',
    reveal_date: '2027-03-28T01:30:00.000Z',
  })
  const sound = await createVoiceMessage(server, mother, {
    title: 'Un bonjour',
    description: LETTER,
    reveal_message: LETTER,
    reveal_date: '2027-01-01T00:00:00.000Z',
  })
  const { text } = await read(await createFeed(me))
  const reveal = eventNamed(text, 'Révélation\u202F: Ce que je te dois')
  expect(reveal).toEqual(
    expect.arrayContaining([
      'DTSTART:20270328T013000Z',
      'DTEND:20270328T020000Z',
      `DESCRIPTION:De @${mother.pseudo}`,
      expect.stringMatching(new RegExp(`^URL.*/revelation/${id}$`)),
    ]),
  )
  expect(eventNamed(text, 'Message vocal\u202F: Un bonjour')).toContain('DTSTART:20270101T000000Z')
  expect(text).toContain(sound.id)
  expect(text).not.toContain(LETTER.slice(0, 10))
})

test('a feed has nothing of strangers, friends or private letters, nor what is too far away', async () => {
  const [stranger, friend, mother] = [
    await signedIn(server),
    await signedIn(server),
    await signedIn(server),
  ]
  await relate(server, me, friend, 'friend')
  await relate(server, me, mother, 'family')
  const url = await createFeed(me)
  const before = (await read(url)).text
  await createRevelation(server, stranger, { visibility: 'family' })
  await createRevelation(server, friend, { visibility: 'family' })
  await createRevelation(server, friend, { visibility: 'friends' })
  await createRevelation(server, mother, { visibility: 'private' })
  const inElevenYears = new Date(server.clock.now.getTime() + 11 * 366 * A_DAY_MS).toISOString()
  await createRevelation(server, mother, { visibility: 'family', reveal_date: inElevenYears })
  expect((await read(url)).text).toBe(before)
})

test('the end of a relationship, a block and an operator remove a reveal from the next reading', async () => {
  const mother = await signedIn(server)
  await relate(server, me, mother, 'family')
  const title = 'Pour la famille'
  const { id } = await createRevelation(server, mother, { title, visibility: 'family' })
  const url = await createFeed(me)
  const isThere = async () => (await read(url)).text.includes(title)
  expect(await isThere()).toBe(true)
  await server.ctx.pool.query(
    `update revelations set hidden_at = now(), visibility_before_hiding = visibility, visibility = 'private'
     where id = $1`,
    [id],
  )
  expect(await isThere()).toBe(false)
  await server.ctx.pool.query(
    `update revelations set hidden_at = null, visibility = 'family', visibility_before_hiding = null where id = $1`,
    [id],
  )
  expect(await isThere()).toBe(true)
  await server.ctx.pool.query('delete from relationships where $1 in (low_user_id, high_user_id)', [
    me.id,
  ])
  expect(await isThere()).toBe(false)
  await relate(server, me, mother, 'family')
  expect(await isThere()).toBe(true)
  await server.ctx.pool.query('insert into blocks values ($1, $2, now())', [mother.id, me.id])
  expect(await isThere()).toBe(false)
})

test('a program that has the current version is answered 304', async () => {
  await addEvent(me, { title: 'Noël' })
  const url = await createFeed(me)
  const { etag = '' } = (await read(url)).headers
  server.clock.advance(60_000)
  // As it was sent, as a proxy that compresses rewrites it, and among others.
  for (const tag of [etag, `W/${etag}`, `"another", W/${etag}`]) {
    const same = await read(url, { 'if-none-match': tag })
    expect([same.status, same.text]).toEqual([304, ''])
  }
  expect((await read(url, { 'if-none-match': '"another"' })).status).toBe(200)
  await addEvent(me, { title: 'Un autre jour' })
  expect((await read(url, { 'if-none-match': etag })).status).toBe(200)
})

const NEW_PASSWORD = 'un tout autre mot'

/** What signs a person out elsewhere, or everywhere; a session that is open then. */
const SIGNS_OUT: Record<string, (as: Person) => Promise<Person>> = {
  'another password': async (as) => {
    const body = { currentPassword: PASSWORD, newPassword: NEW_PASSWORD }
    await server.call('PUT', '/api/auth/change-password', { as, body })
    return as
  },
  'a forgotten password': async (as) => {
    const { email } = as
    await server.call('POST', '/api/auth/forgot-password', { body: { email } })
    await server.runJobs()
    const token = /#jeton=([\w-]+)/.exec(server.mailbox.lastTo(email)?.text ?? '')?.[1]
    const body = { token, password: NEW_PASSWORD }
    await server.call('POST', '/api/auth/reset-password', { body })
    const credentials = { email, password: NEW_PASSWORD }
    const login = await server.call('POST', '/api/auth/login', { body: credentials })
    return { ...as, token: login.body.token }
  },
  'signing out everywhere else': async (as) => {
    await server.call('DELETE', '/api/auth/sessions', { as })
    return as
  },
}

test.each(Object.entries(SIGNS_OUT))(
  '%s ends the address, and its page shows that until another is created',
  async (_, signOut) => {
    const stranger = await signedIn(server)
    const [url, theirs] = [await createFeed(me), await createFeed(stranger)]
    const as = await signOut(me)
    expect((await read(url)).status).toBe(404)
    expect((await read(theirs)).status).toBe(200)
    const { body } = await server.call('GET', FEED, { as })
    expect(body).toEqual({ url: null, ended_at: server.clock.now.toISOString() })
    const next = await createFeed(as)
    expect(next).not.toBe(url)
    expect((await read(next)).status).toBe(200)
    expect((await server.call('GET', FEED, { as })).body).toEqual({ url: next, ended_at: null })
  },
)

test('the mail of another password mentions an ended address, if there was one', async () => {
  const other = await signedIn(server)
  await createFeed(me)
  const texts: (string | undefined)[] = []
  for (const as of [me, other]) {
    const body = { currentPassword: PASSWORD, newPassword: NEW_PASSWORD }
    await server.call('PUT', '/api/auth/change-password', { as, body })
    await server.runJobs()
    texts.push(server.mailbox.lastTo(as.email)?.text)
  }
  expect(texts[0]).toContain('votre calendrier a pris fin')
  expect(texts[1]).toContain('mot de passe')
  expect(texts[1]).not.toContain('calendrier')
})

test('the mail of the next password does not mention an address that ended before', async () => {
  await createFeed(me)
  const texts: (string | undefined)[] = []
  const passwords = [PASSWORD, NEW_PASSWORD, PASSWORD]
  for (const [n, newPassword] of passwords.slice(1).entries()) {
    const body = { currentPassword: passwords[n], newPassword }
    await server.call('PUT', '/api/auth/change-password', { as: me, body })
    await server.runJobs()
    texts.push(server.mailbox.lastTo(me.email)?.text)
  }
  expect(texts[0]).toContain('votre calendrier a pris fin')
  expect(texts[1]).toContain('mot de passe')
  expect(texts[1]).not.toContain('calendrier')
})

test('a call whose session ends meanwhile creates no address', async () => {
  const client = await server.ctx.pool.connect()
  try {
    await client.query('begin')
    // As another password does, before it ends the sessions.
    await client.query('select from users where id = $1 for no key update', [me.id])
    const created = server.call('POST', FEED, { as: me })
    await untilWaiting(client)
    await client.query('delete from sessions where user_id = $1', [me.id])
    await client.query('commit')
    expect((await created).body.code).toBe('unauthenticated')
  } finally {
    client.release(true)
  }
  const { rowCount } = await server.ctx.pool.query(
    'select from calendar_feeds where user_id = $1',
    [me.id],
  )
  expect(rowCount).toBe(0)
})

test('signing out, or ending one session, does not end the address', async () => {
  const url = await createFeed(me)
  await server.call('POST', '/api/auth/logout', { as: me })
  expect((await read(url)).status).toBe(200)
})

test('the end of an account ends its address', async () => {
  const url = await createFeed(me)
  await server.ctx.pool.query('delete from users where id = $1', [me.id])
  expect((await read(url)).status).toBe(404)
})

test('one address, and one network, have a limit a minute', async () => {
  const limited = await startTestServer({ rateLimits: true })
  const statusOf = async (letter: string, query = '') =>
    (await limited.call('GET', `${FEED}/${letter.repeat(43)}.ics${query}`)).status
  const first: number[] = []
  for (let call = 0; call < 21; call += 1) first.push(await statusOf('a', `?${call}`))
  expect([first[0], first[19], first[20]]).toEqual([404, 404, 429])
  const others: number[] = []
  for (const letter of 'bcdefg') {
    for (let call = 0; call < 20; call += 1) others.push(await statusOf(letter))
  }
  expect([others[0], others[99], others[100]]).toEqual([404, 404, 429])
  await limited.close()
})
