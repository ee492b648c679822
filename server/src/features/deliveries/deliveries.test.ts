import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { inTransaction } from '#server/context.ts'
import {
  findKeyHolder,
  findKeyHolderByName,
} from '#server/features/access/personal-keys.service.ts'
import { A_DAY_MS, createRevelation, keyHeaders, toAll } from '#testing/factories.ts'
import { type Person, signedIn, startTestServer, type TestApp } from '#testing/test-server.ts'
import { getDeliveries, moveDeliveries } from './deliveries.service.ts'
import { queueDueDeliveries } from './deliveries.worker.ts'

const CANARY = 'pamplemousse-canari'

let server: TestApp
let author: Person

beforeAll(async () => {
  server = await startTestServer()
})

afterAll(() => server.close())

beforeEach(async () => {
  author = await signedIn(server)
  server.mailbox.all.length = 0
})

function notify(as: Person | undefined, revelationId: unknown) {
  return server.call('POST', '/api/email/notify-revelation', { as, body: { revelationId } })
}

async function seal(overrides: Parameters<typeof createRevelation>[2] = {}) {
  const target = `dest.${crypto.randomUUID()}@exemple.fr`
  const revelation = await createRevelation(server, author, {
    title: 'Pour tes dix-huit ans',
    content: `Le mot secret est ${CANARY}.`,
    target_email: target,
    ...overrides,
  })
  return { id: revelation.id as string, target: overrides.target_email ?? target }
}

async function deliveryOf(id: string) {
  const { body } = await server.call('GET', `/api/revelations/${id}`, { as: author })
  return body.revelation.delivery
}

describe('a due delivery', () => {
  it('is mailed to its recipient once, with a link that opens the letter', async () => {
    const { id, target } = await seal({ visibility: 'private' })
    await server.runJobs()
    expect(server.mailbox.lastTo(target)).toBeUndefined()
    expect(await deliveryOf(id)).toMatchObject({ state: 'planned', error: null, opened_at: null })

    server.clock.advance(A_DAY_MS)
    await server.runJobs()
    await server.runJobs()
    expect(server.mailbox.all.filter(({ to }) => to === target)).toHaveLength(1)
    const mail = server.mailbox.lastTo(target)
    const key = server.mailbox.lastKeyTo(target)
    expect(mail?.html).toContain(`/revelation/${id}#cle=${key}`)
    expect(mail?.subject).toBe('Une lettre pour vous s’est ouverte')
    expect(mail?.personName).toBe(author.pseudo)
    expect(await deliveryOf(id)).toMatchObject({ state: 'sent' })

    const opened = await server.call('GET', `/api/revelations/${id}`, {
      headers: keyHeaders(key),
    })
    expect(opened.body.revelation.content).toContain(CANARY)
    expect(await deliveryOf(id)).toMatchObject({ state: 'sent' })
    const again = await server.call('GET', `/api/revelations/${id}`, {
      headers: keyHeaders(key),
    })
    expect(again.status).toBe(200)
  })

  it('has a subject of its own when author and recipient are the same', async () => {
    const { target } = await seal({ visibility: 'private', target_email: author.email })
    server.clock.advance(A_DAY_MS)
    await server.runJobs()
    const mail = server.mailbox.lastTo(target)
    expect(mail?.subject).toBe('La lettre que vous vous étiez écrite s’est ouverte')
    expect(mail?.text).not.toContain(author.pseudo)
    expect(mail?.personName).toBeUndefined()
  })

  it('names a prediction what it is, to its author and to others', async () => {
    const target = `lectrice.${crypto.randomUUID()}@exemple.fr`
    await seal({ kind: 'prediction', ...toAll(author.email, target) })
    server.clock.advance(A_DAY_MS)
    await server.runJobs()
    // Beside the news that it reached the other, in whichever order they left.
    const toAuthor = server.mailbox.all.filter(({ to }) => to === author.email).slice(-2)
    expect(toAuthor.map(({ subject }) => subject)).toContain('Votre prédiction s’est ouverte')
    expect(server.mailbox.lastTo(target)?.subject).toBe('Une prédiction pour vous s’est ouverte')
  })

  it('is not mailed once its revelation is deleted, even when its mail was queued', async () => {
    const { id, target } = await seal()
    server.clock.advance(A_DAY_MS)
    await queueDueDeliveries(server.ctx)
    await server.call('DELETE', `/api/revelations/${id}`, { as: author })
    await server.runJobs()
    expect(server.mailbox.lastTo(target)).toBeUndefined()
    const left = await server.ctx.db.selectFrom('mails').select('id').where('state', '=', 'queued')
    expect(await left.execute()).toEqual([])
  })

  it('follows a change of date and address', async () => {
    const { id, target } = await seal()
    const revealDate = new Date(server.clock.now.getTime() + 3 * A_DAY_MS).toISOString()
    const newTarget = `nouvelle.${crypto.randomUUID()}@exemple.fr`
    const edited = await server.call('PUT', `/api/revelations/${id}`, {
      as: author,
      body: { reveal_date: revealDate, target_email: newTarget },
    })
    expect(edited.status).toBe(200)
    server.clock.advance(A_DAY_MS)
    await server.runJobs()
    expect(server.mailbox.lastTo(target)).toBeUndefined()
    expect(server.mailbox.lastTo(newTarget)).toBeUndefined()
    server.clock.advance(2 * A_DAY_MS)
    await server.runJobs()
    expect(server.mailbox.lastTo(target)).toBeUndefined()
    expect(server.mailbox.lastTo(newTarget)?.text).toContain('#cle=')
  })

  it('does not send a mail queued for a former date', async () => {
    const { id, target } = await seal()
    const { id: deliveryId } = await deliveryOf(id)
    const queuedAt = new Date(server.clock.now.getTime() + A_DAY_MS)
    const dueAt = new Date(queuedAt.getTime() + A_DAY_MS)
    await queueDueDeliveries({ ...server.ctx, now: () => queuedAt })
    await inTransaction(server.ctx, (tx) =>
      moveDeliveries(tx, {
        revelationId: id,
        formerRevealAt: queuedAt,
        revealAt: dueAt,
        recipients: [
          {
            deliveryId,
            isNew: false,
            address: target,
            addressKey: target,
            name: null,
          },
        ],
      }),
    )
    server.clock.advance(A_DAY_MS)
    await server.runJobs()
    expect(server.mailbox.lastTo(target)).toBeUndefined()
    server.clock.advance(A_DAY_MS)
    await server.runJobs()
    expect(server.mailbox.all.filter(({ to }) => to === target)).toHaveLength(1)
  })

  it.each([
    ['2027-03-28', '2027-03-27T23:00:00Z', 'dimanche 28 mars 2027 à\u00A000:00'],
    ['2027-10-31', '2027-10-30T22:00:00Z', 'dimanche 31 octobre 2027 à\u00A000:00'],
  ])('leaves at midnight in Brussels on %s, which is %s', async (day, instant, words) => {
    const { target } = await seal({ reveal_date: day, time_zone: 'Europe/Brussels' })
    const before = new Date(Date.parse(instant) - 1)
    await server.runJobs()
    const { now } = server.clock
    server.clock.now = before
    await server.runJobs()
    expect(server.mailbox.lastTo(target)).toBeUndefined()
    server.clock.now = new Date(instant)
    await server.runJobs()
    expect(server.mailbox.lastTo(target)?.text).toContain(`${words} (heure de Bruxelles)`)
    server.clock.now = now
  })
})

describe('the personal key', () => {
  it('is stored as a hash alone, and found until it is revoked', async () => {
    const { id, target } = await seal()
    server.clock.advance(A_DAY_MS)
    await server.runJobs()
    const key = server.mailbox.lastKeyTo(target)
    const holder = await findKeyHolder(server.ctx, key)
    expect(holder?.revelationId).toBe(id)
    const deliveryId = holder?.deliveryId ?? ''
    const keyName = holder?.keyName ?? ''
    expect((await findKeyHolderByName(server.ctx, keyName))?.revelationId).toBe(id)
    const row = await server.ctx.db
      .selectFrom('deliveries')
      .selectAll()
      .where('id', '=', deliveryId)
      .executeTakeFirst()
    expect(JSON.stringify(row)).not.toContain(key)
    expect(row?.keyHash).toHaveLength(32)

    await server.ctx.db
      .updateTable('deliveries')
      .set({ revokedAt: server.ctx.now() })
      .where('id', '=', deliveryId)
      .execute()
    expect(await findKeyHolder(server.ctx, key)).toBeUndefined()
    expect(await findKeyHolderByName(server.ctx, keyName)).toBeUndefined()
  })

  it.each(['', 'x', '\u0000', 'é'.repeat(100)])('does not find %j', async (key) => {
    expect(await findKeyHolder(server.ctx, key)).toBeUndefined()
  })
})

describe('POST /api/email/notify-revelation', () => {
  it('sends title, author and date to the recipient, once', async () => {
    const { id, target } = await seal({ title: 'Un titre <b>&</b> "tout"' })
    expect((await notify(author, id)).body).toEqual({ queued: true })
    expect((await notify(author, id)).body).toEqual({ queued: false })
    await server.runJobs()
    expect(server.mailbox.all.filter(({ to }) => to === target)).toHaveLength(1)
    const mail = server.mailbox.lastTo(target)
    expect(mail?.subject).toMatch(/^Une lettre pour vous, à ouvrir le \S+ \d+ \S+ \d{4}$/)
    expect(mail?.personName).toBe(author.pseudo)
    expect(mail?.text).toContain('Un titre <b>&</b> "tout"')
    expect(mail?.html).toContain('Un titre &lt;b&gt;&amp;&lt;/b&gt; &quot;tout&quot;')
    expect(mail?.text).toContain('(heure de Bruxelles)')
    expect(mail?.text).not.toContain('#cle=')
    expect((await deliveryOf(id)).notified_at).not.toBeNull()
  })

  it('sends one mail for twenty simultaneous requests', async () => {
    const { id, target } = await seal()
    const answers = await Promise.all(Array.from({ length: 20 }, () => notify(author, id)))
    expect(answers.filter(({ body }) => body.queued)).toHaveLength(1)
    await server.runJobs()
    expect(server.mailbox.all.filter(({ to }) => to === target)).toHaveLength(1)
  })

  it('links to the page only where the recipient may see it without an account', async () => {
    const open = await seal({ visibility: 'public' })
    const hidden = await seal({ visibility: 'friends' })
    await notify(author, open.id)
    await notify(author, hidden.id)
    await server.runJobs()
    expect(server.mailbox.lastTo(open.target)?.text).toContain(`/revelation/${open.id}`)
    expect(server.mailbox.lastTo(hidden.target)?.text).not.toContain(hidden.id)
  })

  it('sends nothing to the author, nor once the letter is revealed', async () => {
    const own = await seal({ target_email: author.email })
    expect((await notify(author, own.id)).body).toEqual({ queued: false })
    const revealed = await seal()
    server.clock.advance(A_DAY_MS)
    expect((await notify(author, revealed.id)).body).toEqual({ queued: false })
    const late = await seal()
    expect((await notify(author, late.id)).body).toEqual({ queued: true })
    server.clock.advance(A_DAY_MS)
    await server.runJobs()
    const mails = server.mailbox.all.filter(({ to }) => to === late.target)
    expect(mails.map(({ text }) => text.includes('#cle='))).toEqual([true])
  })

  it('rejects anyone but the author, and answers for a hidden one as for a missing one', async () => {
    const other = await signedIn(server)
    const open = await seal({ visibility: 'public' })
    const hidden = await seal({ visibility: 'private' })
    expect((await notify(undefined, open.id)).status).toBe(401)
    expect((await notify(other, open.id)).status).toBe(403)
    const toHidden = await notify(other, hidden.id)
    const toMissing = await notify(other, crypto.randomUUID())
    expect([toHidden.status, toHidden.text]).toEqual([404, toMissing.text])
    expect((await notify(author, 'not an id')).status).toBe(400)
    expect((await notify(author, 12)).status).toBe(400)
    await server.runJobs()
    expect(server.mailbox.lastTo(open.target)).toBeUndefined()
    expect(server.mailbox.lastTo(hidden.target)).toBeUndefined()
  })
})

it('puts no word of the letter into a mail, and shows the journal to the author alone', async () => {
  const { id, target } = await seal({ visibility: 'public', title: 'Titre\nsur deux lignes' })
  await notify(author, id)
  await server.runJobs()
  server.clock.advance(A_DAY_MS)
  await server.runJobs()
  const mails = server.mailbox.all.filter(({ to }) => to === target)
  expect(mails).toHaveLength(2)
  expect(JSON.stringify(server.mailbox.all)).not.toContain(CANARY)
  for (const { subject, text } of mails) {
    expect(subject).not.toMatch(/[\r\n]/)
    expect(text).toContain('Titre sur deux lignes')
  }
  const seen = await server.call('GET', `/api/revelations/${id}`)
  expect(seen.body.revelation.delivery).toBeUndefined()
  expect((await getDeliveries(server.ctx, [id])).get(id)?.[0]?.state).toBe('sent')
})
