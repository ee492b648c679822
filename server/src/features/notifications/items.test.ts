import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it, test } from 'vitest'
import { NOTIFICATION_KINDS, type NotificationPage } from '#contract/notifications.ts'
import { inTransaction } from '#server/context.ts'
import { findDelivery } from '#server/features/deliveries/deliveries.service.ts'
import { recordFailure } from '#server/features/deliveries/delivery-outcomes.service.ts'
import { hideReported, restoreReported } from '#server/features/reports/decisions.service.ts'
import {
  hideRevelation,
  restoreRevelation,
} from '#server/features/revelations/revelations.service.ts'
import { openPage } from '#testing/event-page.ts'
import {
  A_DAY_MS,
  AN_HOUR_MS,
  createRevelation,
  keyHeaders,
  type RevelationOverrides,
  relate,
  sealDelivered,
  verifiedPerson,
} from '#testing/factories.ts'
import {
  PASSWORD,
  type Person,
  signedIn,
  startTestServer,
  type TestApp,
} from '#testing/test-server.ts'

const TITLE = 'Ce que je n’ai jamais dit'
const LETTER = 'Voilà enfin de quoi il s’agit.'
const LIST = '/api/notifications'
const SWITCHES = '/api/notifications/switches'
const DECISION = { operator: 'claire', reason: 'Une adresse' }

let server: TestApp
let origin: string
let author: Person
let reader: Person
let alice: Person
let bruno: Person

beforeAll(async () => {
  server = await startTestServer()
  origin = await server.listen()
})
afterAll(() => server.close())

beforeEach(async () => {
  author = await verifiedPerson(server)
  reader = await verifiedPerson(server)
  alice = await signedIn(server)
  bruno = await signedIn(server)
})

async function seal(overrides: RevelationOverrides = {}): Promise<string> {
  const body = { title: TITLE, content: LETTER, target_email: reader.email, ...overrides }
  return (await createRevelation(server, author, body)).id
}

async function listOf(as: Person, query = ''): Promise<NotificationPage> {
  const { status, body } = await server.call('GET', `${LIST}${query}`, { as })
  expect(status).toBe(200)
  return body
}

/** As people read them: with plain spaces. */
async function textsOf(as: Person): Promise<string[]> {
  const { notifications } = await listOf(as)
  return notifications.map(({ text }) => text.replaceAll(/[\u00A0\u202F]/g, ' '))
}

async function unreadOf(as: Person): Promise<number> {
  return (await listOf(as)).unread
}

async function read(as: Person, body: object): Promise<number> {
  return (await server.call('POST', `${LIST}/read`, { as, body })).body.unread
}

async function comment(as: Person, id: string): Promise<string> {
  const body = { revelation_id: id, content: `Bien dit ${randomUUID()}` }
  server.clock.advance(1)
  return (await server.call('POST', '/api/comments', { as, body })).body.id
}

async function react(as: Person, id: string, emoji = '🎉'): Promise<void> {
  server.clock.advance(1)
  await server.call('POST', '/api/reactions', { as, body: { revelation_id: id, emoji } })
}

async function open(afterMs = A_DAY_MS): Promise<void> {
  server.clock.advance(afterMs)
  await server.runJobs()
}

async function ask(as: Person, receiver: Person): Promise<string> {
  const body = { receiver_id: receiver.id, type: 'friend' }
  return (await server.call('POST', '/api/relationships/request', { as, body })).body.request.id
}

async function block(as: Person, other: Person): Promise<void> {
  await server.call('PUT', `/api/relationships/blocks/${other.id}`, { as })
}

/** An operator hides what somebody reported; the answer is the id of the report. */
async function hideByReport(
  as: Person,
  reported: { target: string; target_id: string },
): Promise<string> {
  const body = { ...reported, reason: 'spam' }
  await server.call('POST', '/api/reports', { as, body })
  const { id } = await server.ctx.db
    .selectFrom('reports')
    .select('id')
    .where('targetId', '=', reported.target_id)
    .executeTakeFirstOrThrow()
  await hideReported(server.ctx, id, DECISION)
  return id
}

describe('the list of notifications', () => {
  it('has a letter for it, at its instant, and not before', async () => {
    const id = await seal({ visibility: 'private' })
    await server.runJobs()
    expect(await listOf(reader)).toEqual({ notifications: [], next_cursor: null, unread: 0 })
    await open()
    const { notifications, unread } = await listOf(reader)
    expect(notifications).toEqual([
      {
        id: expect.any(String),
        kind: 'letter_waiting',
        text: `Une lettre de @${author.pseudo} est ouverte et vous attend\u202F: «\u202F${TITLE}\u202F».`,
        url: `/revelation/${id}`,
        revelation_id: id,
        actor: { id: author.id, pseudo: author.pseudo, avatar_url: null },
        count: 1,
        created_at: server.clock.now.toISOString(),
        read_at: null,
      },
    ])
    expect(unread).toBe(1)
    expect(await textsOf(author)).toEqual([`Votre révélation est ouverte : « ${TITLE} ».`])
    // The worker that runs again tells nobody twice, read or not.
    await read(reader, { all: true })
    await inTransaction(server.ctx, (tx) => hideRevelation(tx, id))
    await inTransaction(server.ctx, (tx) => restoreRevelation(tx, id))
    await server.runJobs()
    expect(await unreadOf(reader)).toBe(0)
  })

  it('is empty for an address that is not verified', async () => {
    const [addressed, other] = [await signedIn(server), await signedIn(server)]
    await seal({ target_email: addressed.email })
    await open()
    const [one, another] = await Promise.all(
      [addressed, other].map((as) => server.call('GET', LIST, { as })),
    )
    expect(one?.text).toBe(another?.text)
  })

  it('has a capsule for oneself once', async () => {
    await seal({ target_email: author.email, visibility: 'private' })
    await open()
    expect(await textsOf(author)).toEqual([
      `La lettre que vous vous êtes adressée est ouverte et vous attend : « ${TITLE} ».`,
    ])
  })

  it('has an announced letter, as long as it is sealed', async () => {
    const id = await seal({ visibility: 'friends' })
    const notifying = { as: author, body: { revelationId: id } }
    await server.call('POST', '/api/email/notify-revelation', notifying)
    expect(await textsOf(reader)).toEqual([
      expect.stringMatching(/^@\S+ a scellé une lettre pour vous : « .+ », qui s’ouvrira le /),
    ])
    await open()
    expect((await listOf(reader)).notifications.map(({ kind }) => kind)).toEqual(['letter_waiting'])
  })

  it('has nothing of a private letter that was announced by mail', async () => {
    const id = await seal({ visibility: 'private' })
    const page = await openPage(origin, reader)
    const notifying = { as: author, body: { revelationId: id } }
    await server.call('POST', '/api/email/notify-revelation', notifying)
    const { rows } = await server.ctx.pool.query('select from notifications where user_id = $1', [
      reader.id,
    ])
    expect(rows).toEqual([])
    await comment(author, id)
    expect(page.events.map(({ name }) => name)).not.toContain('notifications')
    page.leave()
  })

  it('has replies, and the answer back, without their words', async () => {
    const id = await seal({ visibility: 'private' })
    await open()
    await read(author, { all: true })
    await read(reader, { all: true })
    server.clock.advance(1)
    const replies = `/api/revelations/${id}/replies`
    const sent = await server.call('POST', replies, {
      as: reader,
      body: { content: 'Merci infiniment' },
    })
    const key = server.mailbox.lastKeyTo(reader.email)
    const word = { headers: keyHeaders(key), body: { content: 'Par le lien aussi' } }
    server.clock.advance(1)
    await server.call('POST', replies, word)
    expect((await textsOf(author)).slice(0, 2)).toEqual([
      `Une réponse vous attend sous « ${TITLE} ».`,
      `@${reader.pseudo} a répondu à « ${TITLE} ».`,
    ])
    const replyId = sent.body.reply.id
    const answering = { as: author, body: { content: 'Avec joie' } }
    await server.call('POST', `${replies}/${replyId}/answer`, answering)
    expect((await textsOf(reader))[0]).toBe(
      `@${author.pseudo} a répondu à votre mot sur « ${TITLE} ».`,
    )
    expect((await listOf(reader)).notifications[0]?.url).toBe(`/revelation/${id}#reponses`)
    await server.call('DELETE', `${replies}/${replyId}`, { as: reader })
    expect(await textsOf(author)).not.toContain(`@${reader.pseudo} a répondu à « ${TITLE} ».`)
    expect(await unreadOf(reader)).toBe(0)
  })

  it('has no answer, nor the live event of one, once its letter went to another address', async () => {
    const id = await seal({ visibility: 'private' })
    server.clock.advance(A_DAY_MS)
    const replies = `/api/revelations/${id}/replies`
    const sent = await server.call('POST', replies, { as: reader, body: { content: 'Merci' } })
    const { body } = await server.call('GET', `/api/revelations/${id}`, { as: author })
    const { status } = await server.call('PUT', `/api/deliveries/${body.revelation.delivery.id}`, {
      as: author,
      body: { address: 'ailleurs@exemple.test' },
    })
    const page = await openPage(origin, reader)
    const answering = { as: author, body: { content: 'Avec joie' } }
    const answer = await server.call('POST', `${replies}/${sent.body.reply.id}/answer`, answering)
    expect([status, answer.status]).toEqual([200, 201])
    await ask(alice, reader)
    await page.next(({ name }) => name === 'relationships')
    const { rows } = await server.ctx.pool.query(
      `select kind from notifications where user_id = $1`,
      [reader.id],
    )
    expect(rows).toEqual([{ kind: 'request' }])
    page.leave()
  })

  it('has who asked to be related, until it is answered, and who accepted', async () => {
    const declined = await ask(bruno, author)
    server.clock.advance(1)
    const accepted = await ask(reader, author)
    expect(await textsOf(author)).toEqual([
      `@${reader.pseudo} vous a envoyé une demande d’ami.`,
      `@${bruno.pseudo} vous a envoyé une demande d’ami.`,
    ])
    const answer = (id: string, action: string) =>
      server.call('PUT', `/api/relationships/request/${id}`, { as: author, body: { action } })
    await answer(accepted, 'accept')
    await answer(declined, 'decline')
    expect(await listOf(author)).toMatchObject({ notifications: [], unread: 0 })
    const [told] = (await listOf(reader)).notifications
    expect(told).toMatchObject({
      text: `@${author.pseudo} a accepté votre demande.`,
      url: '/profile?onglet=relations',
      revelation_id: null,
    })
    await block(author, reader)
    expect(await textsOf(reader)).toEqual([])
  })

  it('has what opened of those close to it, as far as it may read it', async () => {
    const [friend, family] = [await signedIn(server), await signedIn(server)]
    await relate(server, author, friend, 'friend')
    await relate(server, author, family, 'family')
    const target_email = 'ailleurs@exemple.test'
    for (const visibility of ['family', 'private', 'friends'] as const)
      await seal({ visibility, target_email })
    await open()
    const text = `La révélation de @${author.pseudo} est ouverte : « ${TITLE} ».`
    expect(await textsOf(friend)).toEqual([text])
    expect(await textsOf(family)).toEqual([text, text])
    await server.ctx.db.deleteFrom('relationships').execute()
    expect([await unreadOf(friend), await unreadOf(family)]).toEqual([0, 0])
  })

  it('has a delivery that failed, until it arrives', async () => {
    const id = await seal()
    await open()
    server.clock.advance(1)
    const delivery = await server.ctx.db
      .selectFrom('deliveries')
      .select('id')
      .where('revelationId', '=', id)
      .executeTakeFirstOrThrow()
    await inTransaction(server.ctx, async (tx) => {
      const facts = await findDelivery(tx, delivery.id)
      if (facts) await recordFailure(tx, facts, 'La messagerie n’a pas répondu.')
    })
    expect(await textsOf(author)).toContain(`La remise de « ${TITLE} » a échoué.`)
    await server.call('POST', `/api/deliveries/${delivery.id}/resend`, { as: author })
    await server.runJobs()
    expect(await textsOf(author)).not.toContain(`La remise de « ${TITLE} » a échoué.`)
  })

  it('has what an operator decided, and nothing else of what is hidden', async () => {
    const id = await seal({ visibility: 'public' })
    await react(alice, id)
    const reportId = await hideByReport(bruno, { target: 'revelation', target_id: id })
    expect(await textsOf(author)).toEqual([
      `Votre révélation « ${TITLE} » a été masquée à la suite d’un signalement.`,
    ])
    expect(await unreadOf(author)).toBe(1)
    server.clock.advance(1)
    await restoreReported(server.ctx, reportId, DECISION)
    expect(await textsOf(author)).toEqual([
      `Votre révélation « ${TITLE} » est de nouveau visible.`,
      `@${alice.pseudo} a réagi à « ${TITLE} ».`,
    ])
  })
})

it('notifies whoever joined a letter that their reply to it was hidden', async () => {
  const { id, key } = await sealDelivered(server, author, { title: TITLE })
  await server.call('POST', `/api/revelations/${id}/save`, { as: alice, headers: keyHeaders(key) })
  const body = { content: 'Merci infiniment' }
  const sent = await server.call('POST', `/api/revelations/${id}/replies`, { as: alice, body })
  const target_id = sent.body.reply.id
  await hideByReport(author, { target: 'reply', target_id })
  expect(await textsOf(alice)).toEqual([
    `Votre réponse à « ${TITLE} » a été masquée à la suite d’un signalement.`,
  ])
})

describe('a letter of whose opening nothing is known', () => {
  const SILENT = `Aucune nouvelle de « ${TITLE} » : rien ne dit qu’elle a été ouverte.`

  async function silentFor(act: (id: string) => Promise<unknown>): Promise<string[]> {
    const id = await seal({ visibility: 'private' })
    await open()
    await act(id)
    await open(7 * A_DAY_MS)
    await open(3 * A_DAY_MS)
    await open(3 * A_DAY_MS)
    return (await textsOf(author)).filter((text) => text === SILENT)
  }

  const opening = (id: string, tell_author: boolean) =>
    server.call('POST', `/api/revelations/${id}/open`, { as: reader, body: { tell_author } })

  test.each([
    ['nobody opened it', async () => undefined, [SILENT]],
    ['its opening was kept quiet: as if nobody had', (id: string) => opening(id, false), [SILENT]],
    ['its author was told', (id: string) => opening(id, true), []],
    [
      'somebody replied',
      (id: string) =>
        server.call('POST', `/api/revelations/${id}/replies`, {
          as: reader,
          body: { content: 'Merci' },
        }),
      [],
    ],
  ])('%s', async (_, act, expected) => {
    expect(await silentFor(act)).toEqual(expected)
  })

  it('is told three days after its reminder, and taken back once it is opened', async () => {
    const id = await seal()
    await open()
    await open(7 * A_DAY_MS)
    await open(3 * A_DAY_MS - 1)
    expect(await textsOf(author)).not.toContain(SILENT)
    await open(1)
    expect(await textsOf(author)).toContain(SILENT)
    await opening(id, true)
    expect(await textsOf(author)).not.toContain(SILENT)
  })
})

describe('comments and reactions', () => {
  let id: string
  beforeEach(async () => {
    id = await seal({ visibility: 'public' })
  })

  it('are grouped by people while they are unread; what comes after begins anew', async () => {
    for (const emoji of ['🎉', '🔥']) await react(alice, id, emoji)
    expect(await textsOf(author)).toEqual([`@${alice.pseudo} a réagi à « ${TITLE} ».`])
    await react(bruno, id)
    await react(reader, id)
    const { notifications, unread } = await listOf(author)
    expect(notifications).toMatchObject([
      { count: 3, actor: { pseudo: reader.pseudo }, url: `/revelation/${id}#reactions` },
    ])
    expect(unread).toBe(1)
    expect(await textsOf(author)).toEqual([
      `@${reader.pseudo} et 2 autres ont réagi à « ${TITLE} ».`,
    ])
    await comment(alice, id)
    await comment(bruno, id)
    expect((await textsOf(author))[0]).toBe(
      `@${bruno.pseudo} et une autre personne ont commenté « ${TITLE} ».`,
    )
    await read(author, { revelation_id: id })
    await comment(alice, id)
    expect(await textsOf(author)).toEqual([
      `@${alice.pseudo} a commenté « ${TITLE} ».`,
      `@${bruno.pseudo} et une autre personne ont commenté « ${TITLE} ».`,
      `@${reader.pseudo} et 2 autres ont réagi à « ${TITLE} ».`,
    ])
    expect(await unreadOf(author)).toBe(1)
  })

  it('go when they are withdrawn, hidden or by somebody a block hides', async () => {
    await comment(author, id)
    const gone = await comment(alice, id)
    const hidden = await comment(bruno, id)
    await comment(reader, id)
    expect((await textsOf(author))[0]).toContain('et 2 autres')
    await server.call('DELETE', `/api/comments/${gone}`, { as: alice })
    await server.ctx.db
      .updateTable('comments')
      .set({ hiddenAt: server.clock.now })
      .where('id', '=', hidden)
      .execute()
    expect(await textsOf(author)).toEqual([`@${reader.pseudo} a commenté « ${TITLE} ».`])
    await block(author, reader)
    expect(await listOf(author)).toMatchObject({ notifications: [], unread: 0 })
  })

  it('are not told of by somebody who is blocked, nor live', async () => {
    await block(author, reader)
    await open()
    const page = await openPage(origin, author)
    const shown = () => page.next(({ name, data }) => name === 'revelation' && data.id === id)
    // What others did before the page was opened has come too once this has.
    await comment(author, id)
    await shown()
    const earlier = page.events.length
    const before = await unreadOf(author)
    await comment(reader, id)
    await comment(author, id)
    await shown()
    expect(page.events.slice(earlier).map(({ name }) => name)).not.toContain('notifications')
    expect(await unreadOf(author)).toBe(before)
    page.leave()
  })
})

describe('GET /api/notifications', () => {
  it('goes on page by page, to the end, past what is hidden', async () => {
    const ids: string[] = []
    for (let number = 0; number < 5; number += 1) {
      ids.push(await seal({ title: `Numéro ${number}`, visibility: 'public' }))
    }
    for (const id of ids) await react(alice, id)
    for (const id of ids.slice(1, 3))
      await inTransaction(server.ctx, (tx) => hideRevelation(tx, id))
    const seen: string[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const page: NotificationPage = await listOf(
        author,
        `?limit=2${cursor && `&cursor=${cursor}`}`,
      )
      seen.push(...page.notifications.map(({ text }) => text))
      expect(page.unread).toBe(3)
      cursor = page.next_cursor
    }
    expect(seen.map((text) => /Numéro \d/.exec(text)?.[0])).toEqual(
      [4, 3, 0].map((number) => `Numéro ${number}`),
    )
  })

  it('answers what is hidden as what is missing: no page to come is a trace of it', async () => {
    const earlier = await seal({ visibility: 'private' })
    await open()
    await seal({ visibility: 'private' })
    await open()
    expect((await listOf(reader, '?limit=1')).next_cursor).not.toBeNull()
    await inTransaction(server.ctx, (tx) => hideRevelation(tx, earlier))
    const hidden = await listOf(reader, '?limit=1')
    await server.ctx.pool.query('delete from revelations where id = $1', [earlier])
    expect(await listOf(reader, '?limit=1')).toEqual(hidden)
    expect(hidden).toMatchObject({ next_cursor: null, unread: 1 })
  })

  it('asks the gate each time', async () => {
    const friend = await signedIn(server)
    await relate(server, author, friend, 'friend')
    const id = await seal({ visibility: 'friends', target_email: 'x@exemple.test' })
    await open()
    expect(await unreadOf(friend)).toBe(1)
    await server.call('PUT', `/api/revelations/${id}`, {
      as: author,
      body: { visibility: 'family' },
    })
    expect(await listOf(friend)).toEqual({ notifications: [], next_cursor: null, unread: 0 })
    await server.call('PUT', `/api/revelations/${id}`, {
      as: author,
      body: { visibility: 'friends' },
    })
    expect((await server.call('DELETE', `/api/revelations/${id}`, { as: author })).status).toBe(200)
    const { rows } = await server.ctx.pool.query(
      'select from notifications where revelation_id = $1',
      [id],
    )
    expect(rows).toEqual([])
  })

  it('is for whoever is signed in', async () => {
    for (const [method, path] of [
      ['GET', LIST],
      ['POST', `${LIST}/read`],
      ['GET', SWITCHES],
      ['PUT', SWITCHES],
    ] as const)
      expect(
        (await server.call(method, path, { body: method === 'GET' ? undefined : {} })).status,
      ).toBe(401)
    const bad = await server.call('GET', `${LIST}?cursor=rien`, { as: author })
    expect([bad.status, bad.body.code]).toEqual([400, 'invalid_input'])
  })

  it('forgets after 180 days', async () => {
    const id = await seal({ visibility: 'public' })
    await react(alice, id)
    server.clock.advance(180 * A_DAY_MS)
    const left = async () =>
      (
        await server.ctx.db
          .selectFrom('notifications')
          .select('kind')
          .where('userId', '=', author.id)
          .execute()
      ).map(({ kind }) => kind)
    await server.runJobs()
    expect(await left()).toContain('reaction')
    server.clock.advance(1)
    await server.runJobs()
    expect(await left()).not.toContain('reaction')
  })
})

describe('POST /api/notifications/read', () => {
  it('reads some, those of a revelation, or all, on every page of the account alone', async () => {
    const ids = [await seal({ visibility: 'public' }), await seal({ visibility: 'public' })]
    for (const id of ids) {
      await react(alice, id)
      await comment(bruno, id)
    }
    const page = await openPage(origin, author)
    const [first] = (await listOf(author)).notifications
    expect(await read(reader, { ids: [first?.id] })).toBe(0)
    expect(await unreadOf(author)).toBe(4)
    expect(await read(author, { ids: [first?.id] })).toBe(3)
    expect((await page.next(({ name }) => name === 'notifications')).data).toEqual({})
    expect(await read(author, { revelation_id: ids[0] })).toBe(1)
    expect(await read(author, { all: true })).toBe(0)
    expect((await listOf(author)).notifications.map(({ read_at }) => typeof read_at)).toEqual(
      Array(4).fill('string'),
    )
    page.leave()
  })

  it('says on every page that something was read, whether it was hidden, missing or read before', async () => {
    const id = await seal({ visibility: 'private' })
    await open()
    await inTransaction(server.ctx, (tx) => hideRevelation(tx, id))
    for (const revelation_id of [id, id, randomUUID()]) {
      const page = await openPage(origin, reader)
      expect(await read(reader, { revelation_id })).toBe(0)
      expect((await page.next(({ name }) => name === 'notifications')).data).toEqual({})
      page.leave()
    }
  })

  it('rejects what names nothing', async () => {
    for (const body of [
      {},
      { all: false },
      { ids: ['rien'] },
      { ids: Array(101).fill(randomUUID()) },
    ])
      expect((await server.call('POST', `${LIST}/read`, { as: author, body })).status).toBe(400)
  })
})

describe('the live event', () => {
  it('announces a notification, and nothing of it', async () => {
    const id = await seal({ visibility: 'public' })
    const page = await openPage(origin, author)
    await react(alice, id)
    expect(await page.next(({ name }) => name === 'notifications')).toEqual({
      name: 'notifications',
      data: {},
    })
    page.leave()
  })
})

describe('the switches', () => {
  it('have each kind on the page at first, and what waits for a hand as a push', async () => {
    const { body } = await server.call('GET', SWITCHES, { as: author })
    expect(Object.keys(body.page)).toEqual([...NOTIFICATION_KINDS])
    expect(Object.values(body.page)).not.toContain(false)
    expect(Object.keys(body.push).filter((kind) => body.push[kind])).toEqual([
      'letter_waiting',
      'letter_announced',
      'reply',
      'request',
      'revealed',
      'delivery_failed',
    ])
  })

  it('change what they name alone, and take a kind off the page', async () => {
    const id = await seal({ visibility: 'public' })
    await react(alice, id)
    await comment(alice, id)
    const body = { page: { reaction: false }, push: { comment: true } }
    const changed = await server.call('PUT', SWITCHES, { as: author, body })
    expect(changed.body.page).toMatchObject({ reaction: false, comment: true })
    expect(changed.body.push).toMatchObject({ comment: true, reaction: false, reply: true })
    expect(await textsOf(author)).toEqual([`@${alice.pseudo} a commenté « ${TITLE} ».`])
    await react(bruno, id)
    await server.call('PUT', SWITCHES, { as: author, body: { page: { reaction: true } } })
    // What happened while it was off is never shown.
    expect(await textsOf(author)).toEqual([`@${alice.pseudo} a commenté « ${TITLE} ».`])
    await react(bruno, id, '🔥')
    expect((await textsOf(author))[0]).toBe(`@${bruno.pseudo} a réagi à « ${TITLE} ».`)
    const wrong = { page: { rien: true } }
    expect((await server.call('PUT', SWITCHES, { as: author, body: wrong })).status).toBe(400)
  })
})

it('leaves a deleted account out of the notifications it caused', async () => {
  const id = await seal({ visibility: 'public' })
  await react(alice, id)
  server.clock.advance(AN_HOUR_MS)
  const leaver = await signedIn(server)
  await react(leaver, id)
  expect((await textsOf(author))[0]).toContain('et une autre personne')
  await server.call('DELETE', '/api/auth/account', { as: leaver, body: { password: PASSWORD } })
  expect(await textsOf(author)).toEqual([`@${alice.pseudo} a réagi à « ${TITLE} ».`])
})
