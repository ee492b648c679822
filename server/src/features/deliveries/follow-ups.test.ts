import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { inTransaction } from '#server/context.ts'
import {
  hideRevelation,
  restoreRevelation,
} from '#server/features/revelations/revelations.service.ts'
import { MailError } from '#server/platform/mail/mail.ts'
import {
  A_DAY_MS,
  AN_HOUR_MS,
  createRevelation,
  keyHeaders,
  sealDelivered,
  sealPrivate,
  toAll,
  verifyEmail,
} from '#testing/factories.ts'
import { createMailbox } from '#testing/mailbox.ts'
import {
  handleSendMail,
  type Person,
  signedIn,
  startTestServer,
  type TestApp,
} from '#testing/test-server.ts'
import { queueDueDeliveries } from './deliveries.worker.ts'
import { recordBounce } from './delivery-outcomes.service.ts'

const TITLE = 'Pour un matin de mai'
const SILENT = `Aucune nouvelle de « ${TITLE} » : rien ne dit qu’elle a été ouverte.`
const UNOPENED = 'Aucune nouvelle de votre lettre'
const FAILED = 'Votre lettre n’a pas pu être remise'

let server: TestApp
let author: Person
/** Addresses that went away. */
const gone = new Set<string>()
/** What happens while a mail leaves for an address. */
const meanwhile = new Map<string, () => Promise<void>>()

beforeAll(async () => {
  const mailbox = createMailbox()
  server = await startTestServer({
    rateLimits: true,
    mail: {
      ...mailbox.transport,
      async send(email) {
        await meanwhile.get(email.to)?.()
        if (gone.has(email.to)) throw new MailError('bad_address', 'no such mailbox')
        await mailbox.transport.send(email)
      },
    },
  })
  server.mailbox = mailbox
})
afterAll(() => server.close())

beforeEach(async () => {
  author = await signedIn(server)
  await verifyEmail(server, author)
  server.mailbox.all.length = 0
})

const seal = (changes: object = {}) => sealDelivered(server, author, { title: TITLE, ...changes })

/** Two that differ in their addressee alone, sealed and delivered at the same instants. */
async function sealTwo() {
  const first = await sealPrivate(server, author, { title: TITLE })
  const second = await seal()
  return [{ ...first, key: server.mailbox.lastKeyTo(first.address) }, second] as const
}

/** Lets days go by one at a time, as a worker that is there does. */
async function pass(days: number): Promise<void> {
  for (let day = 0; day < days; day += 1) await jump(1)
}

/** Past the second reminder and what its author is told. */
async function passBoth(): Promise<void> {
  for (const days of [7, 3, 50, 3, 1]) await jump(days)
}

/** All at once; sessions last. */
async function jump(days: number): Promise<void> {
  server.clock.advance(days * A_DAY_MS)
  await server.ctx.pool.query(
    `update sessions set created_at = $1, expires_at = $1::timestamptz + interval '30 days'`,
    [server.clock.now],
  )
  await server.runJobs()
}

function subjectsTo(address: string): string[] {
  return server.mailbox.all.filter(({ to }) => to === address).map(({ subject }) => subject)
}

/** How many mails reminded this address of a letter, and how many told the author of silence. */
function counts(address: string): { reminders: number; told: number } {
  return {
    reminders: subjectsTo(address).filter((subject) => /vous attend/.test(subject)).length,
    told: subjectsTo(author.email).filter((subject) => subject === UNOPENED).length,
  }
}

async function noticesOf(person: Person): Promise<string[]> {
  const { body } = await server.call('GET', '/api/notifications', { as: person })
  return body.notifications
    .filter(({ kind }: { kind: string }) => kind === 'unopened')
    .map(({ text }: { text: string }) => text.replaceAll(/[\u00A0\u202F]/g, ' '))
}

function openBy(id: string, key: string, body: object = {}) {
  return server.call('POST', `/api/revelations/${id}/open`, { headers: keyHeaders(key), body })
}

function openAs(id: string, as: Person) {
  return server.call('POST', `/api/revelations/${id}/open`, { as, body: {} })
}

async function own(id: string, as = author) {
  return (await server.call('GET', `/api/revelations/${id}`, { as })).body.revelation
}

async function linkOf(deliveryId: string, as: Person | undefined = author) {
  return server.call('POST', `/api/deliveries/${deliveryId}/link`, { as })
}

const keyIn = (url: string) => url.split('#cle=')[1] ?? ''

describe('a letter that nobody opens', () => {
  it('reminds its addressee after 7 and 60 days, and tells its author three days after each', async () => {
    const { id, address, key } = await seal()
    await pass(6)
    expect(counts(address)).toEqual({ reminders: 0, told: 0 })
    await pass(1)
    expect(counts(address)).toEqual({ reminders: 1, told: 0 })
    expect(await noticesOf(author)).toEqual([])
    await pass(2)
    expect(counts(address)).toEqual({ reminders: 1, told: 0 })
    await pass(1)
    expect(counts(address)).toEqual({ reminders: 1, told: 1 })
    expect(await noticesOf(author)).toEqual([SILENT])
    await server.call('POST', '/api/notifications/read', { as: author, body: { all: true } })
    await jump(49)
    expect(counts(address)).toEqual({ reminders: 1, told: 1 })
    await pass(1)
    expect(counts(address)).toEqual({ reminders: 2, told: 1 })
    await pass(2)
    expect(counts(address)).toEqual({ reminders: 2, told: 1 })
    await pass(1)
    expect(counts(address)).toEqual({ reminders: 2, told: 2 })
    expect(await noticesOf(author)).toEqual([SILENT, SILENT])
    await jump(40)
    expect(counts(address)).toEqual({ reminders: 2, told: 2 })

    const reminder = server.mailbox.all.findLast(({ to }) => to === address)
    expect(server.mailbox.lastKeyTo(address)).toBe(key)
    expect(reminder?.headers?.['List-Unsubscribe-Post']).toBe('List-Unsubscribe=One-Click')
    expect(reminder?.text).toContain(`/revelation/${id}#cle=${key}`)
    expect((await own(id)).delivery.journal.map(({ step }: { step: string }) => step)).toEqual([
      'planned',
      'sent',
    ])
  })

  it('says nothing more once it was opened, by link or by the account of its address', async () => {
    const byLink = await seal()
    const byAccount = await seal()
    const late = await seal()
    const reader = await signedIn(server, { email: byAccount.address })
    await verifyEmail(server, reader)
    await pass(3)
    expect((await openBy(byLink.id, byLink.key)).status).toBe(200)
    expect((await openAs(byAccount.id, reader)).status).toBe(200)
    await pass(5)
    expect(counts(late.address)).toEqual({ reminders: 1, told: 0 })
    expect((await openBy(late.id, late.key)).status).toBe(200)
    await passBoth()
    for (const { address } of [byLink, byAccount])
      expect(counts(address)).toEqual({ reminders: 0, told: 0 })
    expect(counts(late.address)).toEqual({ reminders: 1, told: 0 })
    expect(await noticesOf(author)).toEqual([])
  })

  it('is not reminded of once it is revoked, stopped, deleted or answered', async () => {
    const revoked = await seal()
    const stopped = await seal()
    const deleted = await seal()
    const answered = await seal()
    await server.call('POST', `/api/deliveries/${revoked.deliveryId}/revoke`, { as: author })
    const stop = server.mailbox.lastTo(stopped.address)?.headers?.['List-Unsubscribe'] ?? ''
    const path = new URL(stop.replaceAll(/[<>]/g, ''))
    expect((await server.call('POST', path.pathname + path.search)).status).toBeLessThan(300)
    await server.call('DELETE', `/api/revelations/${deleted.id}`, { as: author })
    await server.call('POST', `/api/revelations/${answered.id}/replies`, {
      headers: keyHeaders(answered.key),
      body: { content: 'Merci.' },
    })
    await passBoth()
    for (const { address } of [revoked, stopped, deleted, answered])
      expect(counts(address).reminders).toBe(0)
    // Of the stopped one alone nothing is known, and no mail told its author why.
    expect(counts(stopped.address).told).toBe(2)
    expect(await noticesOf(author)).toEqual([SILENT])
  })

  it('waits while it is hidden', async () => {
    const { id, address } = await seal()
    await inTransaction(server.ctx, (tx) => hideRevelation(tx, id))
    await pass(12)
    expect(counts(address)).toEqual({ reminders: 0, told: 0 })
    await inTransaction(server.ctx, (tx) => restoreRevelation(tx, id))
    await pass(1)
    expect(counts(address)).toEqual({ reminders: 1, told: 0 })
    await pass(3)
    expect(counts(address)).toEqual({ reminders: 1, told: 1 })
  })

  it('counts each addressee apart', async () => {
    const first = `une.${crypto.randomUUID()}@exemple.fr`
    const second = `deux.${crypto.randomUUID()}@exemple.fr`
    const { id } = await seal(toAll(first, second))
    await openBy(id, server.mailbox.lastKeyTo(first))
    await pass(10)
    expect(counts(first)).toEqual({ reminders: 0, told: 1 })
    expect(counts(second)).toEqual({ reminders: 1, told: 1 })
    const mail = server.mailbox.all.findLast(({ subject }) => subject === UNOPENED)
    expect(mail?.text).toContain('d•••@')
    expect(mail?.text).not.toContain('u•••@')
    expect(await noticesOf(author)).toEqual([SILENT])
    await openBy(id, server.mailbox.lastKeyTo(second))
    expect(await noticesOf(author)).toEqual([])
  })

  it('is reminded of once by a worker that was away, whose author is told no sooner', async () => {
    const { address } = await seal()
    await jump(17)
    expect(counts(address)).toEqual({ reminders: 1, told: 0 })
    await server.runJobs()
    await pass(3)
    expect(counts(address)).toEqual({ reminders: 1, told: 1 })
    const other = await seal()
    await jump(200)
    expect(counts(other.address).reminders).toBe(0)
  })

  it('to oneself is reminded of, and nobody is told', async () => {
    const { address } = await seal({ target_email: author.email })
    await passBoth()
    expect(counts(address)).toEqual({ reminders: 2, told: 0 })
    expect(await noticesOf(author)).toEqual([])
  })

  it('to oneself and to somebody who opens it is no news any more', async () => {
    const other = `elle.${crypto.randomUUID()}@exemple.fr`
    const { id } = await seal(toAll(author.email, other))
    await pass(10)
    expect(await noticesOf(author)).toEqual([SILENT])
    await openBy(id, server.mailbox.lastKeyTo(other))
    expect(await noticesOf(author)).toEqual([])
  })

  it('does not remind whoever blocked its author, and mails no author who wants none', async () => {
    const { address } = await seal()
    const reader = await signedIn(server, { email: address })
    await verifyEmail(server, reader)
    await server.call('PUT', `/api/relationships/blocks/${author.id}`, { as: reader })
    await server.call('PUT', '/api/subscriptions/preferences', {
      as: author,
      body: { emailNotifications: false },
    })
    await pass(10)
    expect(counts(address)).toEqual({ reminders: 0, told: 0 })
    expect(await noticesOf(author)).toEqual([SILENT])
  })
})

/** What an author sees of a letter, but for what tells any two letters apart. */
async function seenByAuthor(one: Awaited<ReturnType<typeof seal>>): Promise<string> {
  const { text } = await server.call('GET', `/api/revelations/${one.id}`, { as: author })
  const link = await linkOf(one.deliveryId)
  const headers = keyHeaders(keyIn(link.body.url))
  const page = await server.call('GET', `/api/revelations/${one.id}`, { headers })
  const opened = await server.call('POST', `/api/revelations/${one.id}/open`, {
    headers,
    body: { tell_author: true },
  })
  const after = await server.call('GET', `/api/revelations/${one.id}`, { as: author })
  const seen = [text, link.text, page.text, opened.text, after.text].join('\n')
  return seen
    .replaceAll(one.id, '{id}')
    .replaceAll(one.deliveryId, '{delivery}')
    .replaceAll(one.address, '{address}')
    .replaceAll(/#cle=[\w-]+/g, '{key}')
    .replaceAll(/token=[^"&]+/g, '{ticket}')
    .replaceAll(/"(commitment|salt|leaf_hash|leaf_index|version_id)":("[^"]*"|\d+)/g, '"$1":0')
}

describe('a quiet opening', () => {
  it('looks to the author as none, byte for byte: page, notices, mails, and a link of their own', async () => {
    const [unopened, quiet] = await sealTwo()
    expect((await openBy(quiet.id, quiet.key, { tell_author: false })).status).toBe(200)
    await pass(11)
    expect(counts(quiet.address).reminders).toBe(0)
    expect(counts(unopened.address).reminders).toBe(1)
    const told = server.mailbox.all.filter(({ subject }) => subject === UNOPENED)
    expect(told).toHaveLength(2)
    const [one = '', other = ''] = told.map(({ text }) => text)
    const plain = (text: string) =>
      text.replaceAll(/\/revelation\/[\w-]+/g, '').replaceAll(/jeton=\S+/g, '')
    expect(plain(one)).toBe(plain(other))
    expect(await noticesOf(author)).toEqual([SILENT, SILENT])
    expect(await seenByAuthor(quiet)).toBe(await seenByAuthor(unopened))
  })

  it('by the link that was given by hand looks to the author, who has it, as none', async () => {
    const [unopened, quiet] = await sealTwo()
    for (const { deliveryId } of [unopened, quiet]) await linkOf(deliveryId)
    const handed = keyIn((await linkOf(quiet.deliveryId)).body.url)
    const opening = await openBy(quiet.id, handed, { tell_author: false })
    expect(opening.status).toBe(200)
    await pass(8)
    expect(counts(quiet.address).reminders).toBe(0)
    const accomplice = await signedIn(server)
    for (const { id, deliveryId } of [unopened, quiet]) {
      const headers = keyHeaders(keyIn((await linkOf(deliveryId)).body.url))
      await server.call('POST', `/api/revelations/${id}/save`, { as: accomplice, headers })
      expect((await own(id, accomplice)).opening).toMatchObject({ needed: true, opened_at: null })
    }
    const { body } = await server.call('GET', '/api/revelations/received', { as: accomplice })
    expect(body.counts).toMatchObject({ waiting: 2, opened: 0 })
    expect(await seenByAuthor(quiet)).toBe(await seenByAuthor(unopened))
  })

  it('stays quiet to whoever joins the letter by the link that the author was given', async () => {
    const { id, deliveryId, key } = await seal()
    await openBy(id, key, { tell_author: false })
    const other = await signedIn(server)
    const handed = keyIn((await linkOf(deliveryId)).body.url)
    const save = { as: other, headers: keyHeaders(handed) }
    expect((await server.call('POST', `/api/revelations/${id}/save`, save)).status).toBeLessThan(
      300,
    )
    expect((await own(id, other)).opening).toMatchObject({ needed: true, opened_at: null })
    const { body } = await server.call('GET', '/api/revelations/received', { as: other })
    expect(body.counts).toMatchObject({ waiting: 1, opened: 0 })
    expect((await openAs(id, other)).body.opened_at).toBe(server.clock.now.toISOString())
    expect((await own(id)).delivery.state).toBe('opened')
  })
})

describe('POST /api/deliveries/:id/link', () => {
  it('gives the author a link of that delivery, the same each time, noted once', async () => {
    const { id, deliveryId, key } = await seal()
    const [first, again] = [await linkOf(deliveryId), await linkOf(deliveryId)]
    expect(first.status).toBe(200)
    expect(again.text).toBe(first.text)
    expect(first.body.url).toMatch(new RegExp(`/revelation/${id}#cle=[\\w-]{43}$`))
    expect(keyIn(first.body.url)).not.toBe(key)
    const { journal, handed_at } = first.body.delivery
    expect(journal.at(-1)).toMatchObject({ step: 'handed', at: handed_at })
    for (const living of [key, keyIn(first.body.url)]) {
      const { body } = await server.call('GET', `/api/revelations/${id}`, {
        headers: keyHeaders(living),
      })
      expect(body.revelation.content).toBeTruthy()
    }
    expect((await openBy(id, keyIn(first.body.url))).status).toBe(200)
    const { delivery } = await own(id)
    expect(delivery).toMatchObject({ state: 'opened', can: { readdress: false, hand: true } })
    await openBy(id, key)
    const steps = (await own(id)).delivery.journal.map(({ step }: { step: string }) => step)
    expect(steps).toEqual(['planned', 'sent', 'handed', 'opened'])
  })

  it('opens nothing before the instant, and everything from then on', async () => {
    const address = `carte.${crypto.randomUUID()}@exemple.fr`
    const body = { target_email: address, visibility: 'private' as const }
    const { id, delivery } = await createRevelation(server, author, body)
    const key = keyIn((await linkOf(delivery.id)).body.url)
    const read = () => server.call('GET', `/api/revelations/${id}`, { headers: keyHeaders(key) })
    const missing = await server.call('GET', `/api/revelations/${crypto.randomUUID()}`)
    const before = await read()
    expect([before.status, before.text]).toEqual([404, missing.text])
    await jump(1)
    expect((await read()).body.revelation.content).toBeTruthy()
    expect(server.mailbox.lastKeyTo(address)).not.toBe(key)
  })

  it('is revoked with the mailed one, before the instant alone, and by another address', async () => {
    const sent = await seal()
    const key = keyIn((await linkOf(sent.deliveryId)).body.url)
    await server.call('POST', `/api/deliveries/${sent.deliveryId}/revoke`, { as: author })
    for (const dead of [key, sent.key]) expect((await openBy(sent.id, dead)).status).toBe(403)
    const next = await linkOf(sent.deliveryId)
    expect((await openBy(sent.id, keyIn(next.body.url))).status).toBe(200)
    expect(next.body.delivery.can.revoke).toBe(true)
    expect((await openBy(sent.id, sent.key)).status).toBe(403)

    const address = `carte.${crypto.randomUUID()}@exemple.fr`
    const unsent = { target_email: address, visibility: 'private' as const }
    const sealed = await createRevelation(server, author, unsent)
    const early = keyIn((await linkOf(sealed.delivery.id)).body.url)
    const revoked = await server.call('POST', `/api/deliveries/${sealed.delivery.id}/revoke`, {
      as: author,
    })
    expect(revoked.body.delivery).toMatchObject({ revoked_at: null, handed_at: null })
    await jump(1)
    const mailed = server.mailbox.lastKeyTo(address)
    expect((await openBy(sealed.id, early)).body.code).toBe('link_revoked')
    expect((await openBy(sealed.id, mailed)).status).toBe(200)

    const moved = await createRevelation(server, author, unsent)
    const former = keyIn((await linkOf(moved.delivery.id)).body.url)
    await server.call('PUT', `/api/revelations/${moved.id}`, {
      as: author,
      body: { target_email: `autre.${address}` },
    })
    await jump(1)
    expect((await openBy(moved.id, former)).body.code).toBe('link_revoked')
  })

  it('is for the author alone', async () => {
    const { deliveryId } = await seal({ visibility: 'public' })
    const other = await signedIn(server)
    const [there, missing] = [
      await linkOf(deliveryId, other),
      await linkOf(crypto.randomUUID(), other),
    ]
    expect([there.status, there.text]).toEqual([404, missing.text])
    const visitor = await server.call('POST', `/api/deliveries/${deliveryId}/link`)
    expect(visitor.status).toBe(401)
  })
})

describe('another address', () => {
  it('takes an unopened letter, ends both links and begins the days anew', async () => {
    const { id, deliveryId, address, key } = await seal()
    const handed = keyIn((await linkOf(deliveryId)).body.url)
    await pass(10)
    expect(counts(address)).toEqual({ reminders: 1, told: 1 })
    const next = `suite.${crypto.randomUUID()}@exemple.fr`
    const body = { address: next }
    const moved = await server.call('PUT', `/api/deliveries/${deliveryId}`, { as: author, body })
    expect(moved.status).toBe(200)
    expect(await noticesOf(author)).toEqual([])
    await server.runJobs()
    for (const dead of [key, handed]) expect((await openBy(id, dead)).status).toBe(403)
    await pass(10)
    expect(counts(next)).toEqual({ reminders: 1, told: 2 })
    await openBy(id, server.mailbox.lastKeyTo(next))
    const late = await server.call('PUT', `/api/deliveries/${deliveryId}`, {
      as: author,
      body: { address },
    })
    expect(late.body.code).toBe('already_delivered')
  })
})

describe('what comes back', () => {
  const messageIdTo = (address: string) => server.mailbox.lastTo(address)?.messageId ?? ''

  it('for good reaches the author within the hour, of a reminder too', async () => {
    const letter = await seal()
    const reminded = await seal()
    await recordBounce(server.ctx, {
      messageId: messageIdTo(letter.address),
      kind: 'permanent',
      reason: '5.1.1',
    })
    server.clock.advance(AN_HOUR_MS)
    await server.runJobs()
    expect(subjectsTo(author.email).filter((subject) => subject === FAILED)).toHaveLength(1)
    await pass(7)
    expect(counts(letter.address).reminders).toBe(0)
    expect(counts(reminded.address).reminders).toBe(1)
    await recordBounce(server.ctx, {
      messageId: messageIdTo(reminded.address),
      kind: 'permanent',
      reason: '5.1.1',
    })
    server.clock.advance(AN_HOUR_MS)
    await server.runJobs()
    expect(subjectsTo(author.email).filter((subject) => subject === FAILED)).toHaveLength(2)
    expect((await own(reminded.id)).delivery.state).toBe('failed')
    await pass(3)
    expect(counts(reminded.address).told).toBe(0)
  })

  it('to a reminder that no server takes is a failure', async () => {
    const { id, address } = await seal()
    gone.add(address)
    await pass(7)
    expect((await own(id)).delivery.state).toBe('failed')
    expect(subjectsTo(author.email)).toContain(FAILED)
  })

  it('to a reminder that no server takes says nothing of an address given meanwhile', async () => {
    const { id, deliveryId, address } = await seal()
    const next = `suivante.${crypto.randomUUID()}@exemple.fr`
    gone.add(address)
    meanwhile.set(address, async () => {
      const body = { address: next }
      await server.call('PUT', `/api/deliveries/${deliveryId}`, { as: author, body })
      await queueDueDeliveries(server.ctx)
      const { mailId } = await server.ctx.db
        .selectFrom('deliveries')
        .select('mailId')
        .where('id', '=', deliveryId)
        .executeTakeFirstOrThrow()
      await handleSendMail(server.ctx, { mailId: mailId ?? '' })
    })
    await pass(7)
    expect(subjectsTo(next)).toHaveLength(1)
    expect((await own(id)).delivery.state).toBe('sent')
    expect(subjectsTo(author.email)).not.toContain(FAILED)
  })

  it('for a while changes nothing: it is sent again for three days, then fails', async () => {
    const { id, address, key } = await seal()
    const bounce = () =>
      recordBounce(server.ctx, {
        messageId: messageIdTo(address),
        kind: 'temporary',
        reason: 'mailbox full',
      })
    expect(await bounce()).toBe(true)
    expect(await bounce()).toBe(false)
    const { delivery } = await own(id)
    expect(delivery.state).toBe('sent')
    expect(delivery.journal.at(-1)).toMatchObject({ step: 'delayed' })
    await server.runJobs()
    expect(subjectsTo(address)).toHaveLength(1)
    server.clock.advance(6 * AN_HOUR_MS)
    await server.runJobs()
    await server.runJobs()
    expect(subjectsTo(address)).toHaveLength(2)
    expect(server.mailbox.lastKeyTo(address)).toBe(key)
    expect((await own(id)).delivery).toMatchObject({ state: 'sent', error: null })
    expect(subjectsTo(author.email)).not.toContain(FAILED)
    for (let tries = 0; tries < 12; tries += 1) {
      if (!(await bounce())) break
      server.clock.advance(7 * AN_HOUR_MS)
      await server.runJobs()
      await server.runJobs()
    }
    expect((await own(id)).delivery).toMatchObject({ state: 'failed' })
    expect(subjectsTo(author.email).filter((subject) => subject === FAILED)).toHaveLength(1)
  })

  it('after its link was revoked is not sent again', async () => {
    const { id, deliveryId, address } = await seal()
    const messageId = messageIdTo(address)
    await server.call('POST', `/api/deliveries/${deliveryId}/revoke`, { as: author })
    await recordBounce(server.ctx, { messageId, kind: 'temporary', reason: 'mailbox full' })
    server.clock.advance(7 * AN_HOUR_MS)
    await server.runJobs()
    await server.runJobs()
    expect(subjectsTo(address)).toHaveLength(1)
    expect((await own(id)).delivery.revoked_at).not.toBeNull()
  })
})
