import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { aProgram } from '#testing/api-tokens.ts'
import { A_DAY_MS, AN_HOUR_MS, createRevelation, verifiedPerson } from '#testing/factories.ts'
import {
  PASSWORD,
  type Person,
  signedIn,
  startTestServer,
  type TestApp,
} from '#testing/test-server.ts'
import { sendPasswordLink } from './passwords.service.ts'

const NEW_PASSWORD = 'un tout autre mot'
const SUCCESS = { success: true }

let server: TestApp

beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

function mailsTo(address: string, subject: RegExp) {
  return server.mailbox.all.filter((mail) => mail.to === address && subject.test(mail.subject))
}

/** The token in the latest mail with this subject; undefined when none came. */
async function tokenMailedTo(address: string, subject: RegExp): Promise<string | undefined> {
  await server.runJobs()
  const mail = mailsTo(address, subject).at(-1)
  return mail && /#jeton=([\w-]{43})/.exec(mail.text)?.[1]
}

const VERIFY = /^Confirmez votre adresse/
const RESET = /^Choisissez un nouveau mot de passe/
const CHANGE = /^Confirmez votre nouvelle adresse/

function post(path: string, body: object, as?: Person) {
  return server.call('POST', `/api/auth/${path}`, { body, as })
}

async function logIn(email: string, password: string): Promise<number> {
  return (await post('login', { email, password })).status
}

async function profileOf(as: Person) {
  return (await server.call('GET', '/api/auth/profile', { as })).body.user
}

describe('POST /api/auth/verify-email', () => {
  it('verifies an address with the link that registration mails, once', async () => {
    const person = await signedIn(server)
    const token = await tokenMailedTo(person.email, VERIFY)
    expect((await profileOf(person)).email_verified).toBe(false)
    const answer = await post('verify-email', { token })
    expect(answer.status).toBe(200)
    expect(answer.body.user).toMatchObject({ id: person.id, email_verified: true })
    const again = await post('verify-email', { token })
    expect([again.status, again.body.code]).toEqual([400, 'link_expired'])
    expect(again.body.error).toBe('Ce lien n’est plus valable. Demandez-en un nouveau.')
  })

  it('opens letters to an address to its account once it is verified, not before', async () => {
    const author = await signedIn(server)
    const email = 'Attendue@exemple.test'
    const { id } = await createRevelation(server, author, {
      visibility: 'private',
      target_email: 'attendue@exemple.test',
      content: 'Rien que pour vous.',
    })
    const url = `/api/revelations/${id}`
    const as = await signedIn(server, { email })
    server.clock.advance(A_DAY_MS)
    await server.runJobs()
    expect((await server.call('GET', url, { as })).status).toBe(404)
    await post('send-verification', {}, as)
    await post('verify-email', { token: await tokenMailedTo(email, VERIFY) })
    const { body } = await server.call('GET', url, { as })
    expect(body.revelation.content).toBe('Rien que pour vous.')
  })

  it('accepts the newest link alone, for a day, and no invented token', async () => {
    const person = await signedIn(server)
    const older = await tokenMailedTo(person.email, VERIFY)
    expect((await post('send-verification', {}, person)).body).toEqual(SUCCESS)
    const newer = await tokenMailedTo(person.email, VERIFY)
    expect(newer).not.toBe(older)
    server.clock.advance(A_DAY_MS - 1)
    expect((await post('verify-email', { token: older })).body.code).toBe('link_expired')
    server.clock.advance(1)
    for (const token of [newer, 'x', 'A'.repeat(43)]) {
      expect((await post('verify-email', { token })).body.code).toBe('link_expired')
    }
    expect((await profileOf(person)).email_verified).toBe(false)
  })

  it('accepts one of two simultaneous calls', async () => {
    const person = await signedIn(server)
    const token = await tokenMailedTo(person.email, VERIFY)
    const answers = await Promise.all([1, 2, 3].map(() => post('verify-email', { token })))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400])
  })

  it('mails no link to a verified address', async () => {
    const person = await verifiedPerson(server)
    expect((await post('send-verification', {}, person)).body).toEqual(SUCCESS)
    await server.runJobs()
    expect(mailsTo(person.email, VERIFY)).toHaveLength(1)
    expect((await server.call('POST', '/api/auth/send-verification')).status).toBe(401)
  })
})

describe('an address that somebody else entered for their account', () => {
  const nameOf = (token: string | undefined) => post('email-link', { token })
  const refuse = (token: string | undefined) => post('refuse-email', { token })
  const textTo = (address: string, subject: RegExp) => mailsTo(address, subject).at(-1)?.text

  it('is shown with that account, any number of times, before it is confirmed', async () => {
    const thief = await signedIn(server)
    const token = await tokenMailedTo(thief.email, VERIFY)
    const { pseudo, email } = thief
    for (let n = 0; n < 2; n += 1) expect((await nameOf(token)).body).toEqual({ pseudo, email })
    expect((await profileOf(thief)).email_verified).toBe(false)
    const text = textTo(email, VERIFY)
    expect(text).toContain(`Le compte @${pseudo}`)
    expect(text).toContain('Ce n’est pas mon compte')
    expect((await post('verify-email', { token })).status).toBe(200)
    expect((await nameOf(token)).body.code).toBe('link_expired')
    await post('forgot-password', { email })
    const reset = await tokenMailedTo(email, RESET)
    for (const call of [nameOf, refuse]) expect((await call(reset)).body.code).toBe('link_expired')
  })

  it('ends its link and receives no other for that account once its reader refuses', async () => {
    const thief = await signedIn(server)
    const token = await tokenMailedTo(thief.email, VERIFY)
    expect((await refuse(token)).body).toEqual(SUCCESS)
    expect((await post('verify-email', { token })).body.code).toBe('link_expired')
    expect((await refuse(token)).body.code).toBe('link_expired')
    expect((await post('send-verification', {}, thief)).body).toEqual(SUCCESS)
    await server.runJobs()
    expect(mailsTo(thief.email, VERIFY)).toHaveLength(1)
    expect((await profileOf(thief)).email_verified).toBe(false)
  })

  it('stays refused as a new address, whatever is requested in between', async () => {
    const thief = await signedIn(server)
    const email = 'Victime@exemple.test'
    const requestChange = (address: string) =>
      post('change-email', { email: address, password: PASSWORD }, thief)
    await requestChange(email)
    const token = await tokenMailedTo(email, CHANGE)
    expect((await nameOf(token)).body).toEqual({ pseudo: thief.pseudo, email })
    expect(textTo(email, CHANGE)).toContain(`Le compte @${thief.pseudo}`)
    expect(textTo(email, CHANGE)).toContain('Ce n’est pas mon compte')
    await refuse(token)
    expect((await requestChange('une.autre@exemple.test')).body).toEqual(SUCCESS)
    expect(await tokenMailedTo('une.autre@exemple.test', CHANGE)).toBeDefined()
    expect((await requestChange('victime@exemple.test')).body).toEqual(SUCCESS)
    await server.runJobs()
    expect(
      server.mailbox.all.filter(({ to }) => to.toLowerCase() === email.toLowerCase()),
    ).toHaveLength(1)
  })

  it('is proved when its reader resets the password with it', async () => {
    const person = await signedIn(server)
    await refuse(await tokenMailedTo(person.email, VERIFY))
    await post('forgot-password', { email: person.email })
    const token = await tokenMailedTo(person.email, RESET)
    expect((await post('reset-password', { token, password: NEW_PASSWORD })).status).toBe(200)
    const { refusedEmailKeys } = await server.ctx.db
      .selectFrom('users')
      .select('refusedEmailKeys')
      .where('id', '=', person.id)
      .executeTakeFirstOrThrow()
    expect(refusedEmailKeys).toEqual([])
    const login = await post('login', { email: person.email, password: NEW_PASSWORD })
    expect(login.body.user.email_verified).toBe(true)
  })
})

describe('POST /api/auth/reset-password', () => {
  it('replaces the password with a mailed link, ends every session and proves the address', async () => {
    const person = await signedIn(server)
    expect((await post('forgot-password', { email: person.email })).body).toEqual(SUCCESS)
    const token = await tokenMailedTo(person.email, RESET)
    const reset = await post('reset-password', { token, password: NEW_PASSWORD })
    expect(reset.body).toEqual(SUCCESS)
    expect((await server.call('GET', '/api/auth/profile', { as: person })).status).toBe(401)
    expect(await logIn(person.email, PASSWORD)).toBe(400)
    const login = await post('login', { email: person.email, password: NEW_PASSWORD })
    expect(login.body.user.email_verified).toBe(true)
    const again = await post('reset-password', { token, password: 'encore un autre' })
    expect([again.status, again.body.code]).toEqual([400, 'link_expired'])
    await server.runJobs()
    const [notice] = mailsTo(person.email, /^Votre mot de passe a été changé/)
    expect(notice?.text).toContain('/mot-de-passe-oublie')
    expect(notice?.text).toMatch(/changé le \w+ \d+ novembre 2026/)
  })

  it('revokes every token of the API', async () => {
    const person = await signedIn(server)
    const programs = await Promise.all([
      aProgram(server, person, ['read']),
      aProgram(server, person, ['write']),
    ])
    for (const one of programs) expect((await profileOf(one)).id).toBe(person.id)
    await post('forgot-password', { email: person.email })
    const token = await tokenMailedTo(person.email, RESET)
    expect((await post('reset-password', { token, password: NEW_PASSWORD })).body).toEqual(SUCCESS)
    for (const as of programs) {
      expect((await server.call('GET', '/api/auth/profile', { as })).status).toBe(401)
    }
    const login = await post('login', { email: person.email, password: NEW_PASSWORD })
    const as = { ...person, token: login.body.token }
    expect((await server.call('GET', '/api/auth/tokens', { as })).body.tokens).toEqual([])
    await server.runJobs()
    const [notice] = mailsTo(person.email, /^Votre mot de passe a été changé/)
    expect(notice?.text).toContain('vos jetons d’accès à l’API révoqués')
  })

  it('accepts the newest link alone, for half an hour', async () => {
    const person = await signedIn(server)
    await post('forgot-password', { email: person.email })
    const older = await tokenMailedTo(person.email, RESET)
    await post('forgot-password', { email: person.email.toUpperCase() })
    const newer = await tokenMailedTo(person.email, RESET)
    const reset = (token: string | undefined) =>
      post('reset-password', { token, password: NEW_PASSWORD })
    expect((await reset(older)).body.code).toBe('link_expired')
    const short = await post('reset-password', { token: newer, password: 'court' })
    expect(short.body.fields).toHaveProperty('password')
    server.clock.advance(AN_HOUR_MS / 2)
    expect((await reset(newer)).body.code).toBe('link_expired')
    expect(await logIn(person.email, PASSWORD)).toBe(200)
  })

  it('is requested with the same answer for an address without an account, which is mailed nothing', async () => {
    const email = 'inconnue@exemple.test'
    const unknown = await post('forgot-password', { email })
    const known = await post('forgot-password', { email: (await signedIn(server)).email })
    expect([unknown.status, unknown.text]).toEqual([known.status, known.text])
    await server.runJobs()
    expect(server.mailbox.all.filter(({ to }) => to === email)).toEqual([])
    expect(await server.ctx.db.selectFrom('passwordRequests').selectAll().execute()).toEqual([])
  })

  it('mails no link that has ended meanwhile', async () => {
    const person = await signedIn(server)
    await post('forgot-password', { email: person.email })
    const [job] = (await server.ctx.boss.fetch<{ requestId: string }>(
      'answer-password-request',
    )) ?? [undefined]
    expect(job).toBeDefined()
    await sendPasswordLink(server.ctx, job?.data.requestId ?? '')
    server.clock.advance(AN_HOUR_MS)
    await server.runJobs()
    expect(mailsTo(person.email, RESET)).toEqual([])
  })
})

it('mails a notice of a changed password', async () => {
  const person = await signedIn(server)
  const body = { currentPassword: PASSWORD, newPassword: NEW_PASSWORD }
  await server.call('PUT', '/api/auth/change-password', { as: person, body })
  await server.runJobs()
  expect(mailsTo(person.email, /^Votre mot de passe a été changé/)).toHaveLength(1)
})

describe('POST /api/auth/change-email', () => {
  async function requestChange(person: Person, email: string, password = PASSWORD) {
    return post('change-email', { email, password }, person)
  }

  it('changes the address once its link is used, and mails the former one twice', async () => {
    const person = await signedIn(server)
    const email = 'Nouvelle@exemple.test'
    expect((await requestChange(person, email)).body).toEqual(SUCCESS)
    const token = await tokenMailedTo(email, CHANGE)
    expect((await profileOf(person)).email).toBe(person.email)
    expect(mailsTo(person.email, /^Un changement d’adresse/)).toHaveLength(1)
    const verification = await tokenMailedTo(person.email, VERIFY)
    const { body } = await post('verify-email', { token })
    expect(body.user).toMatchObject({ email, email_verified: true })
    await server.runJobs()
    expect(mailsTo(person.email, /^L’adresse e-mail de votre compte/)).toHaveLength(1)
    expect(await logIn(person.email, PASSWORD)).toBe(400)
    expect(await logIn(email, PASSWORD)).toBe(200)
    expect((await post('verify-email', { token: verification })).body.code).toBe('link_expired')
    expect((await profileOf(person)).email).toBe(email)
    // No mail holds both addresses: whoever reads one learns nothing of the other.
    const texts = server.mailbox.all.filter(({ to }) => to === person.email)
    expect(JSON.stringify(texts)).not.toContain(email)
  })

  it('requires the password', async () => {
    const person = await signedIn(server)
    const { status, body } = await requestChange(person, 'autre@exemple.test', 'faux')
    expect([status, body.code]).toEqual([400, 'wrong_password'])
    expect(body.fields).toHaveProperty('password')
    const own = await requestChange(person, person.email)
    expect([own.status, Object.keys(own.body.fields)]).toEqual([400, ['email']])
  })

  it('answers the same for an address with an account, whose owner is mailed without a link', async () => {
    const [person, owner] = [await signedIn(server), await verifiedPerson(server)]
    const inUse = await requestChange(person, owner.email)
    expect([inUse.status, inUse.body]).toEqual([200, SUCCESS])
    await server.runJobs()
    const [mail] = mailsTo(owner.email, /^Quelqu’un a voulu utiliser/)
    expect(mail?.text).not.toContain('#jeton=')
    expect(mail?.text).not.toContain(person.pseudo)
    expect(mailsTo(owner.email, CHANGE)).toEqual([])
    expect(mailsTo(person.email, /^Un changement d’adresse/)).toHaveLength(1)
  })

  it('rejects an address that another account uses meanwhile', async () => {
    const person = await signedIn(server)
    const email = 'entre.temps@exemple.test'
    await requestChange(person, email)
    const token = await tokenMailedTo(email, CHANGE)
    await signedIn(server, { email })
    const { status, body } = await post('verify-email', { token })
    expect([status, body.code]).toEqual([409, 'email_taken'])
    expect((await profileOf(person)).email).toBe(person.email)
  })

  it('drops a change that was requested with a stolen password when that password is replaced', async () => {
    const person = await signedIn(server)
    await requestChange(person, 'voleuse@exemple.test')
    const stolen = await tokenMailedTo('voleuse@exemple.test', CHANGE)
    await post('forgot-password', { email: person.email })
    const token = await tokenMailedTo(person.email, RESET)
    await post('reset-password', { token, password: NEW_PASSWORD })
    expect((await post('verify-email', { token: stolen })).body.code).toBe('link_expired')
  })
})

it('whoever tries passwords is slowed down at every door alike', async () => {
  const throttled = await startTestServer({ rateLimits: true })
  try {
    const person = await signedIn(throttled)
    const body = { email: 'autre@exemple.test', password: 'faux' }
    const statuses: number[] = []
    for (let n = 0; n < 11; n += 1) {
      const answer = await throttled.call('POST', '/api/auth/change-email', { as: person, body })
      statuses.push(answer.status)
    }
    expect(statuses).toEqual([...Array(10).fill(400), 429])
    const { rows } = await throttled.ctx.pool.query('select tries from password_tries')
    expect(rows).toEqual([{ tries: 10 }])
  } finally {
    await throttled.close()
  }
})

it('stores with the account that an age was confirmed', async () => {
  const register = (name: string, age?: boolean) =>
    post('register', {
      pseudo: name,
      email: `${name}@exemple.test`,
      password: PASSWORD,
      age_confirmed: age,
    })
  expect((await register('majeure', true)).status).toBe(201)
  expect((await register('mineure', false)).body.fields).toHaveProperty('age_confirmed')
  expect((await register('muette')).status).toBe(201)
  const { rows } = await server.ctx.pool.query(
    `select pseudo, age_confirmed_at from users where pseudo in ('majeure', 'muette') order by pseudo`,
  )
  expect(rows.map((row) => row.age_confirmed_at)).toEqual([expect.any(Date), null])
})
