import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PASSWORD, signedIn, startTestServer, type TestApp } from '#testing/test-server.ts'

let server: TestApp

beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

const ONE_ALPHABET = 'Écrivez le pseudo avec les lettres d’un seul alphabet'
const RESERVED = 'Ce pseudo est réservé à l’équipe de Révélations. Choisissez-en un autre.'

describe('POST /api/auth/register', () => {
  it('answers the token of a session, and the person', async () => {
    const answer = await server.call('POST', '/api/auth/register', {
      body: { pseudo: 'Clémence', email: 'clemence@exemple.test', password: PASSWORD },
    })
    expect(answer.status).toBe(201)
    expect(answer.body.user).toMatchObject({
      pseudo: 'Clémence',
      email: 'clemence@exemple.test',
      email_verified: false,
      onboarded: false,
      avatar_url: null,
      bio: '',
    })
    const verified = await server.call('GET', '/api/auth/verify-token', {
      headers: { authorization: `Bearer ${answer.body.token}` },
    })
    expect(verified.body.user.id).toBe(answer.body.user.id)
  })

  it.each([
    [{ pseudo: '' }, 'pseudo', 'Pseudo requis'],
    [{ pseudo: undefined }, 'pseudo', 'Pseudo requis'],
    [{ pseudo: 'ab' }, 'pseudo', 'Le pseudo doit contenir au moins 3 caractères'],
    [{ pseudo: 'a'.repeat(21) }, 'pseudo', 'Le pseudo ne peut pas dépasser 20 caractères'],
    [
      { pseudo: 'a b c' },
      'pseudo',
      'Le pseudo ne peut contenir que des lettres, des chiffres et _ . -',
    ],
    [
      { pseudo: 'nul\0nul' },
      'pseudo',
      'Le pseudo ne peut contenir que des lettres, des chiffres et _ . -',
    ],
    [{ email: '' }, 'email', 'Email requis'],
    [{ email: 'pas une adresse' }, 'email', 'Format email invalide'],
    [{ email: 'a@x.fr,b@y.fr' }, 'email', 'Format email invalide'],
    [{ email: '"a"@x.fr' }, 'email', 'Format email invalide'],
    [{ email: `${'a'.repeat(300)}@x.fr` }, 'email', 'Format email invalide'],
    [{ password: '' }, 'password', 'Mot de passe requis'],
    [{ password: '1234567' }, 'password', 'Le mot de passe doit contenir au moins 8 caractères'],
    [
      { password: 'a'.repeat(129) },
      'password',
      'Le mot de passe ne peut pas dépasser 128 caractères',
    ],
  ])('rejects %o with a sentence under %s', async (change, field, sentence) => {
    const { status, body } = await server.call('POST', '/api/auth/register', {
      body: { pseudo: 'Quelqu_un', email: 'quelqu.un@exemple.test', password: PASSWORD, ...change },
    })
    expect(status).toBe(400)
    expect(body).toEqual({ error: sentence, code: 'invalid_input', fields: { [field]: sentence } })
  })

  it('names which of address and pseudo is in use, in any case', async () => {
    await signedIn(server, { pseudo: 'Unique', email: 'unique@exemple.test' })
    const sameEmail = await server.call('POST', '/api/auth/register', {
      body: { pseudo: 'Autre', email: 'Unique@EXEMPLE.test', password: PASSWORD },
    })
    const samePseudo = await server.call('POST', '/api/auth/register', {
      body: { pseudo: 'UNIQUE', email: 'autre@exemple.test', password: PASSWORD },
    })
    expect([sameEmail.status, sameEmail.body.code]).toEqual([409, 'email_taken'])
    expect([samePseudo.status, samePseudo.body.code]).toEqual([409, 'pseudo_taken'])
    expect(samePseudo.body.fields).toHaveProperty('pseudo')
  })

  it.each([
    ...['Иvan', 'аdrien', 'ρaul', 'ㅤㅤㅤ', 'Zoé٣ع'].map((pseudo) => [pseudo, ONE_ALPHABET]),
    ...['adm1n', 'Équipe.Révélations'].map((pseudo) => [pseudo, RESERVED]),
  ])('rejects the pseudo %s: %s', async (pseudo, sentence) => {
    const email = 'quelqu.un@exemple.test'
    const { status, body } = await server.call('POST', '/api/auth/register', {
      body: { pseudo, email, password: PASSWORD },
    })
    expect([status, body.fields]).toEqual([400, { pseudo: sentence }])
  })

  it('rejects a pseudo that looks like another', async () => {
    await signedIn(server, { pseudo: 'pauline' })
    const { status, body } = await server.call('POST', '/api/auth/register', {
      body: { pseudo: 'Paul1ne', email: 'paul1ne@exemple.test', password: PASSWORD },
    })
    expect([status, body.code]).toEqual([409, 'pseudo_taken'])
    expect(body.fields.pseudo).toContain('ressemble trop')
  })

  it('creates one account of ten simultaneous calls with the same pseudo', async () => {
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, n) =>
        server.call('POST', '/api/auth/register', {
          body: { pseudo: 'Convoité', email: `c${n}@exemple.test`, password: PASSWORD },
        }),
      ),
    )
    expect(answers.map((answer) => answer.status).sort()).toEqual([201, ...Array(9).fill(409)])
  })
})

describe('POST /api/auth/login', () => {
  it.each([
    ['abc@def', 'invalid_credentials'],
    ['a@x.fr,b@y.fr', 'invalid_credentials'],
    ['abc', 'invalid_input'],
    ['abc@', 'invalid_input'],
    ['a b@def', 'invalid_input'],
    ['a\u0000@def', 'invalid_input'],
  ])('looks for what the pattern takes: %j is %s', async (email, code) => {
    const body = { email, password: PASSWORD }
    const answer = await server.call('POST', '/api/auth/login', { body })
    expect([answer.status, answer.body.code]).toEqual([400, code])
  })

  it('opens a session, and answers the same to a wrong password and an unknown address', async () => {
    const person = await signedIn(server)
    const good = await server.call('POST', '/api/auth/login', {
      body: { email: person.email.toUpperCase(), password: PASSWORD },
    })
    const wrong = await server.call('POST', '/api/auth/login', {
      body: { email: person.email, password: 'un autre' },
    })
    const unknown = await server.call('POST', '/api/auth/login', {
      body: { email: 'personne@exemple.test', password: 'un autre' },
    })
    expect(good.status).toBe(200)
    expect(wrong.status).toBe(400)
    expect(wrong.body.code).toBe('invalid_credentials')
    expect(wrong.text).toBe(unknown.text)
  })

  it('refuses tries after ten failures on one account, and accepts them again later', async () => {
    const throttled = await startTestServer({ rateLimits: true })
    try {
      const person = await signedIn(throttled)
      const tryWith = (password: string) =>
        throttled.call('POST', '/api/auth/login', { body: { email: person.email, password } })
      for (let n = 0; n < 10; n += 1) expect((await tryWith('faux')).status).toBe(400)
      const refused = await tryWith(PASSWORD)
      expect(refused.status).toBe(429)
      expect(refused.headers['retry-after']).toBe('900')
      throttled.clock.advance(16 * 60_000)
      expect((await tryWith(PASSWORD)).status).toBe(200)
    } finally {
      await throttled.close()
    }
  })
})

describe('sessions', () => {
  it('end at once when signing out', async () => {
    const person = await signedIn(server)
    expect((await server.call('POST', '/api/auth/logout', { as: person })).body).toEqual({
      success: true,
    })
    const after = await server.call('GET', '/api/auth/profile', { as: person })
    expect([after.status, after.body.code]).toEqual([401, 'unauthenticated'])
  })

  it('are listed and can be ended one by one, by their owner only', async () => {
    const person = await signedIn(server)
    const stranger = await signedIn(server)
    const other = await server.call('POST', '/api/auth/login', {
      body: { email: person.email, password: PASSWORD },
    })
    const { body } = await server.call('GET', '/api/auth/sessions', { as: person })
    expect(body.sessions).toHaveLength(2)
    const target = body.sessions.find((session: { current: boolean }) => !session.current)
    const foreign = await server.call('DELETE', `/api/auth/sessions/${target.id}`, { as: stranger })
    expect(foreign.status).toBe(404)
    await server.call('DELETE', `/api/auth/sessions/${target.id}`, { as: person })
    const dead = await server.call('GET', '/api/auth/profile', {
      headers: { authorization: `Bearer ${other.body.token}` },
    })
    expect(dead.status).toBe(401)
  })

  it('end all at once except that of the call', async () => {
    const [person, stranger] = [await signedIn(server), await signedIn(server)]
    const credentials = { email: person.email, password: PASSWORD }
    const tokens: string[] = []
    while (tokens.length < 2) {
      tokens.push((await server.call('POST', '/api/auth/login', { body: credentials })).body.token)
    }
    const end = await server.call('DELETE', '/api/auth/sessions', { as: person })
    expect([end.status, end.body]).toEqual([200, { success: true }])
    for (const token of tokens) {
      const { status } = await server.call('GET', '/api/auth/profile', { as: { ...person, token } })
      expect(status).toBe(401)
    }
    const { body } = await server.call('GET', '/api/auth/sessions', { as: person })
    expect(body.sessions).toHaveLength(1)
    expect((await server.call('GET', '/api/auth/profile', { as: stranger })).status).toBe(200)
    expect((await server.call('DELETE', '/api/auth/sessions')).status).toBe(401)
  })

  it('end after thirty idle days', async () => {
    const person = await signedIn(server)
    const start = server.clock.now
    server.clock.advance(31 * 86_400_000)
    const { status } = await server.call('GET', '/api/auth/profile', { as: person })
    server.clock.now = start
    expect(status).toBe(401)
  })

  it('are refused with an unknown or malformed token', async () => {
    for (const token of ['x', 'A'.repeat(43), "' or 1=1 --"]) {
      const { status } = await server.call('GET', '/api/revelations', {
        headers: { authorization: `Bearer ${token}` },
      })
      expect(status).toBe(401)
    }
  })

  it('leave no token in the database', async () => {
    const person = await signedIn(server)
    const { rows } = await server.ctx.pool.query('select sessions::text as row from sessions')
    const dump = rows.map(({ row }) => row).join()
    expect(dump).not.toContain(person.token)
    expect(dump).not.toContain(Buffer.from(person.token).toString('hex'))
  })
})

describe('PUT /api/auth/change-password', () => {
  it('checks the current one, then ends every other session', async () => {
    const person = await signedIn(server)
    const other = await server.call('POST', '/api/auth/login', {
      body: { email: person.email, password: PASSWORD },
    })
    const change = (currentPassword: string, newPassword: string) =>
      server.call('PUT', '/api/auth/change-password', {
        as: person,
        body: { currentPassword, newPassword },
      })
    const wrong = await change('faux', 'un nouveau mot')
    expect([wrong.status, wrong.body.code]).toEqual([400, 'wrong_password'])
    expect((await change('', 'un nouveau mot')).body.error).toBe('Mot de passe actuel requis')
    expect((await change(PASSWORD, '')).body.error).toBe('Nouveau mot de passe requis')
    expect((await change(PASSWORD, 'court')).body.error).toBe(
      'Le nouveau mot de passe doit contenir au moins 8 caractères',
    )
    expect((await change(PASSWORD, 'un nouveau mot')).body).toEqual({ success: true })
    const dead = await server.call('GET', '/api/auth/profile', {
      headers: { authorization: `Bearer ${other.body.token}` },
    })
    expect(dead.status).toBe(401)
    expect((await server.call('GET', '/api/auth/profile', { as: person })).status).toBe(200)
    const relogged = await server.call('POST', '/api/auth/login', {
      body: { email: person.email, password: 'un nouveau mot' },
    })
    expect(relogged.status).toBe(200)
  })
})
