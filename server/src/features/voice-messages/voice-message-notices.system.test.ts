import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { publishRelationshipsChanged } from '#server/platform/pubsub/pubsub.ts'
import { type EventPage, openPage } from '#testing/event-page.ts'
import { relate, verifiedPerson } from '#testing/factories.ts'
import { type Person, signedIn, startTestServer, type TestApp } from '#testing/test-server.ts'
import { createVoiceMessage, VOICE_MESSAGES_URL } from '#testing/voice-messages.ts'
import { enqueueDueMails } from './voice-messages.worker.ts'

const SECRET = 'Anticonstitutionnellement'
const A_MINUTE_MS = 60_000

let server: TestApp
let origin: string
let author: Person
let family: Person
let friend: Person
let stranger: Person

beforeAll(async () => {
  server = await startTestServer()
  origin = await server.listen()
  stranger = await signedIn(server)
})
afterAll(() => server.close())
beforeEach(async () => {
  author = await verifiedPerson(server)
  family = await verifiedPerson(server)
  friend = await verifiedPerson(server)
  await relate(server, author, family, 'family')
  await relate(server, author, friend, 'friend')
})

const inMs = (ms: number) => new Date(server.clock.now.getTime() + ms).toISOString()

function shareWith(recipient: Person | null, ms: number | undefined) {
  return createVoiceMessage(server, author, {
    title: 'Pour ton anniversaire',
    description: SECRET,
    recipient_id: recipient?.id ?? null,
    ...(ms === undefined ? {} : { reveal_date: inMs(ms) }),
  })
}

function mailsTo(person: Person) {
  return server.mailbox.all.filter(
    ({ to, subject }) => to === person.email && subject.includes('vocal'),
  )
}

async function wait(ms: number): Promise<void> {
  server.clock.advance(ms)
  await server.runJobs()
}

describe('the mail to the recipient of a private voice message', () => {
  it('is sent once when it opens, with its author and title, and nothing of its contents', async () => {
    await shareWith(friend, A_MINUTE_MS)
    await wait(A_MINUTE_MS - 1)
    expect(mailsTo(friend)).toEqual([])
    server.clock.advance(1)
    await Promise.all(Array.from({ length: 5 }, () => enqueueDueMails(server.ctx)))
    await wait(10 * A_MINUTE_MS)
    const [mail, ...more] = mailsTo(friend)
    expect(more).toEqual([])
    expect(mail?.subject).toBe(`Le message vocal de ${author.pseudo} s’est ouvert`)
    expect(mail?.text).toContain('Pour ton anniversaire')
    expect(mail?.text).toMatch(/\/family-sound\n/)
    expect(mail?.headers).toHaveProperty('List-Unsubscribe')
    const raw = JSON.stringify(mail)
    for (const secret of [SECRET, 'enregistrement', '/api/audio', 'secure-file']) {
      expect(raw).not.toContain(secret)
    }
    for (const person of [author, family]) expect(mailsTo(person)).toEqual([])
  })

  it('is sent at once when it never was sealed', async () => {
    await shareWith(friend, undefined)
    await server.runJobs()
    expect(mailsTo(friend).map(({ subject }) => subject)).toEqual([
      `${author.pseudo} vous a laissé un message vocal`,
    ])
  })

  it('is sent for no shared one', async () => {
    await shareWith(null, A_MINUTE_MS)
    await shareWith(null, undefined)
    await wait(A_MINUTE_MS)
    for (const person of [author, family, friend]) expect(mailsTo(person)).toEqual([])
  })

  it.each<[string, (id: string) => Promise<unknown>]>([
    [
      'blocks its author',
      () => server.call('PUT', `/api/relationships/blocks/${author.id}`, { as: friend }),
    ],
    [
      'has turned off such mails',
      () =>
        server.call('PUT', '/api/subscriptions/preferences', {
          as: friend,
          body: { revelationRevealed: false },
        }),
    ],
    [
      'has turned off all mails',
      () =>
        server.call('PUT', '/api/subscriptions/preferences', {
          as: friend,
          body: { emailNotifications: false },
        }),
    ],
    [
      'has not proved the address',
      () =>
        server.ctx.db
          .updateTable('users')
          .set({ emailVerifiedAt: null })
          .where('id', '=', friend.id)
          .execute(),
    ],
    [
      'can no longer play it: it was deleted',
      (id) => server.call('DELETE', `${VOICE_MESSAGES_URL}/${id}`, { as: author }),
    ],
  ])('is not sent to a recipient who %s', async (_, change) => {
    const { id } = await shareWith(friend, A_MINUTE_MS)
    await change(id)
    await wait(A_MINUTE_MS)
    expect(mailsTo(friend)).toEqual([])
    const { rows } = await server.ctx.pool.query('select id from mails where subject_id = $1', [id])
    expect(rows).toEqual([])
  })

  it('is stopped by the link in its foot', async () => {
    await shareWith(friend, undefined)
    await server.runJobs()
    const [mail] = mailsTo(friend)
    const link = /<(.+)>/.exec(mail?.headers?.['List-Unsubscribe'] ?? '')?.[1] ?? ''
    const { pathname, search } = new URL(link)
    expect((await server.call('POST', `${pathname}${search}`)).status).toBe(200)
    await shareWith(friend, undefined)
    await server.runJobs()
    expect(mailsTo(friend)).toHaveLength(1)
  })
})

describe('an open page', () => {
  const pages = new Map<Person, EventPage>()

  beforeEach(async () => {
    for (const page of pages.values()) page.leave()
    pages.clear()
    // Events of the preparation are published before any page listens.
    await server.runJobs()
    for (const person of [author, family, friend, stranger]) {
      pages.set(person, await openPage(origin, person))
    }
    await notified()
  })

  /** The people whose page got a `sounds` event since the last time, in the order of the cast. */
  async function notified(): Promise<string[]> {
    const names = { author, family, friend, stranger }
    const receivers: string[] = []
    for (const [name, person] of Object.entries(names)) {
      const page = pages.get(person)
      publishRelationshipsChanged(server.ctx, [person.id])
      await page?.next(({ name }) => name === 'relationships')
      const events = page?.events.filter((event) => event.name === 'sounds') ?? []
      for (const { data } of events) expect(data).toEqual({})
      if (events.length > 0) receivers.push(name)
      page?.clear()
    }
    return receivers
  }

  it('gets an event for what its person may see: shared, then deleted', async () => {
    const shared = await shareWith(null, A_MINUTE_MS)
    expect(await notified()).toEqual(['author', 'family'])
    await server.call('DELETE', `${VOICE_MESSAGES_URL}/${shared.id}`, { as: author })
    expect(await notified()).toEqual(['author', 'family'])
    const personal = await shareWith(friend, A_MINUTE_MS)
    expect(await notified()).toEqual(['author', 'friend'])
    await server.call('DELETE', `${VOICE_MESSAGES_URL}/${personal.id}`, { as: author })
    expect(await notified()).toEqual(['author', 'friend'])
  })

  it('gets an event when an open one is ready; of a sealed one only its author’s does', async () => {
    await shareWith(null, A_MINUTE_MS)
    await notified()
    await server.runJobs()
    expect(await notified()).toEqual(['author'])
    await shareWith(null, undefined)
    await notified()
    await server.runJobs()
    expect(await notified()).toEqual(['author', 'family'])
  })
})
