import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { DELIVERY_KEY_HEADER } from '#contract/deliveries.ts'
import { A_DAY_MS, createRevelation, revelationBody, verifyEmail } from '#testing/factories.ts'
import { type Person, signedIn, startTestServer, type TestApp } from '#testing/test-server.ts'

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
    target_email: first,
    second_email: second,
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

function mailsTo(address: string) {
  return server.mailbox.all.filter(({ to }) => to === address)
}

async function accountOf(email: string): Promise<Person> {
  const person = await signedIn(server, { email })
  await verifyEmail(server, person)
  return person
}

function seenBy(as: Person | undefined, id: string, key?: string) {
  const headers: Record<string, string> = key ? { [DELIVERY_KEY_HEADER]: key } : {}
  return server.call('GET', `/api/revelations/${id}`, { as, headers })
}

it('mails each address its own link, and each opens the letter', async () => {
  const { id } = await seal()
  await deliver()
  const keys = [server.mailbox.lastKeyTo(first), server.mailbox.lastKeyTo(second)]
  expect(new Set(keys).size).toBe(2)
  for (const key of keys) {
    expect((await seenBy(undefined, id, key)).body.revelation.content).toBeTruthy()
    const headers = { [DELIVERY_KEY_HEADER]: key }
    expect((await server.call('POST', `/api/revelations/${id}/open`, { headers })).status).toBe(200)
  }
  const { revelation } = (await seenBy(author, id)).body
  expect(revelation.second_delivery).toMatchObject({
    rank: 'second',
    address: second,
    state: 'opened',
  })
  expect(revelation.delivery).toMatchObject({ rank: 'first', address: first, state: 'opened' })
})

it('is added, changed and removed until the reveal', async () => {
  const { id } = await seal({ second_email: undefined })
  expect((await edit(id, { second_email: second })).body.revelation.second_delivery.address).toBe(
    second,
  )
  const other = `autre.${crypto.randomUUID()}@exemple.fr`
  const changed = await edit(id, { second_email: other })
  const { second_delivery } = changed.body.revelation
  expect(second_delivery.address).toBe(other)
  expect(second_delivery.journal.map(({ step }: { step: string }) => step)).toEqual([
    'planned',
    'readdressed',
  ])
  expect(
    (await edit(id, { title: 'Un autre titre' })).body.revelation.second_delivery.address,
  ).toBe(other)
  expect((await edit(id, { second_email: null })).body.revelation.second_delivery).toBeNull()
  await deliver()
  expect([mailsTo(first), mailsTo(second), mailsTo(other)].map((mails) => mails.length)).toEqual([
    1, 0, 0,
  ])
  expect((await edit(id, { second_email: second })).body.code).toBe('revelation_revealed')
})

it('rejects the first address as the second', async () => {
  const body = revelationBody(server, {
    target_email: first,
    second_email: first.toUpperCase().replace(/FR$/, 'fr'),
  })
  const created = await server.call('POST', '/api/revelations', { as: author, body })
  expect([created.status, created.body.fields]).toEqual([
    400,
    { second_email: 'La seconde adresse doit être différente de la première' },
  ])
  const { id } = await seal()
  expect((await edit(id, { second_email: first })).status).toBe(400)
  expect((await edit(id, { target_email: second })).status).toBe(400)
})

describe('the second recipient', () => {
  it('sees nothing before the reveal without a notice of their own', async () => {
    const { id } = await seal({ second_email: undefined })
    await notify(id)
    await edit(id, { second_email: second })
    const [one, other] = [await accountOf(first), await accountOf(second)]
    expect((await seenBy(one, id)).status).toBe(200)
    expect((await seenBy(other, id)).status).toBe(404)
    expect((await notify(id)).body).toEqual({ queued: true })
    await server.runJobs()
    const notices = [first, second].map((address) =>
      mailsTo(address).filter(({ subject }) => subject.includes('a scellé')),
    )
    expect(notices.map((mails) => mails.length)).toEqual([1, 1])
    const notified = await seenBy(other, id)
    expect(notified.status).toBe(200)
    expect(notified.body.revelation.content).toBeUndefined()
  })

  it('is notified together with the first, once', async () => {
    const { id } = await seal()
    await notify(id)
    await notify(id)
    await server.runJobs()
    for (const address of [first, second]) {
      expect(mailsTo(address).map(({ subject }) => subject)).toEqual([
        `@${author.pseudo} a scellé une révélation pour vous`,
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
    expect(body.revelation.target_email).toContain('•••')
    expect(text).not.toContain(second)
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
      expect(text).not.toContain('second_')
    }
    expect((await seenBy(author, id)).text).toContain(second)
    expect(JSON.stringify(mailsTo(first))).not.toContain(second)
  })
})
