import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ApiToken } from '#contract/api-tokens.ts'
import { A_DAY_MS, createRevelation, revelationBody, verifiedPerson } from '#testing/factories.ts'
import { picture } from '#testing/media-files.ts'
import { PASSWORD, type Person, startTestServer, type TestApp } from '#testing/test-server.ts'
import { uploadFile } from '#testing/uploads.ts'

const AT = '/api/auth/tokens'

let server: TestApp

beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

/** A person whose plan has the API. */
async function subscriber(): Promise<Person> {
  const person = await verifiedPerson(server)
  await setPlan(person, 'pro')
  return person
}

const setPlan = (as: Person, plan: string) =>
  server.call('POST', '/api/subscriptions/upgrade', { as, body: { plan } })

const create = (as: Person | undefined, input: object = {}) =>
  server.call('POST', AT, {
    as,
    body: { name: 'Sauvegarde', scopes: ['read'], password: PASSWORD, ...input },
  })

/** The same person, who calls with a token of the API. */
async function program(as: Person, input: object = {}): Promise<Person & { tokenId: string }> {
  const { status, body } = await create(as, input)
  expect(status).toBe(201)
  return { ...as, token: body.token, tokenId: body.api_token.id }
}

const writing = (as: Person) => program(as, { scopes: ['write'] })

async function listOf(as: Person): Promise<ApiToken[]> {
  return (await server.call('GET', AT, { as })).body.tokens
}

const feed = (as: Person) => server.call('GET', '/api/revelations', { as })

describe('a token', () => {
  it('is shown once, and stored as its hash alone', async () => {
    const person = await subscriber()
    const { status, body } = await create(person, { name: ' Mon  agenda ', expires_in_days: 30 })
    expect(status).toBe(201)
    expect(body.token).toMatch(/^rev_[A-Za-z0-9_-]{43}$/)
    const listed = {
      id: body.api_token.id,
      name: 'Mon  agenda',
      scopes: ['read'],
      created_at: server.clock.now.toISOString(),
      last_used_at: null,
      expires_at: new Date(server.clock.now.getTime() + 30 * A_DAY_MS).toISOString(),
    }
    expect(body.api_token).toEqual(listed)
    expect(await listOf(person)).toEqual([listed])
    const rows = await server.ctx.db.selectFrom('apiTokens').selectAll().execute()
    const stored = JSON.stringify(rows) + rows.map(({ tokenHash }) => tokenHash.toString('latin1'))
    expect(stored).not.toContain(body.token.slice(4, 20))
  })

  it('of bad input is refused beside the field', async () => {
    const person = await subscriber()
    for (const [input, fields] of [
      [{ name: ' ' }, { name: 'Donnez un nom à ce jeton' }],
      [{ name: 'n'.repeat(61) }, { name: 'Le nom ne peut pas dépasser 60 caractères' }],
      [{ scopes: [] }, { scopes: 'Choisissez ce que ce jeton permet' }],
      [{ expires_in_days: 100_000 }, { expires_in_days: 'Choisissez une durée' }],
      [{ password: 'faux' }, { password: 'Le mot de passe actuel est incorrect' }],
      [{ password: undefined }, { password: 'Mot de passe requis' }],
    ]) {
      const { status, body } = await create(person, input)
      expect([status, body.fields]).toEqual([400, fields])
    }
    expect((await create(person, { scopes: ['read', 'admin'] })).status).toBe(400)
    expect(await listOf(person)).toEqual([])
    expect((await create(undefined)).status).toBe(401)
  })

  it('is one of twenty at most, whatever is sent at once', async () => {
    const person = await subscriber()
    const { tokenHash: _, ...row } = await server.ctx.db
      .insertInto('apiTokens')
      .values({
        userId: person.id,
        tokenHash: Buffer.from(randomUUID()),
        name: 'Un',
        scopes: ['read'],
        createdAt: server.clock.now,
      })
      .returningAll()
      .executeTakeFirstOrThrow()
    const more = Array.from({ length: 17 }, () => ({
      ...row,
      id: randomUUID(),
      tokenHash: Buffer.from(randomUUID()),
    }))
    await server.ctx.db.insertInto('apiTokens').values(more).execute()
    const answers = await Promise.all(Array.from({ length: 4 }, () => create(person)))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 409, 409])
    expect(answers.find(({ status }) => status === 409)?.body.code).toBe('too_many_tokens')
    expect(await listOf(person)).toHaveLength(20)
  })

  it('reads what its account reads, and its use is noted once a minute', async () => {
    const person = await subscriber()
    const mine = await createRevelation(server, person, { visibility: 'private' })
    const reader = await program(person)
    const seen = await server.call('GET', `/api/revelations/${mine.id}`, { as: reader })
    expect([seen.status, seen.body.revelation?.content ?? seen.body.content]).toEqual([
      200,
      revelationBody(server).content,
    ])
    const used = async () => (await listOf(person))[0]?.last_used_at
    const first = server.clock.now.toISOString()
    expect(await used()).toBe(first)
    server.clock.advance(59_000)
    await feed(reader)
    expect(await used()).toBe(first)
    server.clock.advance(1_000)
    await feed(reader)
    expect(await used()).toBe(server.clock.now.toISOString())
  })

  it('that reads does not write; one that writes reads, seals, edits, comments and reacts', async () => {
    const person = await subscriber()
    const reader = await program(person)
    const refused = await server.call('POST', '/api/revelations', {
      as: reader,
      body: revelationBody(server),
    })
    expect([refused.status, refused.body.code]).toEqual([403, 'scope_missing'])
    const writer = await writing(person)
    const listed = (await listOf(person)).find(({ id }) => id === writer.tokenId)
    expect(listed?.scopes).toEqual(['read', 'write'])
    const { id } = await createRevelation(server, writer)
    const call = (method: string, path: string, body: object) =>
      server.call(method, `/api/${path}`, { as: writer, body }).then(({ status }) => status)
    expect([
      await call('PUT', `revelations/${id}`, { ...revelationBody(server), title: 'Un autre' }),
      await call('POST', 'comments', { revelation_id: id, content: 'Par un programme' }),
      await call('POST', 'reactions', { revelation_id: id, emoji: '❤️' }),
      (await feed(writer)).status,
    ]).toEqual([200, 201, 200, 200])
  })

  it('opens nothing a session does not, and nothing before its instant', async () => {
    const [author, addressee] = [await subscriber(), await subscriber()]
    const reader = await program(addressee)
    const { id } = await createRevelation(server, author, {
      visibility: 'private',
      target_email: addressee.email,
      reveal_date: new Date(server.clock.now.getTime() + A_DAY_MS).toISOString(),
    })
    const { id: open } = await createRevelation(server, author, { visibility: 'public' })
    const seenBy = async (as: Person) => {
      const answers = await Promise.all(
        [id, open].map((one) => server.call('GET', `/api/revelations/${one}`, { as })),
      )
      return answers.map(({ status, text }) => [status, text])
    }
    const sealed = await seenBy(reader)
    expect(sealed).toEqual(await seenBy(addressee))
    expect(sealed[0]?.[0]).toBe(404)
    expect(sealed[1]?.[0]).toBe(200)
    expect(JSON.stringify(sealed)).not.toContain(revelationBody(server).content)
    server.clock.advance(A_DAY_MS)
    expect((await seenBy(reader))[0]?.[0]).toBe(200)
  })
})

describe('a hostile bearer of a token', () => {
  it('reaches no call without a scope, and with `read` none that writes', async () => {
    const person = await subscriber()
    const [reader, writer] = [await program(person), await writing(person)]
    const { paths } = (await server.call('GET', '/api/docs', { as: reader })).body
    const refused: string[] = []
    const counts = { read: 0, write: 0 }
    for (const [path, operations] of Object.entries<Record<string, { security?: object[] }>>(
      paths,
    )) {
      for (const [name, { security }] of Object.entries(operations)) {
        const method = name.toUpperCase()
        const [scope] = security?.flatMap((way) => ('token' in way ? way.token : [])) ?? []
        const url = path.replaceAll(/\{[^}]+\}/g, NOBODY)
        const ask = (as: Person) => server.call(method, url, { as, body: sentBy(method) })
        if (scope === undefined) {
          refused.push(`${method} ${path}`)
          const { status, body } = await ask(writer)
          expect([method, path, status, body.code]).toEqual([method, path, 403, 'session_required'])
        } else {
          counts[scope as 'read' | 'write'] += 1
        }
        if (scope === 'write') {
          const { status, body } = await ask(reader)
          const code = method === 'HEAD' ? 'scope_missing' : body?.code
          expect([method, path, status, code]).toEqual([method, path, 403, 'scope_missing'])
        }
      }
    }
    expect(refused.sort()).toEqual(SESSIONS_ALONE)
    expect(counts.read).toBeGreaterThan(30)
    expect(counts.write).toBeGreaterThan(30)
    expect((await server.call('GET', AT, { as: person })).body.tokens).toHaveLength(2)
  })

  it('is refused with a sentence once it is revoked, by its owner alone', async () => {
    const [person, other] = [await subscriber(), await subscriber()]
    const reader = await program(person)
    const revoke = (as: Person) => server.call('DELETE', `${AT}/${reader.tokenId}`, { as })
    expect((await revoke(other)).status).toBe(404)
    expect((await feed(reader)).status).toBe(200)
    expect((await revoke(person)).status).toBe(200)
    const { status, body } = await feed(reader)
    expect([status, body]).toEqual([
      401,
      {
        error: 'Ce jeton n’existe pas, a été révoqué ou a pris fin. Créez-en un autre.',
        code: 'unauthenticated',
      },
    ])
    expect((await revoke(person)).status).toBe(404)
  })

  it('invents, shortens and turns tokens in vain', async () => {
    const person = await subscriber()
    const { token, tokenId } = await program(person)
    for (const invented of [
      `rev_${'A'.repeat(43)}`,
      token.slice(0, -1),
      `${token}A`,
      token.slice(4),
      token.toUpperCase(),
      tokenId,
      'rev_',
    ]) {
      expect([invented, (await feed({ ...person, token: invented })).status]).toEqual([
        invented,
        401,
      ])
    }
    const inAddress = await server.call('GET', `/api/notifications?token=${token}`)
    expect(inAddress.status).toBe(401)
    const spelled = await server.call('GET', '/%61pi/auth/sessions', { as: { ...person, token } })
    expect(spelled.status).toBe(403)
    const head = await server.call('HEAD', '/api/auth/sessions', { as: { ...person, token } })
    expect(head.status).toBe(403)
    const asked = { as: { ...person, token }, headers: { 'x-http-method-override': 'GET' } }
    expect((await server.call('POST', '/api/auth/tokens', asked)).status).toBe(403)
  })

  it('has nothing after its end', async () => {
    const person = await subscriber()
    const reader = await program(person, { expires_in_days: 30 })
    await server.ctx.db
      .updateTable('apiTokens')
      .set({ expiresAt: new Date(server.clock.now.getTime() + 1_000) })
      .where('id', '=', reader.tokenId)
      .execute()
    expect((await feed(reader)).status).toBe(200)
    server.clock.advance(1_000)
    expect((await feed(reader)).status).toBe(401)
    expect(await listOf(person)).toHaveLength(1)
  })

  it('sleeps with the plan, and comes back with it', async () => {
    const person = await subscriber()
    const reader = await program(person)
    await setPlan(person, 'free')
    const asleep = await feed(reader)
    expect([asleep.status, asleep.body]).toEqual([
      403,
      {
        error: 'L’API privée est réservée aux plans Pro et Illimité.',
        code: 'feature_of_plan',
      },
    ])
    expect((await create(person)).body.code).toBe('feature_of_plan')
    expect(await listOf(person)).toHaveLength(1)
    await setPlan(person, 'unlimited')
    expect((await feed(reader)).status).toBe(200)
  })

  it('loses the file addresses it was given as it is revoked', async () => {
    const person = await subscriber()
    const writer = await writing(person)
    const { url } = await uploadFile(server, writer, { bytes: await picture('png') })
    const { id } = await createRevelation(server, writer, { file_url: url })
    const { text } = await server.call('GET', `/api/revelations/${id}`, { as: writer })
    const address = /\/api\/secure-file\/[^"]+\?token=[^"]+/.exec(text)?.[0] ?? ''
    expect((await server.call('GET', address)).status).toBe(200)
    await server.call('DELETE', `${AT}/${writer.tokenId}`, { as: person })
    expect((await server.call('GET', address)).status).toBe(404)
  })

  it('is out after a sign-out everywhere, another password, a reset and the end of the account', async () => {
    const person = await subscriber()
    const statusAfter = async (act: () => Promise<{ status: number }>) => {
      const reader = await program(person)
      expect((await feed(reader)).status).toBe(200)
      expect((await act()).status).toBe(200)
      return (await feed(reader)).status
    }
    const call = (method: string, path: string, body?: object) => () =>
      server.call(method, `/api/auth/${path}`, { as: person, body })
    expect(await statusAfter(call('DELETE', 'sessions'))).toBe(401)
    const passwords = { currentPassword: PASSWORD, newPassword: PASSWORD }
    expect(await statusAfter(call('PUT', 'change-password', passwords))).toBe(401)
    expect(await statusAfter(call('DELETE', 'account', { password: PASSWORD }))).toBe(401)
    const left = await server.ctx.db
      .selectFrom('apiTokens')
      .select('id')
      .where('userId', '=', person.id)
      .execute()
    expect(left).toEqual([])
  })

  it('sees of whoever blocked its owner what a session sees: nothing', async () => {
    const [author, blocked] = [await subscriber(), await subscriber()]
    const reader = await program(blocked)
    const { id } = await createRevelation(server, author, { visibility: 'public' })
    const seen = async () =>
      (await server.call('GET', `/api/revelations/${id}`, { as: reader })).status
    expect(await seen()).toBe(200)
    await server.call('PUT', `/api/relationships/blocks/${blocked.id}`, { as: author })
    expect(await seen()).toBe(404)
  })
})

it('counts the calls of tokens with those of the sessions of their account', async () => {
  const limited = await startTestServer({ rateLimits: true })
  const person = await verifiedPerson(limited)
  const as = (token: string) => ({ ...person, token })
  await limited.call('POST', '/api/subscriptions/upgrade', { as: person, body: { plan: 'pro' } })
  const body = { name: 'Un', scopes: ['read'], password: PASSWORD }
  const tokens = [
    (await limited.call('POST', AT, { as: person, body })).body.token,
    (await limited.call('POST', AT, { as: person, body })).body.token,
  ]
  const left: number[] = []
  for (const token of [person.token, ...tokens]) {
    const { headers } = await limited.call('GET', '/api/revelations', { as: as(token) })
    left.push(Number(headers['x-ratelimit-remaining']))
  }
  const refused = await limited.call('GET', '/api/auth/sessions', { as: as(tokens[0]) })
  left.push(Number(refused.headers['x-ratelimit-remaining']))
  await limited.close()
  expect(left.map((count) => count - (left[0] ?? 0))).toEqual([0, -1, -2, -3])
})

const NOBODY = randomUUID()

function sentBy(method: string): object | undefined {
  return method === 'GET' || method === 'HEAD' ? undefined : {}
}

/** Every call that no token may make: what is of the account, of its ties, of its plan, of its devices, and what deletes for good. */
const SESSIONS_ALONE = [
  'DELETE /api/auth/account',
  'DELETE /api/auth/sessions',
  'DELETE /api/auth/sessions/{id}',
  'DELETE /api/auth/tokens/{id}',
  'DELETE /api/calendar-feed',
  'DELETE /api/family-sounds/{id}',
  'DELETE /api/push/subscription',
  'DELETE /api/relationships/blocks/{userId}',
  'DELETE /api/relationships/request/{id}',
  'DELETE /api/relationships/{id}',
  'DELETE /api/replies/blocks/{blockId}',
  'DELETE /api/revelations/{id}',
  'DELETE /api/revelations/{id}/replies/{replyId}',
  'GET /api/auth/account/deletion',
  'GET /api/auth/export',
  'GET /api/auth/sessions',
  'GET /api/auth/tokens',
  'GET /api/auth/verify-token',
  'GET /api/calendar-feed',
  'GET /api/calendar-feed/{file}',
  'GET /api/email/unsubscribe',
  'GET /api/events',
  'GET /api/notifications/switches',
  'GET /api/push',
  'GET /api/relationships',
  'GET /api/relationships/blocks',
  'GET /api/relationships/requests',
  'GET /api/revelations/{id}/archive',
  'GET /api/subscriptions/me',
  'GET /api/subscriptions/plans',
  'GET /api/subscriptions/preferences',
  'POST /api/auth/change-email',
  'POST /api/auth/email-link',
  'POST /api/auth/export',
  'POST /api/auth/forgot-password',
  'POST /api/auth/login',
  'POST /api/auth/logout',
  'POST /api/auth/onboarded',
  'POST /api/auth/refuse-email',
  'POST /api/auth/register',
  'POST /api/auth/reset-password',
  'POST /api/auth/send-verification',
  'POST /api/auth/tokens',
  'POST /api/auth/verify-email',
  'POST /api/calendar-feed',
  'POST /api/deliveries/{id}/link',
  'POST /api/deliveries/{id}/resend',
  'POST /api/deliveries/{id}/revoke',
  'POST /api/email/link',
  'POST /api/email/resubscribe',
  'POST /api/email/unsubscribe',
  'POST /api/push/test',
  'POST /api/relationships/request',
  'POST /api/reports',
  'POST /api/reports/mail',
  'POST /api/revelations/{id}/archive',
  'POST /api/revelations/{id}/presence',
  'POST /api/revelations/{id}/receipt/mail',
  'POST /api/revelations/{id}/replies/{replyId}/block',
  'POST /api/subscriptions/storage',
  'POST /api/subscriptions/upgrade',
  'PUT /api/auth/change-password',
  'PUT /api/auth/profile',
  'PUT /api/deliveries/{id}',
  'PUT /api/notifications/switches',
  'PUT /api/push/subscription',
  'PUT /api/relationships/blocks/{userId}',
  'PUT /api/relationships/request/{id}',
  'PUT /api/subscriptions/preferences',
]
