import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { DEFAULT_TIME_ZONE } from '#contract/sealing.ts'
import type { Preference } from '#contract/subscriptions.ts'
import { addDays, dayAt, instantOf } from '#contract/zoned-time.ts'
import type { Email } from '#server/platform/mail/mail.ts'
import { sendMail } from '#server/platform/mail/mail-queue.ts'
import { handlers } from '#server/worker.ts'
import { A_DAY_MS, createRevelation, verifiedPerson } from '#testing/factories.ts'
import { type Person, signedIn, startTestServer, type TestApp } from '#testing/test-server.ts'
import { enqueueDueActivity } from './notifications.service.ts'

const A_MINUTE_MS = 60_000
const LETTER = 'Personne ne doit lire ceci avant la date.'
const WORDS = 'Voici des mots que l’e-mail ne répète pas'

let server: TestApp
let author: Person
let alice: Person
let bruno: Person
let id: string

beforeAll(async () => {
  server = await startTestServer()
  alice = await signedIn(server, { pseudo: 'alice' })
  bruno = await signedIn(server, { pseudo: 'bruno' })
})
afterAll(() => server.close())

beforeEach(async () => {
  author = await verifiedPerson(server)
  id = (await createRevelation(server, author, { content: LETTER })).id
  await server.runJobs()
  server.mailbox.all.length = 0
})

async function comment(as: Person, content = WORDS): Promise<string> {
  const body = { revelation_id: id, content: `${content} ${Math.random()}` }
  const answer = await server.call('POST', '/api/comments', { as, body })
  expect(answer.status).toBe(201)
  return answer.body.id
}

async function react(as: Person, emoji = '🎉'): Promise<void> {
  const body = { revelation_id: id, emoji }
  expect((await server.call('POST', '/api/reactions', { as, body })).status).toBe(200)
}

async function wait(ms: number): Promise<void> {
  server.clock.advance(ms)
  await server.runJobs()
}

function mails(): Email[] {
  return server.mailbox.all.filter(({ to, subject }) => to === author.email && /sous/.test(subject))
}

function subjects(): string[] {
  return mails().map(({ subject }) => subject)
}

async function switchOff(...names: Preference[]): Promise<void> {
  const body = Object.fromEntries(names.map((name) => [name, false]))
  await server.call('PUT', '/api/subscriptions/preferences', { as: author, body })
}

/** To the next 18:00 in Brussels, when the mails of a day leave. */
async function untilEvening(): Promise<void> {
  const { now } = server.clock
  const today = dayAt(now, DEFAULT_TIME_ZONE)
  const evenings = [today, addDays(today, 1)].map((day) =>
    instantOf(day, '18:00', DEFAULT_TIME_ZONE).getTime(),
  )
  const [next = Number.NaN] = evenings.filter((evening) => evening > now.getTime())
  await wait(next - now.getTime())
}

describe('the mail of the day about what others left under one’s revelations', () => {
  it('leaves at six in the evening, with numbers and names, without the text', async () => {
    await comment(alice)
    await wait(2 * A_MINUTE_MS)
    for (const emoji of ['🎉', '🔥']) await react(bruno, emoji)
    await comment(alice)
    server.clock.advance(1)
    await comment(bruno)
    await untilEvening()
    expect(subjects()).toEqual([
      '3 nouveaux commentaires et 2 nouvelles réactions sous votre révélation',
    ])
    const [mail] = mails()
    expect(mail?.text).toContain('3 nouveaux commentaires de @bruno et @alice.')
    expect(mail?.text).toContain('2 nouvelles réactions de @bruno.')
    expect(mail?.text).toContain(`/revelation/${id}\n`)
    const raw = JSON.stringify(mail)
    expect(raw).not.toContain(WORDS.slice(0, 12))
    expect(raw).not.toContain(LETTER.slice(0, 12))
    expect(mail?.headers).toHaveProperty('List-Unsubscribe')
  })

  it('is one for all of them, and leads to the notifications', async () => {
    const first = id
    const titles = ['Une lettre', 'Une autre']
    for (const title of titles) {
      id = (await createRevelation(server, author, { title, content: LETTER })).id
      await comment(alice)
    }
    server.clock.advance(1)
    await comment(bruno)
    id = first
    await react(bruno)
    await untilEvening()
    expect(subjects()).toEqual([
      '3 nouveaux commentaires et 1 nouvelle réaction sous 3 de vos révélations',
    ])
    const text = mails()[0]?.text ?? ''
    for (const title of titles) expect(text).toContain(title)
    expect(text).toContain('2 nouveaux commentaires de @bruno et @alice.')
    expect(text).toContain('/notifications\n')
  })

  it('leaves once a day at most, and counts each thing once', async () => {
    await comment(alice)
    await untilEvening()
    await react(bruno)
    await wait(A_MINUTE_MS)
    await react(alice)
    expect(subjects()).toEqual(['1 nouveau commentaire sous votre révélation'])
    await untilEvening()
    expect(subjects().slice(1)).toEqual(['2 nouvelles réactions sous votre révélation'])
    await untilEvening()
    expect(mails()).toHaveLength(2)
    await comment(bruno)
    await untilEvening()
    expect(subjects().slice(2)).toEqual(['1 nouveau commentaire sous votre révélation'])
  })

  it('names three people and counts the others', async () => {
    for (const number of [1, 2, 3, 4, 5]) {
      server.clock.advance(1)
      await react(await signedIn(server, { pseudo: `p${number}_${id.slice(0, 8)}` }))
    }
    await untilEvening()
    const [mail] = mails()
    expect(mail?.text).toMatch(/de @p5_\w+, @p4_\w+, @p3_\w+ et 2 autres personnes\./)
  })

  it('does not count what the author left, what was withdrawn, or anybody a block hides', async () => {
    await comment(author)
    await react(author)
    const due = await server.ctx.db.selectFrom('dailyDigests').select('userId').execute()
    expect(due.map(({ userId }) => userId)).not.toContain(author.id)
    const gone = await comment(alice)
    const troll = await signedIn(server)
    await react(troll)
    await server.call('DELETE', `/api/comments/${gone}`, { as: alice })
    await server.call('PUT', `/api/relationships/blocks/${troll.id}`, { as: author })
    await untilEvening()
    expect(mails()).toEqual([])
    await react(bruno)
    await untilEvening()
    expect(subjects()).toEqual(['1 nouvelle réaction sous votre révélation'])
  })

  it('contains what each preference allows', async () => {
    await switchOff('newComments')
    await comment(alice)
    await react(alice)
    await untilEvening()
    expect(subjects()).toEqual(['1 nouvelle réaction sous votre révélation'])
    await switchOff('newReactions')
    await react(bruno)
    await untilEvening()
    expect(mails()).toHaveLength(1)
    const body = { newComments: true, newReactions: true }
    await server.call('PUT', '/api/subscriptions/preferences', { as: author, body })
    await comment(bruno)
    await untilEvening()
    // What happened while the preference was off is never mailed.
    expect(subjects().slice(1)).toEqual(['1 nouveau commentaire sous votre révélation'])
  })

  it('does not leave to an author who wants no mail, or whose address is not verified', async () => {
    await switchOff('emailNotifications')
    await comment(alice)
    await untilEvening()
    expect(mails()).toEqual([])
    author = await signedIn(server)
    id = (await createRevelation(server, author)).id
    await comment(alice)
    await untilEvening()
    expect(mails()).toEqual([])
  })

  it('leaves once from several workers, with what is left until then', async () => {
    await comment(alice)
    server.clock.advance(A_DAY_MS)
    await Promise.all(Array.from({ length: 5 }, () => enqueueDueActivity(server.ctx)))
    await react(bruno)
    await wait(1)
    expect(subjects()).toEqual([
      '1 nouveau commentaire et 1 nouvelle réaction sous votre révélation',
    ])
    await untilEvening()
    expect(mails()).toHaveLength(1)
  })

  it.each([
    ['in turn', ['1 nouveau commentaire', '1 nouvelle réaction']],
    ['the last first', ['1 nouveau commentaire et 1 nouvelle réaction']],
  ])('leaves once the mail server is back, %s', async (order, expected) => {
    const { mail } = server.ctx
    server.ctx.mail = { ...mail, send: () => Promise.reject(new Error('down')) }
    await comment(alice)
    await untilEvening()
    await react(bruno)
    await untilEvening()
    server.ctx.mail = mail
    const waiting = await server.ctx.db
      .selectFrom('mails')
      .select('id')
      .where('recipientId', '=', author.id)
      .where('template', '=', 'activity')
      .where('state', '=', 'queued')
      .orderBy('createdAt', order === 'in turn' ? 'asc' : 'desc')
      .execute()
    expect(waiting).toHaveLength(2)
    for (const { id: mailId } of waiting) await send(mailId)
    expect(subjects()).toEqual(expected.map((what) => `${what} sous votre révélation`))
  })
})

/** As its job will, once it is due again. */
async function send(mailId: string): Promise<void> {
  const handler = handlers.find(({ job }) => job === sendMail)
  await handler?.handle(server.ctx, { mailId } as never)
}
