import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { personalKeyFor } from '#server/features/access/personal-keys.service.ts'
import {
  A_DAY_MS,
  createRevelation,
  keyHeaders,
  revelationBody,
  toAll,
  verifyEmail,
} from '#testing/factories.ts'
import { untilWaiting } from '#testing/statements.ts'
import {
  type Answer,
  type Person,
  signedIn,
  startTestServer,
  type TestApp,
} from '#testing/test-server.ts'

let server: TestApp
let author: Person
let first: string
let second: string

beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

beforeEach(async () => {
  author = await signedIn(server)
  first = `premiere.${crypto.randomUUID()}@exemple.fr`
  second = `seconde.${crypto.randomUUID()}@exemple.fr`
  server.mailbox.all.length = 0
})

function seal(overrides: Parameters<typeof createRevelation>[2] = {}) {
  return createRevelation(server, author, {
    ...toAll(first, second),
    visibility: 'family',
    ...overrides,
  })
}

function edit(id: string, body: object) {
  return server.call('PUT', `/api/revelations/${id}`, { as: author, body })
}

function notify(revelationId: string) {
  const body = { revelationId }
  return server.call('POST', '/api/email/notify-revelation', { as: author, body })
}

async function deliver(): Promise<void> {
  server.clock.advance(A_DAY_MS)
  await server.runJobs()
}

function stepsOf({ journal }: { journal: { step: string }[] }): string[] {
  return journal.map(({ step }) => step)
}

function mailsTo(address: string) {
  return server.mailbox.all.filter(({ to }) => to === address)
}

async function accountOf(email: string): Promise<Person> {
  const person = await signedIn(server, { email })
  await verifyEmail(server, person)
  return person
}

function seenBy(as: Person | undefined, id: string, key?: string) {
  return server.call('GET', `/api/revelations/${id}`, { as, headers: keyHeaders(key) })
}

it('mails each of twenty people their own link, and each opens the letter', async () => {
  const addresses = Array.from({ length: 20 }, () => `${crypto.randomUUID()}@exemple.fr`)
  const { id } = await seal(toAll(...addresses))
  await deliver()
  const keys = addresses.map((address) => server.mailbox.lastKeyTo(address))
  expect(new Set(keys).size).toBe(20)
  for (const key of keys) {
    expect((await seenBy(undefined, id, key)).body.revelation.content).toBeTruthy()
    const headers = keyHeaders(key)
    expect((await server.call('POST', `/api/revelations/${id}/open`, { headers })).status).toBe(200)
  }
  const { revelation } = (await seenBy(author, id)).body
  expect(revelation.deliveries).toMatchObject(
    addresses.map((address) => ({ address, state: 'opened' })),
  )
  expect(revelation.delivery).toEqual(revelation.deliveries[0])
})

it('names them to their author as one list', async () => {
  const named = ['Léa', 'Tom', 'Zoé'].map((name) => ({
    email: `${crypto.randomUUID()}@exemple.fr`,
    name,
  }))
  await seal({ target_email: undefined, recipients: named })
  await server.runJobs()
  expect(server.mailbox.lastTo(author.email)?.text).toContain('Pour Léa, Tom et Zoé')
})

describe('the recipients', () => {
  const addressesOf = ({ body }: Answer) =>
    body.revelation.recipients.map(({ email }: { email: string }) => email)

  it('are added, replaced, named and removed until the reveal', async () => {
    const { id } = await seal({ target_email: first, target_name: 'Léa', recipients: undefined })
    const added = await edit(id, { recipients: [{ email: first }, { email: second, name: 'Tom' }] })
    expect(added.body.revelation.recipients).toEqual([
      { email: first, name: null },
      { email: second, name: 'Tom' },
    ])
    const other = `autre.${crypto.randomUUID()}@exemple.fr`
    const changed = await edit(id, { recipients: [{ email: first }, { email: other }] })
    expect(addressesOf(changed)).toEqual([first, other])
    expect(stepsOf(changed.body.revelation.deliveries[1])).toEqual(['planned', 'readdressed'])
    const swapped = await edit(id, { recipients: [{ email: other }, { email: first }] })
    expect(addressesOf(swapped)).toEqual([other, first])
    expect(stepsOf(swapped.body.revelation.deliveries[0])).toEqual(['planned', 'readdressed'])
    expect(addressesOf(await edit(id, { title: 'Un autre titre' }))).toEqual([other, first])
    expect(addressesOf(await edit(id, { recipients: [{ email: first }] }))).toEqual([first])
    await deliver()
    expect([first, second, other].map((address) => mailsTo(address).length)).toEqual([1, 0, 0])
    const late = await edit(id, { recipients: [{ email: first }, { email: second }] })
    expect(late.body.code).toBe('revelation_revealed')
  })

  it('stay as they are but the first, when an edit names it alone', async () => {
    const { id } = await seal()
    const other = `autre.${crypto.randomUUID()}@exemple.fr`
    const changed = await edit(id, { target_email: other, target_name: 'Zoé' })
    expect(changed.body.revelation.recipients).toEqual([
      { email: other, name: 'Zoé' },
      { email: second, name: null },
    ])
    expect(changed.body.revelation).toMatchObject({ target_email: other, target_name: 'Zoé' })
    expect((await edit(id, { target_name: '' })).body.revelation.target_name).toBeNull()
  })

  it('lose nobody whom another edit adds while this one waits', async () => {
    const { id } = await seal()
    const other = `autre.${crypto.randomUUID()}@exemple.fr`
    const holder = await server.ctx.pool.connect()
    try {
      await holder.query('begin')
      await holder.query('select from revelations where id = $1 for update', [id])
      const adding = edit(id, toAll(first, second, other))
      await untilWaiting(server.ctx.pool)
      const naming = edit(id, { title: 'Un autre titre' })
      await untilWaiting(server.ctx.pool, 2)
      await holder.query('commit')
      expect([(await adding).status, (await naming).status]).toEqual([200, 200])
      expect(addressesOf(await naming)).toEqual([first, second, other])
    } finally {
      await holder.query('rollback')
      holder.release()
    }
  })

  it('lose the link that they were handed as they are removed', async () => {
    const { id } = await seal({ visibility: 'public' })
    const { deliveries } = (await seenBy(author, id)).body.revelation
    const key = personalKeyFor(server.ctx, deliveries[1].id)
    await edit(id, { recipients: [{ email: first }] })
    await deliver()
    const headers = keyHeaders(key)
    const opening = await server.call('POST', `/api/revelations/${id}/open`, { headers })
    expect(opening.status).toBe(401)
  })

  it.each([
    ['twenty-one', () => toAll(...Array.from({ length: 21 }, (_, n) => `p${n}@exemple.fr`))],
    ['nobody', () => ({ target_email: undefined, recipients: [] })],
    ['neither form', () => ({ target_email: undefined, recipients: undefined })],
    ['another first one', () => ({ target_email: second, recipients: [{ email: first }] })],
    ['one address twice', () => toAll(first, first.toUpperCase().replace(/FR$/, 'fr'))],
    ['a name of 61 letters', () => ({ recipients: [{ email: first, name: 'é'.repeat(61) }] })],
  ])('are refused: %s', async (_case, written) => {
    const body = revelationBody(server, { target_email: first, ...written() })
    const created = await server.call('POST', '/api/revelations', { as: author, body })
    expect(created.status).toBe(400)
    expect(Object.keys(created.body.fields)).toHaveLength(1)
  })

  it('are never one person twice after an edit', async () => {
    const { id } = await seal()
    expect((await edit(id, { target_email: second })).body.fields).toEqual({
      target_email: 'Cette adresse est déjà celle d’un destinataire',
    })
    const twice = { recipients: [{ email: first }, { email: second }, { email: second }] }
    expect(Object.keys((await edit(id, twice)).body.fields)).toEqual(['recipients.2.email'])
  })

  it('count, each of them, among those an account may write to', async () => {
    const limited = await startTestServer({ rateLimits: true })
    const writer = await signedIn(limited)
    const body = revelationBody(limited, toAll('a@exemple.fr', 'b@exemple.fr', 'c@exemple.fr'))
    const call = { as: writer, body }
    expect((await limited.call('POST', '/api/revelations', call)).status).toBe(201)
    const more = { as: writer, body: revelationBody(limited, toAll('d@exemple.fr')) }
    expect((await limited.call('POST', '/api/revelations', more)).body.code).toBe(
      'too_many_addressees',
    )
    await limited.close()
  })

  it('see each other if their author says so, by name or masked address', async () => {
    const recipients = [{ email: first, name: 'Léa' }, { email: second }]
    const { id } = await seal({ target_email: first, recipients, recipients_see_each_other: true })
    await deliver()
    const key = server.mailbox.lastKeyTo(second)
    const { body, text } = await seenBy(undefined, id, key)
    expect(body.revelation.recipients).toMatchObject([{ name: 'Léa' }, { email: second }])
    expect(text).not.toContain(first)
    await edit(id, { recipients_see_each_other: false })
    expect((await seenBy(undefined, id)).body.revelation?.recipients).toBeUndefined()
  })

  it('are told of nobody else without that', async () => {
    const recipients = [
      { email: first, name: 'Léa' },
      { email: second, name: 'Tom' },
    ]
    const { id } = await seal({ target_email: first, recipients, visibility: 'public' })
    await deliver()
    const { body, text } = await seenBy(undefined, id, server.mailbox.lastKeyTo(second))
    expect(body.revelation).toMatchObject({ target_email: second, target_name: 'Tom' })
    expect(body.revelation.recipients).toEqual([{ email: second, name: 'Tom' }])
    for (const hint of [first, 'Léa']) expect(text).not.toContain(hint)
    const asVisitor = (await seenBy(undefined, id)).text
    for (const hint of [first, second, 'Léa', 'Tom', '"recipients"'])
      expect(asVisitor).not.toContain(hint)
  })
})

describe('the second recipient', () => {
  it('sees nothing before the reveal without a notice of their own', async () => {
    const { id } = await seal(toAll(first))
    await notify(id)
    await edit(id, toAll(first, second))
    const [one, other] = [await accountOf(first), await accountOf(second)]
    expect((await seenBy(one, id)).status).toBe(200)
    expect((await seenBy(other, id)).status).toBe(404)
    expect((await notify(id)).body).toEqual({ queued: true })
    await server.runJobs()
    const notices = [first, second].map((address) =>
      mailsTo(address).filter(({ subject }) => subject.startsWith('Une lettre pour vous')),
    )
    expect(notices.map((mails) => mails.length)).toEqual([1, 1])
    const notified = await seenBy(other, id)
    expect(notified.status).toBe(200)
    expect(notified.body.revelation.content).toBeUndefined()
  })

  it('is notified behind an edit that is under way, and both end', async () => {
    const { id } = await seal()
    await accountOf(second)
    const holder = await server.ctx.pool.connect()
    try {
      await holder.query('begin')
      await holder.query('select from revelations where id = $1 for update', [id])
      const notifying = notify(id)
      await untilWaiting(server.ctx.pool)
      const mine = 'select from deliveries where revelation_id = $1 for update nowait'
      expect((await holder.query(mine, [id])).rowCount).toBe(2)
      await holder.query('commit')
      expect((await notifying).body).toEqual({ queued: true })
    } finally {
      await holder.query('rollback')
      holder.release()
    }
  })

  it('is notified together with the first, once', async () => {
    const { id } = await seal()
    await notify(id)
    await notify(id)
    await server.runJobs()
    for (const address of [first, second]) {
      expect(mailsTo(address).map(({ subject }) => subject)).toEqual([
        expect.stringMatching(/^Une lettre pour vous, à ouvrir le /),
      ])
    }
  })

  it('reads with a verified address and no link, and never sees the first address', async () => {
    const { id } = await seal()
    const unverified = await signedIn(server, { email: second })
    await deliver()
    expect((await seenBy(unverified, id)).status).toBe(404)
    await verifyEmail(server, unverified)
    const { body, text } = await seenBy(unverified, id)
    expect(body.revelation.content).toBeTruthy()
    expect(body.revelation.target_email).toBe(second)
    expect(text).not.toContain(first)
    expect(JSON.stringify(mailsTo(second))).not.toContain(first)
  })

  it('is seen by nobody but the author', async () => {
    const { id } = await seal({ visibility: 'public' })
    const one = await accountOf(first)
    await deliver()
    const answers = await Promise.all([
      seenBy(undefined, id),
      seenBy(await signedIn(server), id),
      seenBy(one, id),
      seenBy(undefined, id, server.mailbox.lastKeyTo(first)),
      server.call('GET', '/api/revelations', { as: one }),
      server.call('GET', `/api/revelations/user/${author.id}`),
    ])
    for (const { text } of answers) {
      expect(text).not.toContain(second)
    }
    expect((await seenBy(author, id)).text).toContain(second)
    expect(JSON.stringify(mailsTo(first))).not.toContain(second)
  })
})

describe('whom one wrote to lately', () => {
  const recent = async (as: Person) => {
    const { body } = await server.call('GET', '/api/deliveries/recent-recipients', { as })
    return body.people as { email: string; name: string | null; last_at: string }[]
  }
  const sealTo = (...recipients: { email: string; name?: string }[]) =>
    createRevelation(server, author, { target_email: recipients[0]?.email, recipients })

  it('is each once, by the last name given, the latest first, never oneself', async () => {
    await sealTo({ email: first, name: 'Léa' })
    server.clock.advance(60_000)
    await sealTo({ email: second, name: 'Papa' }, { email: author.email })
    server.clock.advance(60_000)
    await sealTo({ email: first.toUpperCase() })
    expect(await recent(author)).toEqual([
      { email: first.toUpperCase(), name: 'Léa', last_at: server.clock.now.toISOString() },
      { email: second, name: 'Papa', last_at: expect.any(String) },
    ])
  })

  it('is twelve people at most, of one’s own letters alone', async () => {
    const many = Array.from({ length: 14 }, (_, at) => ({ email: `ami${at}.${first}` }))
    await sealTo(...many)
    expect(await recent(author)).toHaveLength(12)
    expect(await recent(await signedIn(server))).toEqual([])
  })

  it('leaves out an address where the last letter failed', async () => {
    await sealTo({ email: first }, { email: second })
    await server.ctx.db
      .updateTable('deliveries')
      .set({ state: 'failed', error: 'Cette adresse n’existe pas.' })
      .where('address', '=', first)
      .execute()
    expect((await recent(author)).map(({ email }) => email)).toEqual([second])
  })

  it('is told to a signed-in account alone', async () => {
    const { status } = await server.call('GET', '/api/deliveries/recent-recipients', {})
    expect(status).toBe(401)
  })
})
