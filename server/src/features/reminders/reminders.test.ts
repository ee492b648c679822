import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { inTransaction } from '#server/context.ts'
import {
  hideRevelation,
  restoreRevelation,
} from '#server/features/revelations/revelations.service.ts'
import {
  A_DAY_MS,
  AN_HOUR_MS,
  createRevelation,
  keyHeaders,
  relate,
  verifiedPerson,
  verifyEmail,
} from '#testing/factories.ts'
import {
  handleSendMail,
  type Person,
  signedIn,
  startTestServer,
  type TestApp,
} from '#testing/test-server.ts'
import { enqueueDueReminders } from './reminders.service.ts'

const LETTER = 'Personne ne doit lire ceci avant la date.'

let server: TestApp
let author: Person
let reader: Person

beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

beforeEach(async () => {
  author = await signedIn(server)
  reader = await verifiedPerson(server)
  await server.runJobs()
  server.mailbox.all.length = 0
})

type Method = 'GET' | 'PUT' | 'DELETE'

function reminder(method: Method, id: string, as: Person | undefined = reader) {
  return server.call(method, `/api/revelations/${id}/reminder`, { as })
}

/** Opens after so many days. */
function seal(days: number, overrides: Parameters<typeof createRevelation>[2] = {}) {
  const reveal_date = new Date(server.clock.now.getTime() + days * A_DAY_MS).toISOString()
  return createRevelation(server, author, { content: LETTER, reveal_date, ...overrides })
}

function remindersTo({ email }: Person): string[] {
  return server.mailbox.all
    .filter(({ to, subject }) => to === email && subject.startsWith('Rappel'))
    .map(({ subject }) => subject.replaceAll('\u00A0', ' '))
}

async function wait(ms: number): Promise<void> {
  server.clock.advance(ms)
  await server.runJobs()
}

const soon = () => `Rappel : la révélation de @${author.pseudo} s’ouvre bientôt`
const open = () => `Rappel : la révélation de @${author.pseudo} est ouverte`

describe('/api/revelations/:id/reminder', () => {
  it('sets, shows and deletes a reminder; a second call changes nothing', async () => {
    const { id } = await seal(3)
    expect((await reminder('GET', id)).body).toEqual({ reminded: false })
    for (const _time of [1, 2]) {
      const { status, body } = await reminder('PUT', id)
      expect([status, body]).toEqual([200, { reminded: true }])
    }
    expect((await reminder('GET', id)).body).toEqual({ reminded: true })
    expect((await reminder('GET', id, author)).body).toEqual({ reminded: false })
    for (const _time of [1, 2]) {
      expect((await reminder('DELETE', id)).body).toEqual({ reminded: false })
    }
    await wait(3 * A_DAY_MS)
    expect(remindersTo(reader)).toEqual([])
  })

  it('rejects it once it is open, and answers those who may not see it as for what does not exist', async () => {
    const { id } = await seal(1, { visibility: 'friends' })
    const absent = await reminder('PUT', '5b3d0a52-8f0a-4d0e-9a3c-0f2b7c1d9e11')
    for (const method of ['GET', 'PUT', 'DELETE'] as const) {
      const { status, text } = await reminder(method, id)
      expect([status, text]).toEqual([404, absent.text])
    }
    await relate(server, author, reader, 'friend')
    expect((await reminder('PUT', id)).status).toBe(200)
    server.clock.advance(A_DAY_MS)
    const { status, body } = await reminder('PUT', id)
    expect([status, body.code]).toEqual([409, 'revelation_revealed'])
    expect(body.error).toContain('déjà ouverte')
  })

  it('rejects visitors and holders of a key', async () => {
    const { id } = await seal(2)
    const headers = keyHeaders('k'.repeat(43))
    for (const method of ['GET', 'PUT', 'DELETE']) {
      const { status } = await server.call(method, `/api/revelations/${id}/reminder`, { headers })
      expect([method, status]).toEqual([method, 401])
    }
  })
})

describe('mails of a reminder', () => {
  it('leave however many were sent before', async () => {
    const { id } = await seal(1)
    await reminder('PUT', id)
    await server.ctx.pool.query(
      `with crowd as (
         insert into users (email, email_key, pseudo, pseudo_key, password_hash, created_at)
         select 'r' || n || '@exemple.test', 'r' || n || '@exemple.test', 'Rappel_' || n, 'rappel_' || n, '', $2
         from generate_series(1, 100) as n returning id
       ) insert into reminders (revelation_id, user_id, stage, due_at, created_at)
         select $1, id, 'sent', $2, $2 from crowd`,
      [id, server.clock.now],
    )
    await wait(A_DAY_MS)
    expect(remindersTo(reader)).toEqual([open()])
  })

  it('leave the day before and at the instant, each once, and contain nothing of the letter', async () => {
    const { id, title } = await seal(3)
    await reminder('PUT', id)
    await wait(2 * A_DAY_MS - 1)
    expect(remindersTo(reader)).toEqual([])
    await wait(1)
    await server.runJobs()
    expect(remindersTo(reader)).toEqual([soon()])
    await wait(A_DAY_MS - 1)
    expect(remindersTo(reader)).toEqual([soon()])
    await wait(1)
    await server.runJobs()
    expect(remindersTo(reader)).toEqual([soon(), open()])
    for (const mail of server.mailbox.all.filter(({ to }) => to === reader.email)) {
      expect(mail.text).toContain(title)
      expect(mail.text).toContain(`/revelation/${id}\n`)
      expect(JSON.stringify(mail)).not.toContain(LETTER.slice(0, 12))
      expect(mail.headers).not.toHaveProperty('List-Unsubscribe')
    }
    expect((await reminder('GET', id)).body).toEqual({ reminded: false })
  })

  it('leave only at the instant when less than a day remains', async () => {
    const { id } = await seal(1)
    await reminder('PUT', id)
    await wait(A_DAY_MS - 1)
    expect(remindersTo(reader)).toEqual([])
    await wait(1)
    expect(remindersTo(reader)).toEqual([open()])
  })

  it('follow the date, however far it moves', async () => {
    const { id } = await seal(3)
    await reminder('PUT', id)
    const move = (days: number) => {
      const reveal_date = new Date(server.clock.now.getTime() + days * A_DAY_MS).toISOString()
      return server.call('PUT', `/api/revelations/${id}`, { as: author, body: { reveal_date } })
    }
    expect((await move(10)).status).toBe(200)
    await wait(3 * A_DAY_MS)
    expect(remindersTo(reader)).toEqual([])
    expect((await move(2)).status).toBe(200)
    await wait(A_DAY_MS)
    expect(remindersTo(reader)).toEqual([soon()])
    await wait(A_DAY_MS)
    expect(remindersTo(reader)).toEqual([soon(), open()])
  })

  it('do not leave to whoever may no longer see it', async () => {
    const { id } = await seal(1, { visibility: 'friends' })
    await relate(server, author, reader, 'friend')
    await reminder('PUT', id)
    const body = { visibility: 'family' }
    await server.call('PUT', `/api/revelations/${id}`, { as: author, body })
    await wait(A_DAY_MS)
    expect(remindersTo(reader)).toEqual([])
  })

  it('replace the mail about the reveal to those close to the author', async () => {
    await relate(server, author, reader, 'friend')
    const { id } = await seal(1)
    await reminder('PUT', id)
    await wait(A_DAY_MS)
    const about = server.mailbox.all.filter(
      ({ to, subject }) => to === reader.email && subject.includes('ouverte'),
    )
    expect(about.map(({ subject }) => subject.replaceAll('\u00A0', ' '))).toEqual([open()])
  })
})

describe('an account whose address is not verified', () => {
  it('has twenty pending reminders at most, however many requests come at once', async () => {
    const unverified = await signedIn(server)
    const plan = { userId: author.id, plan: 'unlimited' }
    await server.ctx.db.insertInto('subscriptions').values(plan).execute()
    const ids: string[] = []
    for (let number = 0; number < 22; number += 1) ids.push((await seal(2)).id)
    const answers = await Promise.all(ids.map((id) => reminder('PUT', id, unverified)))
    const refused = answers.filter(({ status }) => status !== 200)
    expect(refused.map(({ status, body }) => [status, body.code])).toEqual(
      Array(2).fill([429, 'too_many_requests']),
    )
    expect(refused[0]?.body.error).toContain('Vérifiez votre adresse')
    await verifyEmail(server, unverified)
    for (const id of ids) expect((await reminder('PUT', id, unverified)).status).toBe(200)
  })

  it('gets reminders with a way to stop everything', async () => {
    const unverified = await signedIn(server)
    const { id } = await seal(1)
    await reminder('PUT', id, unverified)
    await wait(A_DAY_MS)
    const mail = server.mailbox.lastTo(unverified.email)
    expect(mail?.subject).toContain('est ouverte')
    expect(mail?.headers).toHaveProperty('List-Unsubscribe')
  })
})

it('enqueues a mail once from several workers', async () => {
  const { id } = await seal(1)
  await reminder('PUT', id)
  server.clock.advance(A_DAY_MS + AN_HOUR_MS)
  await Promise.all(Array.from({ length: 5 }, () => enqueueDueReminders(server.ctx)))
  await server.runJobs()
  expect(remindersTo(reader)).toEqual([open()])
})

describe('reminders of what is under review', () => {
  const hide = (id: string) => inTransaction(server.ctx, (tx) => hideRevelation(tx, id))
  const restore = (id: string) => inTransaction(server.ctx, (tx) => restoreRevelation(tx, id))

  it('wait until it is restored, and say what is true then', async () => {
    const [early, late] = [await seal(3), await seal(3)]
    for (const { id } of [early, late]) {
      await reminder('PUT', id)
      await hide(id)
    }
    await wait(2.5 * A_DAY_MS)
    expect(remindersTo(reader)).toEqual([])
    await restore(early.id)
    await server.runJobs()
    expect(remindersTo(reader)).toEqual([soon()])
    await wait(0.5 * A_DAY_MS)
    expect(remindersTo(reader)).toEqual([soon(), open()])
    await restore(late.id)
    await server.runJobs()
    await server.runJobs()
    expect(remindersTo(reader)).toEqual([soon(), open(), open()])
  })

  it('leave to its author, who sees it all the while', async () => {
    const { id } = await seal(1)
    await reminder('PUT', id, author)
    await hide(id)
    await wait(A_DAY_MS)
    expect(remindersTo(author)).toEqual(['Rappel : votre révélation est ouverte'])
  })
})

it('waits for the clock of the machine that sends', async () => {
  const { id } = await seal(3)
  await reminder('PUT', id)
  for (const [after, subjects] of [
    [2 * A_DAY_MS, [soon()]],
    [A_DAY_MS, [soon(), open()]],
  ] as const) {
    server.clock.advance(after)
    await enqueueDueReminders(server.ctx)
    const { id: mailId } = await server.ctx.db
      .selectFrom('mails')
      .select('id')
      .where('recipientId', '=', reader.id)
      .where('state', '=', 'queued')
      .executeTakeFirstOrThrow()
    const behind = () => new Date(server.clock.now.getTime() - 1_000)
    await expect(handleSendMail({ ...server.ctx, now: behind }, { mailId })).rejects.toThrow()
    await handleSendMail(server.ctx, { mailId })
    expect(remindersTo(reader)).toEqual(subjects)
  }
})
