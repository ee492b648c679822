import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { inTransaction } from '#server/context.ts'
import {
  hideRevelation,
  restoreRevelation,
} from '#server/features/revelations/revelations.service.ts'
import {
  A_DAY_MS,
  createRevelation,
  keyHeaders,
  type RevelationOverrides,
  revelationBody,
  sealDelivered,
  sealPrivate,
  toAll,
  verifiedPerson,
} from '#testing/factories.ts'
import { pdf } from '#testing/media-files.ts'
import { watchStatements } from '#testing/statements.ts'
import { type Person, signedIn, startTestServer, type TestApp } from '#testing/test-server.ts'
import { uploadFile } from '#testing/uploads.ts'

const MINUTES_MS = 60_000

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

const seal = (changes?: RevelationOverrides) => sealPrivate(server, author, changes)
const sealOpened = (changes?: RevelationOverrides) => sealDelivered(server, author, changes)

function mailsTo(address: string): number {
  return server.mailbox.all.filter(({ to }) => to === address).length
}

function read(id: string, key: string, as?: Person) {
  return server.call('GET', `/api/revelations/${id}`, {
    as,
    headers: keyHeaders(key),
  })
}

async function own(id: string) {
  const { body } = await server.call('GET', `/api/revelations/${id}`, { as: author })
  return body.revelation
}

function stepsOf(delivery: { journal: { step: string }[] }): string[] {
  return delivery.journal.map(({ step }) => step)
}

function act(deliveryId: string, action: 'resend' | 'revoke', as: Person | undefined = author) {
  return server.call('POST', `/api/deliveries/${deliveryId}/${action}`, { as })
}

function readdress(deliveryId: string, address: string, as: Person | undefined = author) {
  return server.call('PUT', `/api/deliveries/${deliveryId}`, { as, body: { address } })
}

/** Fails a delivery as if its mailbox did not exist. */
async function fail(deliveryId: string): Promise<void> {
  await server.ctx.db
    .updateTable('deliveries')
    .set({ state: 'failed', error: 'L’adresse du destinataire n’existe pas ou n’existe plus.' })
    .where('id', '=', deliveryId)
    .execute()
}

describe('POST /api/deliveries/:id/resend', () => {
  it('sends another mail with the same link, once in ten minutes', async () => {
    const { deliveryId, address: target, key, id } = await sealOpened()
    const again = await act(deliveryId, 'resend')
    expect(again.status).toBe(200)
    expect(stepsOf(again.body.delivery)).toEqual(['planned', 'sent', 'resent'])
    await server.runJobs()
    expect(mailsTo(target)).toBe(2)
    expect(server.mailbox.lastKeyTo(target)).toBe(key)
    const ids = server.mailbox.all.filter(({ to }) => to === target).map((mail) => mail.messageId)
    expect(new Set(ids).size).toBe(2)

    server.clock.advance(9 * MINUTES_MS)
    const tooSoon = await act(deliveryId, 'resend')
    expect([tooSoon.status, tooSoon.headers['retry-after']]).toEqual([429, '60'])
    server.clock.advance(MINUTES_MS)
    expect((await act(deliveryId, 'resend')).status).toBe(200)
    await server.runJobs()
    expect(mailsTo(target)).toBe(3)
    expect((await own(id)).delivery.state).toBe('sent')
  })

  it('rejects a delivery that was never sent', async () => {
    const { deliveryId, address: target } = await seal()
    const answer = await act(deliveryId, 'resend')
    expect([answer.status, answer.body.code]).toEqual([409, 'not_delivered'])
    await server.runJobs()
    expect(mailsTo(target)).toBe(0)
  })
})

describe('POST /api/deliveries/:id/revoke', () => {
  it('revokes the key, answers link_revoked for it, and the next mail carries another', async () => {
    const { id, deliveryId, address: target, key } = await sealOpened()
    expect((await read(id, key)).status).toBe(200)
    const revoked = await act(deliveryId, 'revoke')
    expect(revoked.status).toBe(200)
    expect(stepsOf(revoked.body.delivery)).toEqual(['planned', 'sent', 'revoked'])
    expect(revoked.body.delivery.can).toEqual({
      resend: true,
      readdress: true,
      revoke: false,
      hand: true,
    })
    const answer = await read(id, key)
    expect([answer.status, answer.body.code]).toEqual([403, 'link_revoked'])
    expect(answer.body.revelation).toBeUndefined()
    expect((await read(id, 'x'.repeat(43))).status).toBe(404)
    expect((await act(deliveryId, 'revoke')).status).toBe(200)

    await act(deliveryId, 'resend')
    await server.runJobs()
    const next = server.mailbox.lastKeyTo(target)
    expect(next).not.toBe(key)
    expect((await read(id, next)).status).toBe(200)
    expect((await read(id, key)).status).toBe(403)
    const other = await sealOpened()
    expect((await read(other.id, key)).status).toBe(404)
  })

  it('leaves a public revelation readable to everybody', async () => {
    const { id, deliveryId, key } = await sealOpened({ visibility: 'public' })
    await act(deliveryId, 'revoke')
    expect((await read(id, key)).status).toBe(200)
  })

  it('closes the file at the next request, and resending does not open it again', async () => {
    const { url } = await uploadFile(server, author, { bytes: pdf(), name: 'lettre.pdf' })
    const { id, deliveryId, key } = await sealOpened({ file_url: url })
    const file = (await read(id, key)).body.revelation.file_url
    expect((await server.call('GET', file)).status).toBe(200)
    await act(deliveryId, 'revoke')
    expect((await server.call('GET', file)).status).toBeGreaterThanOrEqual(403)
    await act(deliveryId, 'resend')
    expect((await server.call('GET', file)).status).toBeGreaterThanOrEqual(403)
  })

  it('rejects a delivery that was never sent', async () => {
    const { deliveryId } = await seal()
    expect((await act(deliveryId, 'revoke')).body.code).toBe('not_delivered')
  })
})

describe('PUT /api/deliveries/:id', () => {
  it('sends to the new address alone when it changes before the reveal', async () => {
    const { id, deliveryId, address: target } = await seal()
    const address = `autre.${crypto.randomUUID()}@exemple.fr`
    const moved = await readdress(deliveryId, address)
    expect(moved.status).toBe(200)
    expect(moved.body.delivery).toMatchObject({ address, state: 'planned' })
    expect((await own(id)).target_email).toBe(address)
    server.clock.advance(A_DAY_MS)
    await server.runJobs()
    expect([mailsTo(target), mailsTo(address)]).toEqual([0, 1])
  })

  it('sends at once after a failure, and revokes the key of the former mail', async () => {
    const { id, deliveryId, address: target, key } = await sealOpened()
    await fail(deliveryId)
    const address = `autre.${crypto.randomUUID()}@exemple.fr`
    expect((await readdress(deliveryId, address)).status).toBe(200)
    await server.runJobs()
    expect([mailsTo(target), mailsTo(address)]).toEqual([1, 1])
    expect((await read(id, key)).body.code).toBe('link_revoked')
    expect((await read(id, server.mailbox.lastKeyTo(address))).status).toBe(200)
    const { delivery, target_email } = await own(id)
    expect(target_email).toBe(address)
    expect(stepsOf(delivery)).toEqual(['planned', 'sent', 'readdressed', 'sent'])
    const recipient = await verifiedPerson(server, { email: address })
    expect((await server.call('GET', `/api/revelations/${id}`, { as: recipient })).status).toBe(200)
  })

  it('revokes the key of the first mail after a review stopped the second one', async () => {
    const { id, deliveryId, key } = await sealOpened()
    await act(deliveryId, 'resend')
    await inTransaction(server.ctx, (tx) => hideRevelation(tx, id))
    await server.runJobs()
    await inTransaction(server.ctx, (tx) => restoreRevelation(tx, id))
    const address = `autre.${crypto.randomUUID()}@exemple.fr`
    expect((await readdress(deliveryId, address)).status).toBe(200)
    await server.runJobs()
    expect(mailsTo(address)).toBe(1)
    expect((await read(id, key)).body.code).toBe('link_revoked')
    expect((await read(id, server.mailbox.lastKeyTo(address))).status).toBe(200)
  })

  it('shows nobody new to the bearer of a key that it revokes: the letter is read first', async () => {
    const { id, key } = await sealOpened()
    const watch = watchStatements()
    await read(id, key)
    const sent = watch.drain().map(({ text }) => text)
    watch.stop()
    const [letter, bearer] = ['from "revelations"', 'where key_hash = '].map((part) =>
      sent.findIndex((text) => text.includes(part)),
    )
    expect(letter).toBeGreaterThanOrEqual(0)
    expect(bearer).toBeGreaterThan(letter as number)
  })

  it('changes the name with it, and leaves it where none is given', async () => {
    const { deliveryId } = await seal({ target_name: 'Denise' })
    const named = async (body: object) =>
      (await server.call('PUT', `/api/deliveries/${deliveryId}`, { as: author, body })).body
        .delivery.name
    const [first, second] = [1, 2].map(() => `autre.${crypto.randomUUID()}@exemple.fr`)
    expect(await named({ address: first })).toBe('Denise')
    expect(await named({ address: second, name: ' Jeanne ' })).toBe('Jeanne')
    expect(await named({ address: first, name: '' })).toBeNull()
  })

  it('rejects one that was opened, and the address of another recipient', async () => {
    const { id, deliveryId, key } = await sealOpened()
    const headers = keyHeaders(key)
    await server.call('POST', `/api/revelations/${id}/open`, { headers, body: {} })
    const late = await readdress(deliveryId, 'tard@exemple.fr')
    expect([late.status, late.body.code]).toEqual([409, 'already_delivered'])
    const both = await createRevelation(server, author, {
      ...toAll('une@exemple.fr', 'deux@exemple.fr'),
    })
    const same = await readdress(both.deliveries[1].id, 'Une@exemple.fr')
    expect([same.status, Object.keys(same.body.fields)]).toEqual([400, ['address']])
  })
})

const HOSTILE = [
  'a@x.fr,b@y.fr',
  'a@x.fr;b@y.fr',
  'a@x.fr b@y.fr',
  'a@x.fr\r\nBcc: b@y.fr',
  '"a,b@y.fr"@x.fr',
  'a(b@y.fr)@x.fr',
  'A <a@x.fr>',
  '<a@x.fr>, <b@y.fr>',
  'groupe: a@x.fr;',
  `${'a'.repeat(300)}@x.fr`,
  `a@${'x'.repeat(63)}.${'x'.repeat(63)}.${'x'.repeat(63)}.${'x'.repeat(63)}.${'x'.repeat(60)}.fr`,
]

it.each(HOSTILE)('rejects %j at every endpoint that takes an address', async (address) => {
  const { deliveryId } = await seal()
  const answers = [
    await readdress(deliveryId, address),
    await server.call('POST', '/api/revelations', {
      as: author,
      body: revelationBody(server, { target_email: address }),
    }),
    await server.call('POST', '/api/revelations', {
      as: author,
      body: revelationBody(server, toAll('destinataire@exemple.test', address)),
    }),
  ]
  expect(answers.map(({ status }) => status)).toEqual([400, 400, 400])
})

it('answers anybody but the author as for a missing delivery', async () => {
  const { deliveryId } = await sealOpened({ visibility: 'public' })
  const other = await signedIn(server)
  const doors = [
    (id: string, as?: Person) => server.call('POST', `/api/deliveries/${id}/resend`, { as }),
    (id: string, as?: Person) => server.call('POST', `/api/deliveries/${id}/revoke`, { as }),
    (id: string, as?: Person) =>
      server.call('PUT', `/api/deliveries/${id}`, { as, body: { address: 'moi@exemple.fr' } }),
  ]
  for (const door of doors) {
    expect((await door(deliveryId)).status).toBe(401)
    const [there, missing] = [await door(deliveryId, other), await door(crypto.randomUUID(), other)]
    expect([there.status, there.text]).toEqual([404, missing.text])
  }
})

it('neither sends nor changes a hidden delivery, and sends it once it is restored', async () => {
  const { id, deliveryId, address: target } = await seal()
  const setHidden = (hiddenAt: Date | null) =>
    server.ctx.db.updateTable('revelations').set({ hiddenAt }).where('id', '=', id).execute()
  await setHidden(server.ctx.now())
  server.clock.advance(A_DAY_MS)
  await server.runJobs()
  await server.runJobs()
  expect(mailsTo(target)).toBe(0)
  expect((await readdress(deliveryId, 'ailleurs@exemple.fr')).body.code).toBe('under_review')
  const { delivery } = await own(id)
  expect(stepsOf(delivery)).toEqual(['planned', 'suspended'])
  expect(delivery.can).toEqual({ resend: false, readdress: false, revoke: false, hand: false })
  await setHidden(null)
  await server.runJobs()
  expect(mailsTo(target)).toBe(1)
})

it('allows a notice again that a review stopped, once it is restored', async () => {
  const { id, address: target } = await seal()
  const body = { revelationId: id }
  const notify = () => server.call('POST', '/api/email/notify-revelation', { as: author, body })
  expect((await notify()).body.queued).toBe(true)
  await inTransaction(server.ctx, (tx) => hideRevelation(tx, id))
  await server.runJobs()
  await inTransaction(server.ctx, (tx) => restoreRevelation(tx, id))
  expect(mailsTo(target)).toBe(0)
  expect((await notify()).body.queued).toBe(true)
  await server.runJobs()
  expect(mailsTo(target)).toBe(1)
  expect((await notify()).body.queued).toBe(false)
})
