import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { signedIn, startTestServer, type TestApp } from '#test/test-server.ts'

let server: TestApp

beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

describe('the profile', () => {
  it('changes what is given and keeps the rest', async () => {
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

  it('does not take the pseudo of somebody else, but keeps one’s own in another case', async () => {
    const taken = await signedIn(server, { pseudo: 'Occupé' })
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
    expect(taken.pseudo).toBe('Occupé')
  })

  it('ignores what a person may not decide', async () => {
    const person = await signedIn(server)
    const { body } = await server.call('PUT', '/api/auth/profile', {
      as: person,
      body: { email_verified: true, id: 'x', email: 'autre@exemple.test', created_at: '1999' },
    })
    expect(body.user).toMatchObject({ id: person.id, email: person.email, email_verified: false })
  })

  it('remembers, on any device, that somebody was shown around', async () => {
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

  it('is for signed-in people, whatever the body', async () => {
    expect((await server.call('GET', '/api/auth/profile')).status).toBe(401)
    const { status } = await server.call('PUT', '/api/auth/profile', { body: { bio: 3 } })
    expect(status).toBe(401)
  })
})
