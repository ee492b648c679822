import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Preference } from '#contract/subscriptions.ts'
import { type AppContext, inTransaction } from '#server/context.ts'
import { queueDueDeliveries } from '#server/features/deliveries/deliveries.worker.ts'
import { deleteOldMails } from '#server/features/mails/mails.service.ts'
import {
  hideRevelation,
  restoreRevelation,
} from '#server/features/revelations/revelations.service.ts'
import type { Email } from '#server/platform/mail/mail.ts'
import { sendMail } from '#server/platform/mail/mail-queue.ts'
import { handlers } from '#server/worker.ts'
import {
  A_DAY_MS,
  AN_HOUR_MS,
  createRevelation,
  relate,
  verifiedPerson,
} from '#testing/factories.ts'
import { type Person, signedIn, startTestServer, type TestApp } from '#testing/test-server.ts'
import { createRevealNotifications, createSealedNotifications } from './notifications.service.ts'

const LETTER = 'Personne ne doit lire ceci avant la date.'

let server: TestApp
let author: Person
let friend: Person

beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

beforeEach(async () => {
  author = await verifiedPerson(server)
  friend = await verifiedPerson(server)
  await relate(server, author, friend, 'friend')
  await server.runJobs()
  server.mailbox.all.length = 0
})

function seal(overrides: Parameters<typeof createRevelation>[2] = {}) {
  const target_email = `dest.${randomUUID()}@exemple.test`
  return createRevelation(server, author, { content: LETTER, target_email, ...overrides })
}

/** Those about revelations. */
function mailsTo({ email }: Person): Email[] {
  return server.mailbox.all.filter(({ to, text }) => to === email && text.includes('/revelation/'))
}

function subjectsTo(person: Person): string[] {
  return mailsTo(person).map(({ subject }) => subject)
}

async function switchOff(person: Person, ...names: Preference[]): Promise<void> {
  const body = Object.fromEntries(names.map((name) => [name, false]))
  await server.call('PUT', '/api/subscriptions/preferences', { as: person, body })
}

async function block(by: Person, other: Person): Promise<void> {
  await server.call('PUT', `/api/relationships/blocks/${other.id}`, { as: by })
}

async function endRelationships(from: Person): Promise<void> {
  const { body } = await server.call('GET', '/api/relationships', { as: from })
  for (const { id } of body.relationships) {
    await server.call('DELETE', `/api/relationships/${id}`, { as: from })
  }
}

const sealedBy = ({ pseudo }: Person) => `${pseudo} a scellé une nouvelle révélation`
const openedBy = ({ pseudo }: Person) => `La révélation de ${pseudo} s’est ouverte`

describe('mails about a new revelation', () => {
  it('go to those whose relation lets them see it, and contain nothing of the letter', async () => {
    const family = await verifiedPerson(server)
    const stranger = await verifiedPerson(server)
    await relate(server, author, family, 'family')
    const { id, title } = await seal({ visibility: 'friends' })
    await server.runJobs()
    expect(subjectsTo(friend)).toEqual([sealedBy(author)])
    expect(subjectsTo(family)).toEqual([sealedBy(author)])
    expect([...subjectsTo(stranger), ...subjectsTo(author)]).not.toContain(sealedBy(author))
    const [mail] = mailsTo(friend)
    expect(mail?.text).toContain(title)
    expect(mail?.text).toContain(`/revelation/${id}\n`)
    expect(JSON.stringify(mail)).not.toContain(LETTER.slice(0, 12))
    expect(mail?.headers).toHaveProperty('List-Unsubscribe')
    expect(mail?.text).toContain('/signaler#jeton=')
  })

  it.each([
    ['family', { friend: 0, family: 1 }],
    ['private', { friend: 0, family: 0 }],
  ] as const)('go to nobody else when it is for %s', async (visibility, expected) => {
    const family = await verifiedPerson(server)
    await relate(server, author, family, 'family')
    await seal({ visibility })
    await server.runJobs()
    expect({ friend: mailsTo(friend).length, family: mailsTo(family).length }).toEqual(expected)
  })

  it('name what is no plain letter', async () => {
    await seal({ kind: 'announcement' })
    await server.runJobs()
    expect(subjectsTo(friend)).toEqual([`${author.pseudo} a scellé une nouvelle annonce`])
    server.clock.advance(2 * A_DAY_MS)
    await server.runJobs()
    expect(subjectsTo(friend)).toContain(`L’annonce de ${author.pseudo} s’est ouverte`)
  })

  it('go to those who want them, at a verified address', async () => {
    const unverified = await signedIn(server)
    const silent = await verifiedPerson(server)
    const off = await verifiedPerson(server)
    for (const person of [unverified, silent, off]) await relate(server, author, person, 'friend')
    await switchOff(silent, 'newRevelations')
    await switchOff(off, 'emailNotifications')
    await seal()
    await server.runJobs()
    expect([unverified, silent, off].flatMap(subjectsTo)).toEqual([])
    expect(subjectsTo(friend)).toEqual([sealedBy(author)])
  })

  it('go to one reader once an hour by the same author, and again after', async () => {
    await seal()
    await seal()
    await server.runJobs()
    await seal()
    await server.runJobs()
    expect(subjectsTo(friend)).toEqual([sealedBy(author)])
    server.clock.advance(AN_HOUR_MS)
    await seal()
    await server.runJobs()
    expect(subjectsTo(friend)).toEqual([sealedBy(author), sealedBy(author)])
  })

  it('are those of the reveal alone when it is open at once', async () => {
    await seal({ reveal_date: server.clock.now.toISOString() })
    await server.runJobs()
    expect(subjectsTo(friend)).toEqual([openedBy(author)])
  })

  it.each([
    ['withdrawn', (id: string) => server.call('DELETE', `/api/revelations/${id}`, { as: author })],
    [
      'made private',
      (id: string) =>
        server.call('PUT', `/api/revelations/${id}`, {
          as: author,
          body: { visibility: 'private' },
        }),
    ],
    ['hidden by a block', () => block(author, friend)],
    ['by somebody no longer close', () => endRelationships(author)],
    ['no longer wanted', () => switchOff(friend, 'newRevelations')],
  ])('do not leave when it was %s meanwhile', async (_what, change) => {
    const { id } = await seal()
    await enqueueSealedMails()
    const waiting = await server.ctx.db
      .selectFrom('mails')
      .select('id')
      .where('recipientId', '=', friend.id)
      .where('template', '=', 'new-revelation')
      .execute()
    expect(waiting).toHaveLength(1)
    await change(id)
    await server.runJobs()
    expect(mailsTo(friend)).toEqual([])
  })
})

/** Friends of an author, without the slow hashing of that many passwords. */
async function gatherFriends(of: Person, size: number): Promise<void> {
  await server.ctx.pool.query(
    `with crowd as (
      insert into users (email, email_key, pseudo, pseudo_key, password_hash, created_at, email_verified_at)
      select name, name, name, name, '', $3::timestamptz, $3::timestamptz
      from (select 'f' || left($1::text, 8) || '_' || n as name from generate_series(1, $2) as n) as names
      returning id
    )
    insert into relationships (low_user_id, high_user_id, type, created_at)
    select least(id, $1::uuid), greatest(id, $1::uuid), 'friend', $3::timestamptz from crowd`,
    [of.id, size, server.clock.now],
  )
}

it('go to 1,200 friends, each once, by two workers at the same time', async () => {
  const popular = await verifiedPerson(server)
  await gatherFriends(popular, 1_200)
  const { id } = await createRevelation(server, popular)
  await Promise.all([
    createSealedNotifications(server.ctx, id),
    createSealedNotifications(server.ctx, id),
  ])
  const { rows } = await server.ctx.pool.query(
    `select count(*)::integer as mails, count(distinct recipient_id)::integer as people,
      count(distinct job.id)::integer as jobs
    from mails left join pgboss.job on job.name = 'send-mail' and data->>'mailId' = mails.id::text
    where subject_id = $1 and template = 'new-revelation'`,
    [id],
  )
  expect(rows).toEqual([{ mails: 1_200, people: 1_200, jobs: 1_200 }])
  // Nobody needs to send them, nor those of the reveal.
  await server.ctx.pool.query(`delete from pgboss.job where name = 'send-mail'`)
  await server.ctx.db.deleteFrom('users').where('id', '=', popular.id).execute()
})

async function send(ctx: AppContext, mailId: string | null): Promise<void> {
  await handlers.find(({ job }) => job === sendMail)?.handle(ctx, { mailId } as never)
}

/** Queues the mails about what was sealed, and sends none. */
async function enqueueSealedMails(): Promise<void> {
  const handler = handlers.find(({ job }) => job.name === 'tell-ties-of-sealing')
  for (const { id, data } of (await server.ctx.boss.fetch<object>('tell-ties-of-sealing')) ?? []) {
    await handler?.handle(server.ctx, data as never)
    await server.ctx.boss.complete('tell-ties-of-sealing', id)
  }
}

describe('mails about a reveal', () => {
  it('go at the instant to those who may read it, once', async () => {
    const { id } = await seal({ visibility: 'friends' })
    await server.runJobs()
    server.mailbox.all.length = 0
    server.clock.advance(A_DAY_MS - 1)
    await server.runJobs()
    expect(mailsTo(friend)).toEqual([])
    server.clock.advance(1)
    await server.runJobs()
    await server.runJobs()
    expect(subjectsTo(friend)).toEqual([openedBy(author)])
    expect(subjectsTo(author)).not.toContain(openedBy(author))
    const [mail] = mailsTo(friend)
    expect(mail?.text).toContain(`/revelation/${id}\n`)
    expect(JSON.stringify(mail)).not.toContain(LETTER.slice(0, 12))
  })

  it('do not go to its recipient, who has the letter', async () => {
    await seal({ target_email: friend.email })
    server.clock.advance(A_DAY_MS)
    await server.runJobs()
    expect(subjectsTo(friend)).not.toContain(openedBy(author))
    expect(subjectsTo(friend)).toContain('Une lettre pour vous s’est ouverte')
  })

  it('go to nobody who became close later, was blocked or wants no such mail', async () => {
    const silent = await verifiedPerson(server)
    const blocked = await verifiedPerson(server)
    const late = await verifiedPerson(server)
    for (const person of [silent, blocked]) await relate(server, author, person, 'friend')
    await seal({ visibility: 'friends' })
    await switchOff(silent, 'revelationRevealed')
    await block(blocked, author)
    server.clock.advance(A_DAY_MS + 1)
    await relate(server, author, late, 'friend')
    await server.runJobs()
    expect([silent, blocked, late].flatMap(subjectsTo)).not.toContain(openedBy(author))
    expect(subjectsTo(friend)).toContain(openedBy(author))
  })

  it('leave at its restoration when it opened under review, once', async () => {
    const { id } = await seal()
    await server.runJobs()
    server.clock.advance(A_DAY_MS)
    await queueDueDeliveries(server.ctx)
    const { mailId } = await server.ctx.db
      .selectFrom('deliveries')
      .select('mailId')
      .where('revelationId', '=', id)
      .executeTakeFirstOrThrow()
    // The letter left; those who may read it have no mail yet.
    await send(server.ctx, mailId)
    await inTransaction(server.ctx, (tx) => hideRevelation(tx, id))
    await server.runJobs()
    expect(subjectsTo(friend)).not.toContain(openedBy(author))
    for (const _time of [1, 2]) {
      await inTransaction(server.ctx, (tx) => restoreRevelation(tx, id))
      await server.runJobs()
      expect(subjectsTo(friend).filter((subject) => subject === openedBy(author))).toHaveLength(1)
      await inTransaction(server.ctx, (tx) => hideRevelation(tx, id))
    }
  })

  it('do not leave a second time when it is restored long after its reveal', async () => {
    const { id } = await seal()
    server.clock.advance(A_DAY_MS)
    await server.runJobs()
    server.clock.advance(100 * A_DAY_MS)
    await deleteOldMails(server.ctx)
    await inTransaction(server.ctx, (tx) => hideRevelation(tx, id))
    await inTransaction(server.ctx, (tx) => restoreRevelation(tx, id))
    await server.runJobs()
    expect(subjectsTo(friend).filter((subject) => subject === openedBy(author))).toHaveLength(1)
  })

  it('wait for the clock of the machine that sends them', async () => {
    const { id } = await seal()
    await server.runJobs()
    server.clock.advance(A_DAY_MS)
    await createRevealNotifications(server.ctx, id)
    const { id: mailId } = await server.ctx.db
      .selectFrom('mails')
      .select('id')
      .where('template', '=', 'revelation-revealed')
      .where('recipientId', '=', friend.id)
      .executeTakeFirstOrThrow()
    const behind = () => new Date(server.clock.now.getTime() - 1_000)
    await expect(send({ ...server.ctx, now: behind }, mailId)).rejects.toThrow()
    await server.runJobs()
    expect(subjectsTo(friend)).toContain(openedBy(author))
  })

  it('go once to each reader when their job runs again', async () => {
    const others = await Promise.all(Array.from({ length: 4 }, () => verifiedPerson(server)))
    for (const person of others) await relate(server, author, person, 'friend')
    const { id } = await seal()
    server.clock.advance(A_DAY_MS)
    await server.runJobs()
    await server.ctx.db
      .deleteFrom('mails')
      .where('recipientId', '=', friend.id)
      .where('template', '=', 'revelation-revealed')
      .execute()
    server.mailbox.all.length = 0
    await Promise.all([
      createRevealNotifications(server.ctx, id),
      createRevealNotifications(server.ctx, id),
    ])
    await server.runJobs()
    expect(server.mailbox.all.map(({ to }) => to)).toEqual([friend.email])
  })
})
