import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { signedIn, startTestServer, type TestApp } from '#testing/test-server.ts'

let server: TestApp

beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

describe('PUT /api/auth/profile', () => {
  it('changes the fields of the body alone', async () => {
    const person = await signedIn(server)
    const change = (body: object) => server.call('PUT', '/api/auth/profile', { as: person, body })
    await change({ bio: 'J’aime les surprises.', location: 'Namur' })
    const { body } = await change({ website: 'https://exemple.test/moi' })
    expect(body.user).toMatchObject({
      pseudo: person.pseudo,
      bio: 'J’aime les surprises.',
      location: 'Namur',
      website: 'https://exemple.test/moi',
    })
    expect((await server.call('GET', '/api/auth/profile', { as: person })).body).toEqual(body)
  })

  it.each([
    [{ website: 'javascript:alert(1)' }, 'website'],
    [{ website: 'exemple' }, 'website'],
    [{ bio: 'a'.repeat(501) }, 'bio'],
    [{ location: 'a'.repeat(101) }, 'location'],
    [{ bio: 'nul\0' }, 'bio'],
    [{ bio: 'demi \ud800' }, 'bio'],
    [{ pseudo: 'ab' }, 'pseudo'],
  ])('refuses %o with a sentence under %s', async (body, field) => {
    const person = await signedIn(server)
    const answer = await server.call('PUT', '/api/auth/profile', { as: person, body })
    expect(answer.status).toBe(400)
    expect(Object.keys(answer.body.fields)).toEqual([field])
  })

  it('rejects the pseudo of somebody else, and accepts one’s own in another case', async () => {
    const owner = await signedIn(server, { pseudo: 'Occupé' })
    const person = await signedIn(server, { pseudo: 'libre' })
    const conflict = await server.call('PUT', '/api/auth/profile', {
      as: person,
      body: { pseudo: 'OCCUPÉ' },
    })
    expect([conflict.status, conflict.body.code]).toEqual([409, 'pseudo_taken'])
    const own = await server.call('PUT', '/api/auth/profile', {
      as: person,
      body: { pseudo: 'Libre' },
    })
    expect(own.body.user.pseudo).toBe('Libre')
    expect(owner.pseudo).toBe('Occupé')
  })

  it('rejects a pseudo that is reserved, of two alphabets or like another, unless it is one’s own', async () => {
    const other = await signedIn(server, { pseudo: 'Ludivine' })
    const person = await signedIn(server)
    const put = (body: object) => server.call('PUT', '/api/auth/profile', { as: person, body })
    for (const pseudo of ['Zoé', 'Zoe', 'Соня', 'Paco']) {
      await signedIn(server, { pseudo })
    }
    for (const [pseudo, status, code] of [
      ['Lud1vine', 409, 'pseudo_taken'],
      ['LudiVlNE', 409, 'pseudo_taken'],
      // In Cyrillic from one end to the other.
      ['Расо', 409, 'pseudo_taken'],
      ['аdmin', 400, 'invalid_input'],
      ['adm1n', 400, 'invalid_input'],
    ] as const) {
      const refused = await put({ pseudo })
      expect([refused.status, refused.body.code]).toEqual([status, code])
      expect(Object.keys(refused.body.fields)).toEqual(['pseudo'])
    }
    const old = { pseudo: 'Lud1vine', pseudoKey: 'lud1vine', pseudoSkeleton: null }
    await server.ctx.db.updateTable('users').set(old).where('id', '=', person.id).execute()
    await server.runJobs()
    // Nothing is left to fill in, and nobody lost a name.
    const rows = await server.ctx.db.selectFrom('users').select(['id', 'pseudoSkeleton']).execute()
    expect(rows.filter(({ pseudoSkeleton }) => pseudoSkeleton === null)).toEqual([])
    expect((await put({ pseudo: 'LUD1VINE', bio: 'Une autre' })).body.user).toMatchObject({
      pseudo: 'LUD1VINE',
      bio: 'Une autre',
    })
    expect(other.pseudo).toBe('Ludivine')
  })

  it('ignores what a person may not decide', async () => {
    const person = await signedIn(server)
    const { body } = await server.call('PUT', '/api/auth/profile', {
      as: person,
      body: { email_verified: true, id: 'x', email: 'autre@exemple.test', created_at: '1999' },
    })
    expect(body.user).toMatchObject({ id: person.id, email: person.email, email_verified: false })
  })

  it('stores that somebody was shown around', async () => {
    const person = await signedIn(server)
    const onboarded = async () =>
      (await server.call('GET', '/api/auth/profile', { as: person })).body.user.onboarded
    expect(await onboarded()).toBe(false)
    for (const _time of ['first', 'second']) {
      const { status } = await server.call('POST', '/api/auth/onboarded', { as: person })
      expect(status).toBe(200)
      expect(await onboarded()).toBe(true)
    }
    expect((await server.call('POST', '/api/auth/onboarded')).status).toBe(401)
  })

  it('rejects a visitor, whatever the body', async () => {
    expect((await server.call('GET', '/api/auth/profile')).status).toBe(401)
    const { status } = await server.call('PUT', '/api/auth/profile', { body: { bio: 3 } })
    expect(status).toBe(401)
  })
})
