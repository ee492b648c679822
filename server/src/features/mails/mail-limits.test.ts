import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { recordBounce } from '#server/features/deliveries/delivery-outcomes.service.ts'
import { type Email, MailError } from '#server/platform/mail/mail.ts'
import {
  A_DAY_MS,
  AN_HOUR_MS,
  createRevelation,
  keyHeaders,
  verifiedPerson,
  verifyEmail,
} from '#testing/factories.ts'
import { createMailbox } from '#testing/mailbox.ts'
import {
  PASSWORD,
  type Person,
  signedIn,
  startTestServer,
  type TestApp,
} from '#testing/test-server.ts'
import { deleteOldMailCounts } from './mail-limits.service.ts'

const SOON_MS = 20_000
const RESET = /^Choisissez un nouveau mot de passe/

let server: TestApp
let target: string
/** Every mail that left, also of accounts deleted since. */
const sent: Email[] = []
/** Text that the mail server refuses as spam. */
let refused: string | undefined

beforeAll(async () => {
  const { transport } = createMailbox()
  const send = async (email: Email) => {
    if (refused && email.text.includes(refused))
      throw new MailError('refused', '554 5.7.1', { isPermanent: true })
    sent.push(email)
  }
  server = await startTestServer({ rateLimits: true, mail: { ...transport, send } })
})
afterAll(() => server.close())

beforeEach(() => {
  target = `grand.mere.${crypto.randomUUID()}@exemple.test`
})

/** A person without the limits of a plan. */
async function settle({ isVerified }: { isVerified: boolean }): Promise<Person> {
  const person = await signedIn(server)
  if (isVerified) await verifyEmail(server, person)
  await server.ctx.db
    .insertInto('subscriptions')
    .values({ userId: person.id, plan: 'unlimited' })
    .execute()
  return person
}

/** Seals letters that open in a moment. */
async function sealSoon(author: Person, count: number): Promise<{ id: string }[]> {
  const reveal_date = new Date(server.clock.now.getTime() + SOON_MS).toISOString()
  const letters: { id: string }[] = []
  for (let number = 0; number < count; number += 1) {
    const title = `Lettre ${number} de ${author.pseudo}`
    const body = { title, target_email: target, reveal_date, visibility: 'private' as const }
    letters.push(await createRevelation(server, author, body))
  }
  return letters
}

async function after(ms: number): Promise<void> {
  server.clock.advance(ms)
  await server.runJobs()
}

function mailsTo(address: string, subject = /./) {
  return sent.filter((mail) => mail.to === address && subject.test(mail.subject))
}

function keysIn(text: string): string[] {
  return [...new Set([...text.matchAll(/#cle=([\w-]{43})/g)].flatMap(([, key]) => key ?? []))]
}

describe('an account with an unverified address', () => {
  it('sends two mails a day to an address; the others leave together the next day', async () => {
    const stranger = await settle({ isVerified: false })
    const letters = await sealSoon(stranger, 12)
    await after(SOON_MS)
    expect(mailsTo(target)).toHaveLength(2)
    await after(23 * AN_HOUR_MS)
    expect(mailsTo(target)).toHaveLength(2)

    await after(AN_HOUR_MS)
    expect(mailsTo(target)).toHaveLength(3)
    expect(keysIn(mailsTo(target)[2]?.text ?? '')).toHaveLength(10)
    for (const { id } of letters) {
      const { body } = await server.call('GET', `/api/revelations/${id}`, { as: stranger })
      expect(body.revelation.delivery.state).toBe('sent')
    }
  })

  it('reads in the journal until when a letter is postponed', async () => {
    const stranger = await settle({ isVerified: false })
    const letters = await sealSoon(stranger, 3)
    await after(SOON_MS)
    const deliveries = await Promise.all(
      letters.map(async ({ id }) => {
        const { body } = await server.call('GET', `/api/revelations/${id}`, { as: stranger })
        return body.revelation.delivery
      }),
    )
    const waiting = deliveries.filter(({ state }) => state === 'planned')
    expect(waiting).toHaveLength(1)
    expect(waiting[0].journal.at(-1)).toMatchObject({
      step: 'delayed',
      reason: expect.stringContaining('Votre adresse n’est pas vérifiée'),
    })
  })

  it('gets two mails a day itself about what it seals', async () => {
    const stranger = await settle({ isVerified: false })
    await sealSoon(stranger, 6)
    await after(SOON_MS)
    expect(mailsTo(stranger.email, /révélation est scellée|lettre a été remise/)).toHaveLength(2)
  })

  it('cannot exceed the limit of an address by deleting and creating accounts', async () => {
    for (let round = 0; round < 4; round += 1) {
      const stranger = await settle({ isVerified: false })
      await sealSoon(stranger, 4)
      await after(SOON_MS)
      const body = { password: PASSWORD }
      await server.call('DELETE', '/api/auth/account', { as: stranger, body })
      await after(SOON_MS)
    }
    expect(mailsTo(target)).toHaveLength(5)
  })
})

describe('letters of many authors to one address', () => {
  it('leave in five mails, then in one an hour, each with its own link', async () => {
    const letters: { id: string }[] = []
    for (let child = 0; child < 8; child += 1) {
      letters.push(...(await sealSoon(await settle({ isVerified: true }), 1)))
    }
    await after(SOON_MS)
    expect(mailsTo(target)).toHaveLength(5)
    await after(AN_HOUR_MS - SOON_MS)
    expect(mailsTo(target)).toHaveLength(5)
    await after(SOON_MS)
    const mails = mailsTo(target)
    expect(mails).toHaveLength(6)
    const keys = mails.flatMap(({ text }) => keysIn(text))
    expect(keys).toHaveLength(8)
    const read = await Promise.all(
      letters.map(async ({ id }) => {
        const answers = await Promise.all(
          keys.map((key) =>
            server.call('GET', `/api/revelations/${id}`, { headers: keyHeaders(key) }),
          ),
        )
        return answers.filter(({ status }) => status === 200).length
      }),
    )
    expect(read).toEqual(letters.map(() => 1))
    const together = mails.at(-1)
    expect(together?.subject).toBe('3 nouvelles de Révélations, en un seul e-mail')
    expect(together?.text.match(/Signaler «/g)).toHaveLength(3)
    expect(together?.headers?.['List-Unsubscribe']).toBeDefined()

    const messageId = together?.messageId ?? ''
    const bounce = { messageId, kind: 'permanent', reason: '5.1.1' } as const
    expect(await recordBounce(server.ctx, bounce)).toBe(true)
    const states = await server.ctx.db
      .selectFrom('deliveries')
      .select('state')
      .where(
        'revelationId',
        'in',
        letters.map(({ id }) => id),
      )
      .execute()
    expect(states.filter(({ state }) => state === 'failed')).toHaveLength(3)
  })

  it('wait neither for an author of many, nor for a letter sealed as they leave', async () => {
    const prolific = await settle({ isVerified: true })
    await sealSoon(prolific, 50)
    await after(SOON_MS)
    const [letter] = await sealSoon(await settle({ isVerified: true }), 1)
    await after(SOON_MS)
    await sealSoon(await settle({ isVerified: true }), 1)
    server.clock.advance(AN_HOUR_MS - SOON_MS)
    await server.runJobs()
    expect(mailsTo(target)).toHaveLength(6)
    const { state } = await server.ctx.db
      .selectFrom('deliveries')
      .select('state')
      .where('revelationId', '=', letter?.id ?? '')
      .executeTakeFirstOrThrow()
    expect(state).toBe('sent')
  })

  it('all arrive but the one whose content the server refuses', async () => {
    refused = 'GTUBE'
    const reveal_date = new Date(server.clock.now.getTime() + SOON_MS).toISOString()
    const body = { target_email: target, reveal_date, visibility: 'private' as const }
    await sealSoon(await settle({ isVerified: true }), 8)
    const poisoner = await settle({ isVerified: true })
    await createRevelation(server, poisoner, { ...body, title: 'GTUBE' })
    await after(SOON_MS)
    await after(AN_HOUR_MS)
    const keys = mailsTo(target).flatMap(({ text }) => keysIn(text))
    expect(keys).toHaveLength(8)
    refused = undefined
  })

  it('count as to one mailbox in every spelling', async () => {
    const name = target.split('@')[0] ?? ''
    for (let child = 0; child < 7; child += 1) {
      target = `${name}+${child}@exemple.test`
      await sealSoon(await settle({ isVerified: true }), 1)
    }
    await after(SOON_MS)
    expect(sent.filter(({ to }) => to.startsWith(name))).toHaveLength(5)
  })

  it('leave at once again the next day', async () => {
    for (let child = 0; child < 6; child += 1) await sealSoon(await settle({ isVerified: true }), 1)
    await after(SOON_MS)
    await after(A_DAY_MS + AN_HOUR_MS)
    sent.length = 0
    await deleteOldMailCounts(server.ctx)
    await sealSoon(await settle({ isVerified: true }), 1)
    await after(SOON_MS)
    expect(mailsTo(target)).toHaveLength(1)
  })
})

describe('the links of accounts', () => {
  const post = (path: string, body: object, as?: Person) =>
    server.call('POST', `/api/auth/${path}`, { body, as })

  it('are three a day to an address over all accounts, one of them reserved for a password reset', async () => {
    for (let round = 0; round < 4; round += 1) {
      const stranger = await signedIn(server, { email: target })
      for (let time = 0; time < 3; time += 1) {
        await server.runJobs()
        await post('send-verification', {}, stranger)
      }
      await post('forgot-password', { email: target })
      await server.runJobs()
      if (round < 3)
        await server.call('DELETE', '/api/auth/account', {
          as: stranger,
          body: { password: PASSWORD },
        })
    }
    expect(mailsTo(target, /^Confirmez/)).toHaveLength(2)
    expect(mailsTo(target, RESET)).toHaveLength(1)
    await after(A_DAY_MS)
    await post('forgot-password', { email: target })
    await server.runJobs()
    expect(mailsTo(target, RESET)).toHaveLength(2)
  })

  it('answer too_many_requests when no other link comes today', async () => {
    const person = await signedIn(server)
    expect((await post('send-verification', {}, person)).status).toBe(200)
    const refused = await post('send-verification', {}, person)
    expect([refused.status, refused.body.code]).toEqual([429, 'too_many_requests'])
    expect(refused.body.error).toContain('le vôtre vaut 24\u00A0heures')
  })

  it('reset a password by the last link for a day, unless it was used', async () => {
    const person = await signedIn(server)
    for (let time = 0; time < 5; time += 1) {
      await post('forgot-password', { email: person.email })
      await server.runJobs()
      server.clock.advance(60_000)
    }
    const last = mailsTo(person.email, RESET).at(-1)
    const token = /#jeton=([\w-]{43})/.exec(last?.text ?? '')?.[1]
    server.clock.advance(20 * AN_HOUR_MS)
    const answer = await post('reset-password', { token, password: 'un tout autre mot' })
    expect(answer.status).toBe(200)
    await post('forgot-password', { email: person.email })
    await server.runJobs()
    const again = await post('reset-password', { token, password: 'encore un autre mot' })
    expect(again.body.code).toBe('link_expired')
  })

  it('are stopped by the reader of an unverified address, never for a verified one', async () => {
    const stranger = await signedIn(server, { email: target })
    await server.runJobs()
    const [mail] = mailsTo(target, /^Confirmez/)
    const stop = /token=([\w-]+)/.exec(mail?.headers?.['List-Unsubscribe'] ?? '')?.[1]
    expect((await server.call('POST', `/api/email/unsubscribe?token=${stop}`)).status).toBe(200)
    const refused = await post('send-verification', {}, stranger)
    expect([refused.status, refused.body.code]).toEqual([409, 'mails_stopped'])
    await post('forgot-password', { email: target })
    await server.runJobs()
    expect(mailsTo(target)).toHaveLength(1)

    const owner = await verifiedPerson(server)
    await post('forgot-password', { email: owner.email })
    await server.runJobs()
    const [reset] = mailsTo(owner.email, RESET)
    expect(reset?.headers?.['List-Unsubscribe']).toBeUndefined()
  })
})
