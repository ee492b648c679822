import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  A_DAY_MS,
  createRevelation,
  relate,
  revelationBody,
  verifyEmail,
} from '#testing/factories.ts'
import { readZip } from '#testing/read-zip.ts'
import { type Person, signedIn, startTestServer, type TestApp } from '#testing/test-server.ts'

const START = new Date('2026-11-20T12:00:00.000Z')
const ANNOUNCED = 'Garde ton échelle,\nje t’expliquerai.'
const OPENED = 'Assieds-toi d’abord, zibeline.'
const NOTES = { announcement_note: ANNOUNCED, opening_note: OPENED }

let server: TestApp
let author: Person
let logged: string

beforeAll(async () => {
  server = await startTestServer({
    now: START,
    log: {
      write: (line) => {
        logged += line
      },
    },
  })
})
afterAll(() => server.close())

beforeEach(async () => {
  logged = ''
  server.clock.now = START
  server.mailbox.all.length = 0
  author = await signedIn(server)
  await verifyEmail(server, author)
})

async function seal(overrides: object = {}, as = author) {
  const address = `lectrice.${crypto.randomUUID()}@exemple.fr`
  const letter = await createRevelation(server, as, {
    target_email: address,
    ...NOTES,
    ...overrides,
  })
  return { id: letter.id as string, address, letter }
}

async function announce(id: string): Promise<void> {
  const body = { revelationId: id }
  await server.call('POST', '/api/email/notify-revelation', { as: author, body })
  await server.runJobs()
}

async function open(): Promise<void> {
  server.clock.advance(A_DAY_MS)
  await server.runJobs()
}

function put(id: string, body: object, as = author) {
  return server.call('PUT', `/api/revelations/${id}`, { as, body })
}

describe('the notes of a letter', () => {
  it('are answered to its author, on its page alone', async () => {
    const { id, letter } = await seal({ visibility: 'public' })
    expect(letter).toMatchObject(NOTES)
    const page = await server.call('GET', `/api/revelations/${id}`, { as: author })
    expect(page.body.revelation).toMatchObject(NOTES)
    for (const list of ['revelations', `revelations/user/${author.id}`, 'revelations?q=zibeline']) {
      const { text } = await server.call('GET', `/api/${list}`, { as: author })
      expect(text).not.toContain('_note')
    }
  })

  it('leave each with its own mail, signed, and nowhere else', async () => {
    const friend = await signedIn(server)
    await verifyEmail(server, friend)
    await relate(server, author, friend, 'friend')
    const addressee = await signedIn(server)
    await verifyEmail(server, addressee)
    const { id } = await seal({ visibility: 'public', target_email: addressee.email })
    await announce(id)
    const announced = server.mailbox.lastTo(addressee.email)
    expect(announced?.text).toContain(
      `  Garde ton échelle,\n  je t’expliquerai.\n  —\u00A0@${author.pseudo}`,
    )
    expect(announced?.html).toContain('Garde ton échelle,<br>je t’expliquerai.')
    const before = await everythingSeen(id, [friend, addressee, undefined])
    for (const words of ['zibeline', 'échelle']) expect(before).not.toContain(words)
    expect(JSON.stringify(server.mailbox.all)).not.toContain('zibeline')

    await open()
    const opened = server.mailbox.lastTo(addressee.email)
    expect(opened?.text).toContain('#cle=')
    expect(opened?.text).toContain(OPENED)
    expect(opened?.text).not.toContain('échelle')
    const others = server.mailbox.all.filter(({ to }) => [author.email, friend.email].includes(to))
    expect(others.length).toBeGreaterThan(2)
    expect(JSON.stringify(others)).not.toMatch(/zibeline|échelle/)
    const after = await everythingSeen(id, [friend, addressee, undefined])
    expect(`${after}${logged}`).not.toMatch(/zibeline|échelle/)
  })

  it('are ciphertext in the database, and go with the letter', async () => {
    const { id } = await seal()
    const rows = async () =>
      (await server.ctx.pool.query('select * from letter_notes where revelation_id = $1', [id]))
        .rows
    const bytes = (await rows()).map(({ sealed_words }) => sealed_words.toString('latin1')).join()
    expect(bytes.length).toBeGreaterThan(60)
    expect(bytes).not.toMatch(/zibeline|échelle/)
    await server.call('DELETE', `/api/revelations/${id}`, { as: author })
    expect(await rows()).toEqual([])
  })

  it('change and go until the instant, without another version', async () => {
    const { id, address } = await seal()
    const edited = await put(id, { opening_note: 'Lis-la debout.', announcement_note: null })
    expect(edited.body.revelation).toMatchObject({
      ...{ version: 1, opening_note: 'Lis-la debout.', announcement_note: null },
    })
    await announce(id)
    expect(server.mailbox.lastTo(address)?.text).not.toContain('échelle')
    const kept = await put(id, { title: 'Un autre titre' })
    expect(kept.body.revelation.opening_note).toBe('Lis-la debout.')
    await open()
    expect(server.mailbox.lastTo(address)?.text).toContain('Lis-la debout.')
    expect((await put(id, { opening_note: 'Trop tard.' })).status).toBe(409)
    expect((await put(id, { opening_note: 'Lis-la debout.' })).status).toBe(200)
  })

  it.each([
    ['Regarde https://exemple.fr', 'Pas d’adresse de page dans ce mot'],
    ['Regarde exemple.paris/ici', 'Pas d’adresse de page dans ce mot'],
    ['Regarde Exemple.Com', 'Pas d’adresse de page dans ce mot'],
    ['Regarde exemple．fr', 'Pas d’adresse de page dans ce mot'],
    ['Regarde exem\u00ADple.fr', 'Pas d’adresse de page dans ce mot'],
    ['Regarde exem\u034Fple\u034F.\u034Ffr', 'Pas d’adresse de page dans ce mot'],
    ['Regarde 例え.テスト', 'Pas d’adresse de page dans ce mot'],
    ['Regarde exemple.pArIs', 'Pas d’adresse de page dans ce mot'],
    ['Regarde i❤.ws', 'Pas d’adresse de page dans ce mot'],
    ['Regarde www.exemple', 'Pas d’adresse de page dans ce mot'],
    ['Regarde 192.168.1.10', 'Pas d’adresse de page dans ce mot'],
    ['Écris à a@x.fr', 'Pas d’adresse de page dans ce mot'],
    ['x'.repeat(301), 'Ce mot ne peut pas dépasser 300 caractères'],
  ])('are refused as « %s »', async (words, message) => {
    for (const field of ['announcement_note', 'opening_note']) {
      const body = revelationBody(server, { [field]: words })
      const refused = await server.call('POST', '/api/revelations', { as: author, body })
      expect(refused).toMatchObject({ status: 400, body: { error: message } })
      expect(refused.body.field ?? JSON.stringify(refused.body)).toContain(field)
    }
  })

  it('take what people write without a space, and fractions', async () => {
    const words = 'À demain.Puis à 3.5 km, M.Dupont t’attend… et voilà ! 12.30 h'
    expect((await seal({ opening_note: words })).letter.opening_note).toBe(words)
  })

  it('need a proved address, when they are written and when they leave', async () => {
    const unproved = await signedIn(server)
    const body = revelationBody(server, { opening_note: OPENED })
    const refused = await server.call('POST', '/api/revelations', { as: unproved, body })
    expect(refused.status).toBe(400)
    expect(refused.text).toContain('Vérifiez d’abord votre adresse e-mail')
    const { id } = await seal({ announcement_note: null, opening_note: '' }, unproved)
    expect((await put(id, { opening_note: OPENED }, unproved)).status).toBe(400)
    expect((await put(id, { opening_note: '' }, unproved)).status).toBe(200)

    const { address } = await seal()
    await server.ctx.pool.query('update users set email_verified_at = null where id = $1', [
      author.id,
    ])
    await open()
    expect(server.mailbox.lastTo(address)?.text).toContain('#cle=')
    expect(server.mailbox.lastTo(address)?.text).not.toContain('zibeline')
  })

  it('are in both exports of their author', async () => {
    const { id } = await seal()
    const { body } = await server.call('GET', '/api/auth/export?format=json', { as: author })
    const exported = body.revelations.find((one: { id: string }) => one.id === id)
    expect(exported).toMatchObject(NOTES)
    const answer = await server.app.inject({
      url: '/api/auth/export?format=zip',
      headers: { authorization: `Bearer ${author.token}` },
    })
    const page = readZip(answer.rawPayload).get('index.html')?.toString()
    expect(page).toContain('Garde ton échelle')
    expect(page).toContain('zibeline')
  })
})

describe('answers to a person', () => {
  async function prefer(repliesByEmail: boolean, as = author) {
    const body = { repliesByEmail }
    return server.call('PUT', '/api/subscriptions/preferences', { as, body })
  }

  it('go to their own address only once they say so, and it is proved', async () => {
    const first = await seal()
    await announce(first.id)
    expect(server.mailbox.lastTo(first.address)).toMatchObject({
      personName: author.pseudo,
      replyTo: undefined,
    })
    expect((await prefer(true)).status).toBe(200)
    await open()
    expect(server.mailbox.lastTo(first.address)?.replyTo).toBe(author.email)
    await prefer(false)
    const second = await seal()
    await announce(second.id)
    expect(server.mailbox.lastTo(second.address)?.replyTo).toBeUndefined()
    const unproved = await signedIn(server)
    expect((await prefer(true, unproved)).status).toBe(400)
    expect((await prefer(false, unproved)).status).toBe(200)
  })
})

/** All that these people can ask for about a letter, in one text. */
async function everythingSeen(
  id: string,
  people: readonly (Person | undefined)[],
): Promise<string> {
  const paths = [
    ...[`revelations/${id}`, 'revelations', 'revelations?q=zibeline', 'revelations/received'],
    ...['notifications', 'auth/export?format=json', `revelations/user/${author.id}`],
  ]
  const texts: string[] = []
  for (const as of people)
    for (const path of paths) texts.push((await server.call('GET', `/api/${path}`, { as })).text)
  texts.push((await server.call('GET', `/revelation/${id}`)).text)
  return texts.join('\n')
}
