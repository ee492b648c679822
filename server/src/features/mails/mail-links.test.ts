import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openSmtp } from '#server/platform/mail/mail-transports.ts'
import {
  A_DAY_MS,
  createRevelation,
  relate,
  verifiedPerson,
  verifyEmail,
} from '#testing/factories.ts'
import { startTestSmtp } from '#testing/mailbox.ts'
import {
  type Answer,
  type Person,
  signedIn,
  startTestServer,
  type TestApp,
} from '#testing/test-server.ts'
import { readMailToken } from './mail-links.service.ts'
import { suppressAddress } from './mail-preferences.service.ts'

const FORM = { 'content-type': 'application/x-www-form-urlencoded' }
const ONE_CLICK = 'List-Unsubscribe=One-Click'

let server: TestApp
let author: Person
let target: string
const log: string[] = []

beforeAll(async () => {
  server = await startTestServer({ log: { write: (line: string) => void log.push(line) } })
})
afterAll(() => server.close())

beforeEach(async () => {
  author = await signedIn(server)
  target = `dest.${randomUUID()}@exemple.test`
})

/** Seals for the target, sends the notice, and returns the token in its footer. */
async function tokenOfNotice(): Promise<string> {
  const { id } = await createRevelation(server, author, { target_email: target })
  await server.call('POST', '/api/email/notify-revelation', {
    as: author,
    body: { revelationId: id },
  })
  await server.runJobs()
  return tokenIn(target)
}

function tokenIn(address: string): string {
  const { text = '' } = server.mailbox.lastTo(address) ?? {}
  const token = /\/ne-plus-recevoir#jeton=([\w-]+)$/m.exec(text)?.[1]
  if (!token) throw new Error(`No unsubscribe link in: ${text}`)
  return token
}

function click(token: string, body: string | undefined = ONE_CLICK): Promise<Answer> {
  return server.call('POST', `/api/email/unsubscribe?token=${token}`, { headers: FORM, body })
}

function postToken(url: string, token: string): Promise<Answer> {
  return server.call('POST', `/api/email/${url}`, { body: { token } })
}

async function countMailsTo(address: string): Promise<number> {
  await server.runJobs()
  return server.mailbox.all.filter(({ to }) => to === address).length
}

describe('a mail to an address without an account', () => {
  it('has a link that stops such mails, for the mail program and for the reader, and one that reports it', async () => {
    const token = await tokenOfNotice()
    const mail = server.mailbox.lastTo(target)
    const { publicUrl } = server.ctx.config.http
    expect(mail?.headers).toEqual({
      'List-Unsubscribe': `<${publicUrl}/api/email/unsubscribe?token=${token}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    })
    expect(mail?.text).toContain(`${publicUrl}/signaler#jeton=${token}`)
    expect(mail?.html).toContain(`href="${publicUrl}/ne-plus-recevoir#jeton=${token}"`)
    expect(token).not.toContain(Buffer.from(target).toString('base64url').slice(2, 12))
    const { body } = await postToken('link', token)
    expect(body).toEqual({
      address: 'd•••@e•••.test',
      stops: 'everything',
      is_stopped: false,
      can_report: true,
    })
  })

  it('stops all mails to that address by one click, and resumes them', async () => {
    const token = await tokenOfNotice()
    for (const body of [ONE_CLICK, undefined, ONE_CLICK]) {
      const answer = await click(token, body)
      expect([answer.status, answer.body]).toEqual([200, { success: true }])
    }
    expect((await postToken('link', token)).body.is_stopped).toBe(true)
    const before = await countMailsTo(target)
    author = await signedIn(server)
    await createRevelation(server, author, {
      target_email: target.toUpperCase(),
      reveal_date: server.clock.now.toISOString(),
    })
    expect(await countMailsTo(target)).toBe(before)
    expect(await countMailsTo(target.toUpperCase())).toBe(0)
    for (const _time of [1, 2]) expect((await postToken('resubscribe', token)).status).toBe(200)
    expect((await postToken('link', token)).body.is_stopped).toBe(false)
    await createRevelation(server, author, {
      target_email: target,
      reveal_date: server.clock.now.toISOString(),
    })
    expect(await countMailsTo(target)).toBe(before + 1)
  })

  it.each(['application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'])(
    'accepts the click as %s without a session',
    async (type) => {
      const token = await tokenOfNotice()
      const body =
        type === FORM['content-type']
          ? ONE_CLICK
          : '--x\r\ncontent-disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--x--\r\n'
      const headers = { 'content-type': type }
      const url = `/api/email/unsubscribe?token=${token}`
      expect((await server.call('POST', url, { headers, body })).status).toBe(200)
      expect((await postToken('link', token)).body.is_stopped).toBe(true)
    },
  )

  it('stops nothing by GET or HEAD, which redirect to the page', async () => {
    const token = await tokenOfNotice()
    for (const method of ['GET', 'HEAD']) {
      const { status, headers } = await server.call(method, `/api/email/unsubscribe?token=${token}`)
      expect([status, headers.location]).toEqual([303, `/ne-plus-recevoir#jeton=${token}`])
    }
    expect((await postToken('link', token)).body.is_stopped).toBe(false)
  })

  it('works when the mail, the revelation and its author are deleted', async () => {
    const token = await tokenOfNotice()
    await server.ctx.db.deleteFrom('users').where('id', '=', author.id).execute()
    await server.ctx.db.deleteFrom('mails').execute()
    expect((await postToken('link', token)).body).toMatchObject({
      is_stopped: false,
      can_report: true,
    })
    expect((await click(token)).status).toBe(200)
    expect((await postToken('link', token)).body.is_stopped).toBe(true)
  })

  it('sends nothing to a suppressed address, and shows the author why', async () => {
    await suppressAddress(server.ctx, target, 'bounced')
    const { id } = await createRevelation(server, author, { target_email: target })
    server.clock.advance(A_DAY_MS)
    expect(await countMailsTo(target)).toBe(0)
    const { body } = await server.call('GET', `/api/revelations/${id}`, { as: author })
    expect(body.revelation.delivery).toMatchObject({
      state: 'failed',
      error: expect.stringContaining('ne souhaite plus recevoir'),
    })
  })
})

describe('a mail to an account', () => {
  it('stops its own kind of mail alone', async () => {
    const friend = await verifiedPerson(server)
    await relate(server, author, friend, 'friend')
    await server.runJobs()
    await createRevelation(server, author)
    await server.runJobs()
    const token = tokenIn(friend.email)
    expect((await postToken('link', token)).body).toMatchObject({
      stops: 'newRevelations',
      is_stopped: false,
      can_report: true,
    })
    await click(token)
    const wishes = async () =>
      (await server.call('GET', '/api/subscriptions/preferences', { as: friend })).body.preferences
    const all = {
      emailNotifications: true,
      newRevelations: true,
      revelationRevealed: true,
      newComments: true,
      newReactions: true,
      showPresence: true,
      onThisDay: true,
      repliesByEmail: false,
    }
    expect(await wishes()).toEqual({ ...all, newRevelations: false })
    expect((await postToken('link', token)).body.is_stopped).toBe(true)
    await postToken('resubscribe', token)
    expect(await wishes()).toEqual(all)
    await server.ctx.db.deleteFrom('users').where('id', '=', friend.id).execute()
    expect((await click(token)).status).toBe(200)
  })

  it('stops comments and reactions where it is about both', async () => {
    await verifyEmail(server, author)
    const reveal_date = new Date(server.clock.now.getTime() + 2 * A_DAY_MS).toISOString()
    const { id } = await createRevelation(server, author, { reveal_date })
    const reader = await signedIn(server)
    await server.runJobs()
    const body = { revelation_id: id, content: 'Bien vu', emoji: '🎉' }
    for (const what of ['comments', 'reactions']) {
      await server.call('POST', `/api/${what}`, { as: reader, body })
    }
    server.clock.advance(A_DAY_MS)
    await server.runJobs()
    const token = tokenIn(author.email)
    expect((await postToken('link', token)).body).toMatchObject({
      stops: 'activity',
      can_report: false,
    })
    await click(token)
    const answer = await server.call('GET', '/api/subscriptions/preferences', { as: author })
    expect(answer.body.preferences).toMatchObject({ newComments: false, newReactions: false })
  })

  it('has no such link when it is about the safety of the account', async () => {
    await verifyEmail(server, author)
    await server.call('POST', '/api/auth/forgot-password', { body: { email: author.email } })
    await server.runJobs()
    const mail = server.mailbox.lastTo(author.email)
    expect(mail?.subject).toContain('nouveau mot de passe')
    expect(mail?.headers).not.toHaveProperty('List-Unsubscribe')
    expect(mail?.text).not.toContain('ne-plus-recevoir')
  })
})

describe('the token of a mail link', () => {
  it('is rejected when it was altered or forged', async () => {
    const token = await tokenOfNotice()
    for (const forged of ['x', `${token}AAAA`, token.slice(1), 'é'.repeat(20)]) {
      const answers = [
        await click(encodeURIComponent(forged)),
        await postToken('link', forged),
        await postToken('resubscribe', forged),
      ]
      for (const { status, body } of answers)
        expect([status, body.code]).toEqual([400, 'link_expired'])
    }
    expect((await postToken('link', '')).body.code).toBe('invalid_input')
    expect((await server.call('POST', '/api/email/unsubscribe')).status).toBe(400)
  })

  it('never reaches the log, nor does the address', async () => {
    const token = await tokenOfNotice()
    await click(token)
    await click(`${token}AAAA`)
    await server.call('GET', `/api/email/unsubscribe?token=${token}`)
    await postToken('link', token)
    expect(log.length).toBeGreaterThan(0)
    expect(log.filter((line) => line.includes(token.slice(0, 20)))).toEqual([])
    expect(log.filter((line) => line.includes(target))).toEqual([])
  })

  it('arrives whole through SMTP, however long the address is', async () => {
    const smtp = await startTestSmtp()
    const transport = openSmtp(smtp.url, 'bonjour@revelations.test')
    const { mail } = server.ctx
    try {
      server.ctx.mail = transport
      const label = 'a'.repeat(60)
      target = `${'x'.repeat(64)}@${label}.${label}.${label}.test`
      await createRevelation(server, author, {
        target_email: target,
        reveal_date: server.clock.now.toISOString(),
      })
      await server.runJobs()
      const received = smtp.received.find(({ to }) => to[0] === target)
      const header = received?.headers.get('list-unsubscribe') ?? ''
      const token = /\?token=([\w-]+)>$/.exec(header)?.[1] ?? ''
      expect(received?.text).toContain(`#jeton=${token}`)
      expect(readMailToken(server.ctx, token).address).toBe(target)
      expect(received?.headers.get('list-unsubscribe-post')).toBe(ONE_CLICK)
    } finally {
      server.ctx.mail = mail
      await transport.close()
      await smtp.stop()
    }
  })
})
