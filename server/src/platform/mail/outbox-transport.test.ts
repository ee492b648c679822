import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { readMail } from '#testing/read-mail.ts'
import type { Email } from './mail.ts'
import { openOutbox } from './mail-transports.ts'

let dataDir: string
let folder: string

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'revelations-outbox-'))
  folder = join(dataDir, 'outbox')
})

afterEach(() => rm(dataDir, { recursive: true }))

const email: Email = {
  to: 'dest@exemple.fr',
  subject: 'Quelque chose vous attend, à l’heure de Bruxelles, le vendredi 1 janvier 2027 à minuit',
  text: `Une ligne très longue : ${'« été » '.repeat(60)}\n\n.\n\nFin`,
  html: `<p>${'« été » '.repeat(60)}</p>`,
  messageId: '<2f1e@revelations.test>',
}

it('writes each mail to a file that a mail program reads', async () => {
  await openOutbox(folder, 'bonjour@revelations.test').send(email)
  expect(await readdir(folder)).toEqual(['2f1e@revelations.test.eml'])
  const raw = await readFile(join(folder, '2f1e@revelations.test.eml'))
  const mail = readMail(raw)
  expect(mail.headers.get('subject')).toBe(email.subject)
  expect(mail.headers.get('to')).toBe('"dest@exemple.fr" <dest@exemple.fr>')
  expect(mail.headers.get('message-id')).toBe('<2f1e@revelations.test>')
  expect(mail.text.trim()).toBe(email.text)
  expect(mail.html.trim()).toBe(email.html)
  const longest = Math.max(
    ...raw
      .toString('latin1')
      .split('\r\n')
      .map((line) => line.length),
  )
  expect(longest).toBeLessThanOrEqual(78)
  expect((await stat(join(folder, '2f1e@revelations.test.eml'))).mode & 0o777).toBe(0o600)
})

it('writes the picture and the files of a mail, under the name of a person', async () => {
  const picture = Buffer.from('not really a picture')
  await openOutbox(folder, 'bonjour@revelations.test').send({
    ...email,
    personName: 'élise',
    replyTo: 'elise@exemple.fr',
    html: '<img src="cid:sceau">',
    attachments: [
      { filename: 'sceau.png', contentType: 'image/png', content: picture, cid: 'sceau' },
      { filename: 'preuve.txt', contentType: 'text/plain; charset=utf-8', content: 'La preuve' },
    ],
  })
  const raw = await readFile(join(folder, '2f1e@revelations.test.eml'), 'latin1')
  const mail = readMail(raw)
  expect(mail.headers.get('from')).toBe('élise via Révélations <bonjour@revelations.test>')
  expect(mail.headers.get('reply-to')).toBe('elise@exemple.fr')
  expect(mail.text.trim()).toBe(email.text)
  expect(mail.html.trim()).toBe('<img src="cid:sceau">')
  expect(raw).toContain('Content-ID: <sceau>')
  expect(raw).toContain(picture.toString('base64'))
  expect(raw).toMatch(/Content-Disposition: attachment; filename=preuve.txt/)
})

it('writes one file for a mail sent twice', async () => {
  const outbox = openOutbox(folder, 'bonjour@revelations.test')
  await Promise.all([outbox.send(email), outbox.send(email), outbox.send(email)])
  await outbox.send({ ...email, messageId: '<other@revelations.test>' })
  expect(await readdir(folder)).toHaveLength(2)
})

it('writes no file outside the folder, whatever the Message-ID', async () => {
  const outbox = openOutbox(folder, 'bonjour@revelations.test')
  await outbox.send({ ...email, messageId: '<../../evil@x>' })
  await outbox.send({ ...email, messageId: '<.hidden@x>' })
  expect((await readdir(folder)).sort()).toEqual(['_._.._evil@x.eml', '_hidden@x.eml'])
  expect(await readdir(dataDir)).toEqual(['outbox'])
})

it('rejects two addresses in one', async () => {
  const outbox = openOutbox(folder, 'bonjour@revelations.test')
  await expect(outbox.send({ ...email, to: 'a@x.fr,b@y.fr' })).rejects.toMatchObject({
    failure: 'bad_address',
  })
  expect(await readdir(folder)).toEqual([])
})

it('throws a StartError that names a folder it cannot write', async () => {
  await writeFile(folder, 'a file where the folder should be')
  expect(() => openOutbox(folder, 'bonjour@revelations.test')).toThrow(
    expect.objectContaining({ name: 'StartError', message: expect.stringContaining(folder) }),
  )
})

it('deletes mails by their id, whatever host their Message-ID has', async () => {
  const outbox = openOutbox(folder, 'bonjour@revelations.test')
  await outbox.send(email)
  await outbox.send({ ...email, messageId: '<2f1e7@revelations.test>' })
  await outbox.delete(['<2f1e@autre-nom.test>', '<absent@revelations.test>'])
  expect(await readdir(folder)).toEqual(['2f1e7@revelations.test.eml'])
})
