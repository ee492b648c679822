import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startTestSmtp, type TestSmtp } from '#testing/mailbox.ts'
import type { Email, OpenedMail } from './mail.ts'
import { openSmtp } from './mail-transports.ts'

let smtp: TestSmtp
let transport: OpenedMail

beforeEach(async () => {
  smtp = await startTestSmtp()
  transport = openSmtp(smtp.url, 'bonjour@revelations.test')
})

afterEach(async () => {
  await transport.close()
  await smtp.stop()
})

function emailTo(to: string, overrides: Partial<Email> = {}): Email {
  return {
    to,
    subject: 'Élise a scellé une révélation',
    text: 'Bonjour à vous\u202F!',
    html: '<p>Bonjour à vous\u202F!</p>',
    messageId: '<5f0c@revelations.test>',
    ...overrides,
  }
}

it('sends a whole mail, in text and in HTML, from the product', async () => {
  await transport.send(emailTo('dest@exemple.fr', { headers: { 'List-Id': 'x' } }))
  const [mail] = smtp.received
  expect(mail).toMatchObject({
    to: ['dest@exemple.fr'],
    from: 'bonjour@revelations.test',
    messageId: '<5f0c@revelations.test>',
    html: '<p>Bonjour à vous\u202F!</p>',
  })
  expect(mail?.text.trim()).toBe('Bonjour à vous\u202F!')
  expect(mail?.headers.get('subject')).toBe('Élise a scellé une révélation')
  expect(mail?.headers.get('from')).toBe('Révélations <bonjour@revelations.test>')
  expect(mail?.headers.get('auto-submitted')).toBe('auto-generated')
  expect(mail?.headers.get('list-id')).toBe('x')
})

it('sends under another name of the sender', async () => {
  const named = openSmtp(smtp.url, '"Nous, ici" <bonjour@revelations.test>')
  await named.send(emailTo('dest@exemple.fr'))
  await named.close()
  expect(smtp.received[0]?.headers.get('from')).toBe('"Nous, ici" <bonjour@revelations.test>')
})

it.each([
  ['alice', 'alice via Révélations'],
  ['Zoé', 'Zoé via Révélations'],
  ['a\r\nBcc: espion@exemple.fr', 'a Bcc espionexemple.fr via Révélations'],
  ['<pape@vatican.va>, "x"', 'papevatican.va x via Révélations'],
  ['x'.repeat(500), `${'x'.repeat(60)} via Révélations`],
  ['\u202E ', 'Révélations'],
])('shows « %s » as the sender « %s », and no other address', async (personName, shown) => {
  await transport.send(emailTo('dest@exemple.fr', { personName }))
  const [mail] = smtp.received
  expect(mail?.to).toEqual(['dest@exemple.fr'])
  expect(mail?.headers.get('from')).toBe(`${shown} <bonjour@revelations.test>`)
  expect(mail?.headers.has('bcc')).toBe(false)
  expect(mail?.headers.has('reply-to')).toBe(false)
})

it('refuses two addresses to answer to', async () => {
  const sending = transport.send(emailTo('dest@exemple.fr', { replyTo: 'a@x.fr,b@y.fr' }))
  await expect(sending).rejects.toMatchObject({ failure: 'bad_address' })
  expect(smtp.attempts).toBe(0)
})

it('names its destination without account or password, and checks that it accepts mails', async () => {
  await transport.check()
  const { port } = new URL(smtp.url)
  const named = openSmtp(smtp.url.replace('//', '//user:secret@'), 'b@revelations.test')
  expect(named.destination).toBe(`127.0.0.1:${port}`)
  await named.close()
  await smtp.stop()
  await expect(transport.check()).rejects.toMatchObject({ failure: 'unreachable' })
})

const longAddress = `${'a'.repeat(60)}@${`${'b'.repeat(58)}.`.repeat(4)}fr`

it.each([
  'a@x.fr,b@y.fr',
  'a@x.fr;b@y.fr',
  'a@x.fr b@y.fr',
  '"Quelqu’un" <a@x.fr>, b@y.fr',
  '"a b"@x.fr',
  '"a@x.fr,b"@y.fr',
  'groupe:a@x.fr,b@y.fr;',
  '<a@x.fr>',
  'a(b@y.fr)@x.fr',
  'a@x.fr(commentaire)',
  'a@x.fr\r\nBcc: b@y.fr',
  'a@x.fr>\r\nRCPT TO:<b@y.fr',
  'a@[127.0.0.1]',
  'a@localhost',
  ' a@x.fr',
  'a@x.fr ',
  '',
  longAddress,
])('« %s » reaches nobody', async (to) => {
  await expect(transport.send(emailTo(to))).rejects.toMatchObject({
    name: 'MailError',
    failure: 'bad_address',
  })
  expect(smtp.attempts).toBe(0)
})

it.each(['a.b+c@x.fr', "o'neil@x.fr", 'Elise@x.fr', 'a@élan.fr'])(
  '« %s » reaches that mailbox and no other',
  async (to) => {
    await transport.send(emailTo(to))
    expect(smtp.received.map((mail) => mail.to)).toEqual([[to]])
  },
)

it('adds no header and no recipient for line breaks in a subject or in a header', async () => {
  await transport.send(
    emailTo('dest@exemple.fr', {
      subject: 'Un titre\r\nBcc: espion@exemple.fr\r\n\r\nCorps',
      headers: { 'X-Fait': 'un\r\nBcc: espion@exemple.fr' },
    }),
  )
  const [mail] = smtp.received
  expect(mail?.to).toEqual(['dest@exemple.fr'])
  expect(mail?.headers.has('bcc')).toBe(false)
  expect(mail?.headers.get('subject')).toContain('Un titre')
})

describe('the failure of a mail', () => {
  it.each([
    ['no such address', 'bad_address'],
    ['refuse', 'refused'],
    ['full mailbox', 'refused'],
    ['not now', 'busy'],
    ['busy', 'busy'],
    ['vanish', 'unreachable'],
  ] as const)('%s: %s, and no address', async (behaviour, failure) => {
    smtp.behaviour = behaviour
    const error = await transport.send(emailTo('dest@exemple.fr')).catch((error) => error)
    expect(error).toMatchObject({ name: 'MailError', failure })
    expect(error.message).not.toContain('dest@exemple.fr')
    expect(smtp.attempts).toBe(1)
  })

  it('is busy on a connection that was used before, too', async () => {
    await transport.send(emailTo('dest@exemple.fr'))
    smtp.behaviour = 'busy'
    await expect(transport.send(emailTo('dest@exemple.fr'))).rejects.toMatchObject({
      failure: 'busy',
      message: expect.stringContaining('421 4.7.0'),
    })
    expect(smtp.attempts).toBe(2)
  })

  it('is unreachable without a server, and mails leave again once there is one', async () => {
    await smtp.stop()
    await expect(transport.send(emailTo('dest@exemple.fr'))).rejects.toMatchObject({
      failure: 'unreachable',
    })
    await smtp.start()
    await transport.send(emailTo('dest@exemple.fr'))
    expect(smtp.received).toHaveLength(1)
  })
})

it('connects again when the server closed the connection between two mails', async () => {
  await transport.send(emailTo('dest@exemple.fr'))
  await smtp.stop()
  await smtp.start()
  await transport.send(emailTo('dest@exemple.fr'))
  expect(smtp.received).toHaveLength(2)
})

it.each([
  'smtp://',
  'smtp://hôte inconnu',
  'http://exemple.fr',
  'smtp://exemple.fr:99999',
  'exemple.fr:25',
])('the start is refused with SMTP_URL=%s, in a sentence', (url) => {
  expect(() => openSmtp(url, 'bonjour@revelations.test')).toThrow(
    expect.objectContaining({ name: 'StartError', message: expect.stringContaining('SMTP_URL') }),
  )
})

it('repeats no password in a StartError', () => {
  expect(() => openSmtp('smtp://user:s3cret@exemple.fr:port', 'b@revelations.test')).toThrow(
    expect.objectContaining({ message: expect.not.stringContaining('s3cret') }),
  )
})
