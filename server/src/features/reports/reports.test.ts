import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { personalKeyFor } from '#server/features/access/personal-keys.service.ts'
import { findDeliveryFacts } from '#server/features/deliveries/deliveries.repository.ts'
import {
  A_DAY_MS,
  createRevelation,
  keyHeaders,
  relate,
  verifiedPerson,
} from '#testing/factories.ts'
import { type Person, signedIn, startTestServer, type TestApp } from '#testing/test-server.ts'
import {
  closeReport,
  getCase,
  hideReported,
  listCases,
  restoreReported,
} from './decisions.service.ts'

let server: TestApp
let author: Person
let reader: Person

beforeAll(async () => {
  server = await startTestServer()
  author = await signedIn(server)
  reader = await verifiedPerson(server)
  const plan = { userId: author.id, plan: 'unlimited' }
  await server.ctx.db.insertInto('subscriptions').values(plan).execute()
})
afterAll(() => server.close())

const decision = { operator: 'claire', reason: 'Cela dit où habite quelqu’un.' }

function report(as: Person | undefined, body: object, headers = {}) {
  return server.call('POST', '/api/reports', { as, headers, body: { reason: 'privacy', ...body } })
}

function revelation(id: string) {
  return { target: 'revelation', target_id: id }
}

async function reportsAbout(targetId: string) {
  const cases = await listCases(server.ctx, 'all')
  return cases.map((one) => one.report).filter((one) => one.targetId === targetId)
}

/** One report about it, and the beginning of its id. */
async function reported(
  body: { target: string; target_id: string },
  as: Person | undefined = reader,
) {
  expect((await report(as, body)).status).toBe(201)
  const [found] = await reportsAbout(body.target_id)
  return found?.id.slice(0, 8) ?? ''
}

async function statusFor(as: Person | undefined, path: string): Promise<number> {
  return (await server.call('GET', path, { as })).status
}

async function comment(as: Person, revelationId: string, content: string): Promise<string> {
  const body = { revelation_id: revelationId, content }
  return (await server.call('POST', '/api/comments', { as, body })).body.id
}

describe('reporting', () => {
  it('keeps what a visitor and a person say of what they see', async () => {
    const { id } = await createRevelation(server, author)
    const commentId = await comment(author, id, 'Un mot de trop')
    for (const body of [
      revelation(id),
      { target: 'comment', target_id: commentId },
      { target: 'profile', target_id: author.id },
    ]) {
      const message = 'Voyez vous-même.'
      const email = 'temoin@exemple.test'
      expect((await report(undefined, { ...body, message, email })).status).toBe(201)
      server.clock.advance(1_000)
      expect((await report(reader, { ...body, email })).status).toBe(201)
      const [byVisitor, byReader] = await reportsAbout(body.target_id)
      expect(byVisitor).toMatchObject({ reporterId: null, reporterEmail: email, message })
      expect(byReader).toMatchObject({ reporterId: reader.id, reporterEmail: null, message: '' })
    }
  })

  it('changes the open report of whoever asks again', async () => {
    const { id } = await createRevelation(server, author)
    const email = 'encore@exemple.test'
    for (const message of ['Une fois', 'Deux fois']) {
      await report(reader, { ...revelation(id), message })
      await report(undefined, { ...revelation(id), message, email })
    }
    const found = await reportsAbout(id)
    expect(found.map((one) => one.message)).toEqual(['Deux fois', 'Deux fois'])
  })

  it('answers what one does not see as what does not exist', async () => {
    const { id } = await createRevelation(server, author, { visibility: 'private' })
    const commentId = await comment(author, id, 'Pour moi')
    const nobody = { target: 'profile', target_id: randomUUID() }
    for (const body of [revelation(id), { target: 'comment', target_id: commentId }, nobody]) {
      const seen = await report(reader, body)
      const unknown = await report(reader, { ...body, target_id: randomUUID() })
      expect([seen.status, seen.text]).toEqual([404, unknown.text])
    }
  })

  it('takes the report of whoever holds the key of a private letter', async () => {
    const { id } = await createRevelation(server, author, {
      visibility: 'private',
      reveal_date: server.clock.now.toISOString(),
    })
    const delivery = await findDeliveryFacts(server.ctx.db, { revelationId: id })
    const headers = keyHeaders(personalKeyFor(server.ctx, delivery?.id ?? ''))
    expect((await report(undefined, revelation(id), headers)).status).toBe(201)
  })

  it('refuses one’s own things in a sentence', async () => {
    const { id } = await createRevelation(server, author)
    const own = [revelation(id), { target: 'profile', target_id: author.id }]
    for (const body of own) {
      const { status, body: answer } = await report(author, body)
      expect([status, answer.error]).toEqual([400, 'Vous ne pouvez pas signaler ce qui est à vous'])
    }
  })

  it('refuses a mail’s link that is no link of ours', async () => {
    const body = { token: 'faux', reason: 'spam' }
    const { status, body: answer } = await server.call('POST', '/api/reports/mail', { body })
    expect([status, answer.code]).toEqual([400, 'link_expired'])
  })
})

describe('the report of a mail', () => {
  async function reportFrom(to: string): Promise<void> {
    const token = /\/signaler#jeton=(\S+)/.exec(server.mailbox.lastTo(to)?.text ?? '')?.[1]
    const body = { token, reason: 'harassment', message: 'Je ne connais pas cette personne.' }
    expect((await server.call('POST', '/api/reports/mail', { body })).status).toBe(201)
  }

  it('is about the revelation, and answered at the address the mail went to, which is forgotten then', async () => {
    const to = `${randomUUID()}@exemple.test`
    const { id } = await createRevelation(server, author, {
      target_email: to,
      visibility: 'private',
    })
    server.clock.advance(2 * A_DAY_MS)
    await server.runJobs()
    await reportFrom(to)
    await reportFrom(to)
    const reports = await reportsAbout(id)
    expect(reports).toMatchObject([{ target: 'mail', reporterId: null, reporterEmail: to }])
    const caseId = reports[0]?.id ?? ''
    await hideReported(server.ctx, caseId, decision)
    const own = await server.call('GET', `/api/revelations/${id}`, { as: author })
    expect(own.body.revelation.is_suspended).toBe(true)
    await closeReport(server.ctx, caseId, decision)
    await server.runJobs()
    expect(server.mailbox.lastTo(to)?.subject).toBe('Votre signalement a été traité')
    expect(await reportsAbout(id)).toMatchObject([{ outcome: 'hidden', reporterEmail: null }])
  })

  it('is of the account the mail went to, if it went to one', async () => {
    const friend = await verifiedPerson(server)
    await relate(server, author, friend, 'friend')
    const { id } = await createRevelation(server, author)
    await server.runJobs()
    await reportFrom(friend.email)
    expect(await reportsAbout(id)).toMatchObject([{ reporterId: friend.id, reporterEmail: null }])
  })
})

describe('a revelation that is hidden', () => {
  it('is gone for everybody but its author, at the next request, and back once it is restored', async () => {
    server.clock.advance(1_000)
    const { id } = await createRevelation(server, author)
    const path = `/api/revelations/${id}`
    const found = async (as?: Person) =>
      (await server.call('GET', '/api/revelations?limit=100', { as })).body
    const before = { visitor: await found(), reader: await found(reader) }
    expect(before.visitor.revelations[0].id).toBe(id)
    const caseId = await reported(revelation(id))

    await hideReported(server.ctx, caseId, decision)
    expect(await statusFor(undefined, path)).toBe(404)
    expect(await statusFor(reader, path)).toBe(404)
    const own = await server.call('GET', path, { as: author })
    expect(own.body.revelation).toMatchObject({
      is_suspended: true,
      content: 'Il fera beau toute la journée.',
      can: { edit: false, delete: true },
    })
    for (const [who, as] of [
      ['visitor', undefined],
      ['reader', reader],
    ] as const) {
      const { counts, revelations } = await found(as)
      expect(counts.found).toBe(before[who].counts.found - 1)
      expect(revelations.map((one: { id: string }) => one.id)).not.toContain(id)
    }
    const edited = await server.call('PUT', path, { as: author, body: { title: 'Autre titre' } })
    expect([edited.status, edited.body.code]).toEqual([403, 'under_review'])

    await restoreReported(server.ctx, caseId, decision)
    expect(await found()).toEqual(before.visitor)
    expect(await found(reader)).toEqual(before.reader)
    await server.runJobs()
    expect((await found()).counts).toEqual(before.visitor.counts)
  })

  it('may still be deleted', async () => {
    const { id } = await createRevelation(server, author)
    const counts = async () => (await server.call('GET', '/api/revelations')).body.counts.found
    const caseId = await reported(revelation(id))
    const before = await counts()
    await hideReported(server.ctx, caseId, decision)
    const path = `/api/revelations/${id}`
    expect((await server.call('DELETE', path, { as: author })).status).toBe(200)
    expect(await counts()).toBe(before - 1)
    expect((await getCase(server.ctx, caseId)).target).toBeUndefined()
  })

  it('leaves only once it is restored, though its instant came meanwhile', async () => {
    const to = `${randomUUID()}@exemple.test`
    const { id } = await createRevelation(server, author, { target_email: to })
    const caseId = await reported(revelation(id))
    await hideReported(server.ctx, caseId, decision)
    server.clock.advance(2 * A_DAY_MS)
    await server.runJobs()
    expect(server.mailbox.lastTo(to)).toBeUndefined()
    await restoreReported(server.ctx, caseId, decision)
    await server.runJobs()
    expect(server.mailbox.lastTo(to)?.text).toContain(id)
  })

  it('does not leave when it is hidden between the queue and the mail', async () => {
    const to = `${randomUUID()}@exemple.test`
    const { id } = await createRevelation(server, author, {
      target_email: to,
      reveal_date: server.clock.now.toISOString(),
    })
    const caseId = await reported(revelation(id))
    const { queueDueDeliveries } = await import('#server/features/deliveries/deliveries.worker.ts')
    await queueDueDeliveries(server.ctx)
    await hideReported(server.ctx, caseId, decision)
    await server.runJobs()
    expect(server.mailbox.lastTo(to)).toBeUndefined()
    await restoreReported(server.ctx, caseId, decision)
    await server.runJobs()
    expect(server.mailbox.lastTo(to)?.text).toContain(id)
  })
})

describe('a comment that is hidden', () => {
  it('is in no list and no count, not even its author’s, until it is restored', async () => {
    const { id } = await createRevelation(server, author)
    const commentId = await comment(reader, id, 'À cacher')
    server.clock.advance(1_000)
    await comment(reader, id, 'À garder')
    const shown = async (as?: Person) => {
      const { body } = await server.call('GET', `/api/comments/${id}`, { as })
      const envelope = await server.call('GET', `/api/revelations/${id}`, { as })
      const words = body.comments.map((one: { content: string }) => one.content)
      return [words, body.total, envelope.body.revelation.comments_count]
    }
    const caseId = await reported({ target: 'comment', target_id: commentId }, author)
    await hideReported(server.ctx, caseId, decision)
    for (const as of [undefined, reader, author]) {
      expect(await shown(as)).toEqual([['À garder'], 1, 1])
    }
    const again = await report(author, { target: 'comment', target_id: commentId })
    expect(again.status).toBe(404)
    await restoreReported(server.ctx, caseId, decision)
    expect(await shown()).toEqual([['À garder', 'À cacher'], 2, 2])
  })

  it('is counted out once when it is deleted too', async () => {
    const { id } = await createRevelation(server, author)
    const commentId = await comment(reader, id, 'À cacher puis à retirer')
    await comment(reader, id, 'À garder')
    const caseId = await reported({ target: 'comment', target_id: commentId }, author)
    await hideReported(server.ctx, caseId, decision)
    expect((await server.call('DELETE', `/api/comments/${commentId}`, { as: reader })).status).toBe(
      200,
    )
    const { body } = await server.call('GET', `/api/revelations/${id}`)
    expect(body.revelation.comments_count).toBe(1)
  })
})

describe('a profile that is hidden', () => {
  it('is found by nobody but itself, and what it sealed stays', async () => {
    const somebody = await verifiedPerson(server, { pseudo: 'discret.ou.pas' })
    const { id } = await createRevelation(server, somebody)
    const path = `/api/auth/user/${somebody.id}`
    const search = async (q: string) =>
      (await server.call('GET', `/api/auth/search?q=${q}`, { as: reader })).body.users.length
    const caseId = await reported({ target: 'profile', target_id: somebody.id })
    await hideReported(server.ctx, caseId, decision)
    expect(await statusFor(undefined, path)).toBe(404)
    expect(await statusFor(reader, path)).toBe(404)
    expect(await statusFor(somebody, path)).toBe(200)
    for (const q of ['discret', 'ou.pas', somebody.email]) expect(await search(q)).toBe(0)
    const body = { receiver_id: somebody.id, type: 'friend' }
    const request = await server.call('POST', '/api/relationships/request', {
      as: reader,
      body,
    })
    expect(request.status).toBe(404)
    expect(await statusFor(reader, `/api/revelations/${id}`)).toBe(200)
    await restoreReported(server.ctx, caseId, decision)
    expect(await statusFor(reader, path)).toBe(200)
    for (const q of ['discret', 'ou.pas', somebody.email]) expect(await search(q)).toBe(1)
  })
})

describe('what is told', () => {
  it('reaches the author with the reason and where to answer, and the reporter once it is closed', async () => {
    const { id } = await createRevelation(server, author, { title: 'Ma rue et mon numéro' })
    await server.runJobs()
    const email = `${randomUUID()}@exemple.test`
    const caseId = await reported(revelation(id))
    await report(undefined, { ...revelation(id), email })
    const ofVisitor = (await reportsAbout(id)).find((one) => one.reporterEmail === email)

    await hideReported(server.ctx, caseId, decision)
    await server.runJobs()
    const mail = server.mailbox.lastTo(author.email)
    expect(mail?.subject).toBe('Votre révélation a été masquée')
    expect(mail?.text).toContain(decision.reason)
    expect(mail?.text).toContain('Ma rue et mon numéro')
    expect(mail?.text).toContain('contact@localhost')
    expect(mail?.text).not.toContain('Il fera beau')

    await closeReport(server.ctx, caseId, decision)
    await closeReport(server.ctx, ofVisitor?.id.slice(0, 8) ?? '', decision)
    await server.runJobs()
    for (const to of [email, reader.email]) {
      expect(server.mailbox.lastTo(to)?.text).toContain(decision.reason)
      expect(server.mailbox.lastTo(to)?.text).toContain('a été masquée')
      expect(server.mailbox.lastTo(to)?.text).not.toContain('Ma rue')
    }
    const closed = await reportsAbout(id)
    expect(closed.map((one) => [one.state, one.outcome, one.reporterEmail])).toEqual([
      ['closed', 'hidden', null],
      ['closed', 'hidden', null],
    ])

    await restoreReported(server.ctx, caseId, { operator: 'claire', reason: 'Adresse retirée.' })
    await server.runJobs()
    expect(server.mailbox.lastTo(author.email)?.text).toContain('Adresse retirée.')
  })

  it('is written down with who did it', async () => {
    const { id } = await createRevelation(server, author)
    const caseId = await reported(revelation(id))
    const full = (await getCase(server.ctx, caseId)).report.id
    await hideReported(server.ctx, caseId, decision)
    await closeReport(server.ctx, caseId, decision)
    const acts = await server.ctx.db
      .selectFrom('auditLog')
      .select(['operator', 'action', 'target', 'targetId', 'reason'])
      .where('targetId', 'in', [id, full])
      .orderBy('id')
      .execute()
    expect(acts).toEqual([
      { ...decision, action: 'hide', target: 'revelation', targetId: id },
      { ...decision, action: 'close', target: 'report', targetId: full },
    ])
  })

  it('is not said of what changed again before the mail left', async () => {
    const somebody = await signedIn(server)
    const { id } = await createRevelation(server, somebody)
    const caseId = await reported(revelation(id))
    await hideReported(server.ctx, caseId, decision)
    await restoreReported(server.ctx, caseId, decision)
    await server.runJobs()
    const subjects = server.mailbox.all
      .filter((mail) => mail.to === somebody.email)
      .map((mail) => mail.subject)
    expect(subjects).toContain('Votre révélation est de nouveau visible')
    expect(subjects).not.toContain('Votre révélation a été masquée')
  })
})

describe('too many reports', () => {
  it('are refused: ten an hour from one network, twenty from one person', async () => {
    const limiting = await startTestServer({ rateLimits: true })
    const person = await signedIn(limiting)
    const body = { ...revelation(randomUUID()), reason: 'spam' }
    async function count(as?: Person): Promise<number> {
      for (let accepted = 0; ; accepted += 1) {
        const { status } = await limiting.call('POST', '/api/reports', { as, body })
        if (status === 429) return accepted
      }
    }
    expect([await count(), await count(person)]).toEqual([10, 20])
    await limiting.close()
  })
})
