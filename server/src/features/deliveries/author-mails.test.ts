import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { MailError } from '#server/platform/mail/mail.ts'
import { A_DAY_MS, createRevelation, toAll, verifiedPerson } from '#testing/factories.ts'
import { createMailbox } from '#testing/mailbox.ts'
import { type Person, signedIn, startTestServer, type TestApp } from '#testing/test-server.ts'
import { recordBounce } from './delivery-outcomes.service.ts'

const CANARY = 'pamplemousse-canari'
const SEALED = 'Votre révélation est scellée'
const DELIVERED = 'Votre lettre a été remise'
const FAILED = 'Votre lettre n’a pas pu être remise'
const NOWHERE = 'nulle-part@exemple.fr'

let server: TestApp
let author: Person

beforeAll(async () => {
  const mailbox = createMailbox()
  server = await startTestServer({
    mail: {
      ...mailbox.transport,
      async send(email) {
        if (email.to === NOWHERE) throw new MailError('bad_address', 'no such mailbox')
        await mailbox.transport.send(email)
      },
    },
  })
  server.mailbox = mailbox
})
afterAll(() => server.close())

beforeEach(async () => {
  author = await verifiedPerson(server)
  server.mailbox.all.length = 0
})

function seal(overrides: Parameters<typeof createRevelation>[2] = {}) {
  return createRevelation(server, author, {
    title: 'Pour tes dix-huit ans',
    content: `Le mot secret est ${CANARY}.`,
    target_email: 'denise@gmail.com',
    ...overrides,
  })
}

async function deliver(): Promise<void> {
  server.clock.advance(A_DAY_MS)
  await server.runJobs()
}

function subjectsTo({ email }: Person): string[] {
  return server.mailbox.all
    .filter(({ to }) => to === email)
    .map(({ subject }) => subject)
    .filter((subject) => /révélation|lettre/.test(subject))
}

function textOf(subject: string): string {
  return server.mailbox.all.find((mail) => mail.subject === subject)?.text ?? ''
}

async function silence(person: Person): Promise<void> {
  await server.call('PUT', '/api/subscriptions/preferences', {
    as: person,
    body: { emailNotifications: false },
  })
}

it('mails the author what was sealed, for whom and until when, and that it left', async () => {
  const { id } = await seal(toAll('denise@gmail.com', 'paul@exemple.fr'))
  await server.runJobs()
  expect(subjectsTo(author)).toEqual([SEALED])
  const text = textOf(SEALED)
  expect(text).toContain('Pour tes dix-huit ans')
  expect(text).toContain('Pour d•••@g•••.com et p•••@e•••.fr')
  expect(text).toContain('(heure de Bruxelles)')
  expect(text).toContain(`/revelation/${id}`)
  await deliver()
  expect(subjectsTo(author)).toEqual([SEALED, DELIVERED])
  expect(textOf(DELIVERED)).toMatch(/Pour [dp]•••@/)
  const mails = JSON.stringify(server.mailbox.all.filter(({ to }) => to === author.email))
  for (const secret of [CANARY, 'denise@gmail.com', '#cle=']) expect(mails).not.toContain(secret)
})

it('confirms a letter to oneself once, and its delivery by the letter itself', async () => {
  await seal({ target_email: author.email })
  await server.runJobs()
  expect(textOf(SEALED)).toContain('Pour vous')
  await deliver()
  expect(subjectsTo(author)).toEqual([SEALED, 'La lettre que vous vous étiez écrite s’est ouverte'])
})

it('confirms a letter revealed at once by its delivery alone', async () => {
  await seal({ reveal_date: server.clock.now.toISOString() })
  await server.runJobs()
  expect(subjectsTo(author)).toEqual([DELIVERED])
})

it('confirms no resending', async () => {
  const { delivery } = await seal()
  await deliver()
  server.mailbox.all.length = 0
  await server.call('POST', `/api/deliveries/${delivery.id}/resend`, { as: author })
  await server.runJobs()
  expect(subjectsTo(author)).toEqual([])
})

it('respects the preference for confirmations, and always mails a failure', async () => {
  await silence(author)
  await seal()
  const lost = await seal({ target_email: NOWHERE })
  await server.runJobs()
  await deliver()
  expect(subjectsTo(author)).toEqual([FAILED])
  expect(textOf(FAILED)).toContain('L’adresse du destinataire n’existe pas ou n’existe plus.')
  expect(textOf(FAILED)).toContain(`/revelation/${lost.id}`)
})

describe('a bounce', () => {
  function messageIdTo(address: string): string {
    return server.mailbox.lastTo(address)?.messageId ?? ''
  }

  it('permanently fails the delivery, suppresses the address and mails the author', async () => {
    const target = `partie.${crypto.randomUUID()}@exemple.fr`
    const { id } = await seal({ target_email: target })
    await deliver()
    const bounce = { messageId: messageIdTo(target), kind: 'permanent', reason: '5.1.1' } as const
    expect(await recordBounce(server.ctx, bounce)).toBe(true)
    expect(await recordBounce(server.ctx, bounce)).toBe(false)
    await server.runJobs()
    expect(subjectsTo(author).filter((subject) => subject === FAILED)).toHaveLength(1)
    const { body } = await server.call('GET', `/api/revelations/${id}`, { as: author })
    const { delivery } = body.revelation
    expect(delivery).toMatchObject({ state: 'failed', can: { readdress: true, resend: true } })
    expect(delivery.journal.at(-1)).toMatchObject({
      step: 'failed',
      reason: 'L’e-mail est revenu\u202F: cette adresse n’existe pas ou n’existe plus.',
    })
    const other = await signedIn(server)
    await createRevelation(server, other, { target_email: target })
    server.mailbox.all.length = 0
    await deliver()
    expect(server.mailbox.lastTo(target)).toBeUndefined()
    expect(subjectsTo(other)).toContain(FAILED)
  })

  it('for a while fails nothing, and its author may send the link again', async () => {
    const target = `pleine.${crypto.randomUUID()}@exemple.fr`
    const { delivery } = await seal({ target_email: target })
    await deliver()
    const messageId = messageIdTo(target)
    await recordBounce(server.ctx, { messageId, kind: 'temporary', reason: 'mailbox full' })
    expect(subjectsTo(author)).not.toContain(FAILED)
    await server.call('POST', `/api/deliveries/${delivery.id}/resend`, { as: author })
    await server.runJobs()
    expect(server.mailbox.all.filter(({ to }) => to === target)).toHaveLength(2)
  })

  it.each(['', '<x@y>', `<${crypto.randomUUID()}@localhost>`, '<>@'.repeat(9)])(
    'under the Message-ID %j is ignored',
    async (messageId) => {
      expect(await recordBounce(server.ctx, { messageId, kind: 'permanent', reason: '' })).toBe(
        false,
      )
    },
  )
})
