import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createRevelation, relate, verifiedPerson, verifyEmail } from '#testing/factories.ts'
import { type Person, signedIn, startTestServer, type TestApp } from '#testing/test-server.ts'

let server: TestApp

beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

const AT = '/api/relationships'

function sendRequest(as: Person, receiver: { id: string }, type = 'friend', message?: string) {
  const body = { receiver_id: receiver.id, type, message }
  return server.call('POST', `${AT}/request`, { as, body })
}

function answer(as: Person, id: string, action: string, confirm?: boolean) {
  return server.call('PUT', `${AT}/request/${id}`, { as, body: { action, confirm } })
}

async function listOf(as: Person) {
  return (await server.call('GET', AT, { as })).body.relationships
}

async function requestsOf(as: Person) {
  return (await server.call('GET', `${AT}/requests`, { as })).body
}

/** Two people whose addresses are proved. */
async function pair(): Promise<[Person, Person]> {
  return [await verifiedPerson(server), await verifiedPerson(server)]
}

async function unproved(): Promise<[Person, Person]> {
  return [await signedIn(server), await signedIn(server)]
}

function shown({ id, pseudo, email }: Person) {
  return { id, pseudo, email, email_verified: true, avatar_url: null }
}

describe('a request', () => {
  it('is shown to both, with the address of the sender to the receiver alone', async () => {
    const [anna, bruno] = await pair()
    const sent = await sendRequest(anna, bruno, 'family', '  C’est moi, Anna.  ')
    expect(sent.status).toBe(201)
    expect(sent.body).toEqual({
      request: {
        id: expect.any(String),
        sender_id: anna.id,
        receiver_id: bruno.id,
        type: 'family',
        status: 'pending',
        message: 'C’est moi, Anna.',
        created_at: server.clock.now.toISOString(),
        receiver: { id: bruno.id, pseudo: bruno.pseudo, avatar_url: null },
      },
    })
    expect(await requestsOf(anna)).toEqual({ requests: [], sent: [sent.body.request] })
    const { requests, sent: none } = await requestsOf(bruno)
    expect(none).toEqual([])
    expect(requests).toEqual([
      expect.objectContaining({
        id: sent.body.request.id,
        sender: shown(anna),
      }),
    ])
    expect(JSON.stringify(sent.body)).not.toContain(bruno.email)
    expect(await listOf(bruno)).toEqual([])
  })

  it('makes a relationship that both see once it is accepted', async () => {
    const [anna, bruno] = await pair()
    const { id } = (await sendRequest(anna, bruno, 'family')).body.request
    const accepted = await answer(bruno, id, 'accept')
    expect(accepted.status).toBe(200)
    expect(accepted.body.request).toMatchObject({ id, status: 'accepted' })
    const [seen] = await listOf(bruno)
    expect(seen).toEqual(accepted.body.relationship)
    expect(seen).toEqual({
      id: expect.any(String),
      user_id: bruno.id,
      related_user_id: anna.id,
      related_pseudo: anna.pseudo,
      related_user: shown(anna),
      relationship_type: 'family',
      status: 'accepted',
      created_at: server.clock.now.toISOString(),
    })
    expect(await listOf(anna)).toEqual([
      expect.objectContaining({ id: seen.id, user_id: anna.id, related_user_id: bruno.id }),
    ])
    expect(await requestsOf(bruno)).toEqual({ requests: [], sent: [] })
    expect(await requestsOf(anna)).toEqual({ requests: [], sent: [] })
  })

  it('is gone once it is declined or withdrawn, and may be sent again', async () => {
    const [anna, bruno] = await pair()
    const first = (await sendRequest(anna, bruno)).body.request
    const declined = await answer(bruno, first.id, 'decline')
    expect(declined.body).toEqual({
      request: expect.objectContaining({ id: first.id, status: 'declined' }),
    })
    const second = (await sendRequest(anna, bruno)).body.request
    const withdraw = () => server.call('DELETE', `${AT}/request/${second.id}`, { as: anna })
    expect((await withdraw()).body).toEqual({ success: true })
    expect((await withdraw()).status).toBe(404)
    expect(await requestsOf(bruno)).toEqual({ requests: [], sent: [] })
    expect([await listOf(anna), await listOf(bruno)]).toEqual([[], []])
    expect((await sendRequest(anna, bruno)).status).toBe(201)
  })

  it('changes nothing when it is sent or answered again', async () => {
    const [anna, bruno] = await pair()
    const { id } = (await sendRequest(anna, bruno)).body.request
    const again = await sendRequest(anna, bruno, 'family')
    expect([again.status, again.body.code]).toEqual([409, 'already_asked'])
    expect((await requestsOf(bruno)).requests).toHaveLength(1)
    await answer(bruno, id, 'accept')
    for (const action of ['accept', 'decline']) {
      expect((await answer(bruno, id, action)).status).toBe(404)
    }
    for (const [from, to] of [pairOf(anna, bruno), pairOf(bruno, anna)]) {
      const related = await sendRequest(from, to, 'family')
      expect([related.status, related.body.code]).toEqual([409, 'already_related'])
    }
    expect((await listOf(anna)).map((item: Answered) => item.relationship_type)).toEqual(['friend'])
  })

  it('to somebody who sent one is an acceptance: family when both chose it', async () => {
    for (const [first, second, agreed] of [
      ['friend', 'friend', 'friend'],
      ['family', 'friend', 'friend'],
      ['friend', 'family', 'friend'],
      ['family', 'family', 'family'],
    ] as const) {
      const [anna, bruno] = await pair()
      const { id } = (await sendRequest(anna, bruno, first)).body.request
      const crossed = await sendRequest(bruno, anna, second)
      expect(crossed.status).toBe(201)
      expect(crossed.body.request).toMatchObject({ id, sender_id: bruno.id, status: 'accepted' })
      expect(crossed.body.relationship).toMatchObject({
        user_id: bruno.id,
        relationship_type: agreed,
      })
      expect([await listOf(anna), await listOf(bruno)]).toEqual([
        [expect.objectContaining({ relationship_type: agreed })],
        [expect.objectContaining({ relationship_type: agreed })],
      ])
      expect(await requestsOf(anna)).toEqual({ requests: [], sent: [] })
    }
  })

  it('is rejected with a sentence when it makes no sense', async () => {
    const [anna, bruno] = await pair()
    const self = await sendRequest(anna, anna)
    expect([self.status, self.body.fields]).toEqual([
      400,
      { receiver_id: 'Vous ne pouvez pas vous envoyer une demande à vous-même' },
    ])
    const unknown = await sendRequest(anna, { id: randomUUID() })
    expect([unknown.status, unknown.body.error]).toEqual([404, 'Cette personne est introuvable'])
    const invalid = [
      [{ type: 'ennemi' }, 'type', 'Choisissez Ami ou Famille'],
      [{ receiver_id: 'x' }, 'receiver_id', 'Identifiant invalide'],
      [{ receiver_id: undefined }, 'receiver_id', 'Identifiant invalide'],
      [{ message: 'a'.repeat(301) }, 'message', 'Le message ne peut pas dépasser 300 caractères'],
    ] as const
    for (const [change, field, sentence] of invalid) {
      const body = { receiver_id: bruno.id, type: 'friend', ...change }
      const refused = await server.call('POST', `${AT}/request`, { as: anna, body })
      expect([refused.status, refused.body.fields]).toEqual([400, { [field]: sentence }])
    }
    const { id } = (await sendRequest(anna, bruno)).body.request
    const odd = await answer(bruno, id, 'peut-être')
    expect(odd.body.fields).toEqual({ action: 'Acceptez ou refusez la demande' })
    expect((await requestsOf(bruno)).requests).toHaveLength(1)
  })

  it('is answered by its receiver and withdrawn by its sender, by nobody else', async () => {
    const [anna, bruno] = await pair()
    const other = await signedIn(server)
    const { id } = (await sendRequest(anna, bruno)).body.request
    const absent = await answer(other, randomUUID(), 'accept')
    for (const person of [anna, other]) {
      const refused = await answer(person, id, 'accept')
      expect([refused.status, refused.body]).toEqual([404, absent.body])
    }
    for (const person of [bruno, other]) {
      const { status } = await server.call('DELETE', `${AT}/request/${id}`, { as: person })
      expect(status).toBe(404)
    }
    expect((await requestsOf(bruno)).requests).toHaveLength(1)
    expect(await listOf(bruno)).toEqual([])
  })
})

describe('an address that is not proved', () => {
  it('is shown to nobody, neither in a request nor in a relationship', async () => {
    const [anna, bruno] = await unproved()
    const { id } = (await sendRequest(anna, bruno)).body.request
    const unnamed = { ...shown(anna), email: null, email_verified: false }
    expect((await requestsOf(bruno)).requests).toMatchObject([{ sender: unnamed }])
    const accepted = await answer(bruno, id, 'accept')
    expect(accepted.body.request.sender).toEqual(unnamed)
    expect(accepted.body.relationship.related_user).toEqual(unnamed)
    expect(await listOf(bruno)).toMatchObject([{ related_user: unnamed }])
    expect(accepted.text).not.toContain(anna.email)
    await verifyEmail(server, anna)
    expect(await listOf(bruno)).toMatchObject([{ related_user: shown(anna) }])
  })

  it('allows family once that is confirmed, and not before', async () => {
    const [anna, bruno] = await unproved()
    const { id } = (await sendRequest(anna, bruno, 'family')).body.request
    const warned = await answer(bruno, id, 'accept')
    expect([warned.status, warned.body.code]).toEqual([409, 'unverified_sender'])
    expect(warned.body.error).toContain('L’adresse de cette personne n’est pas vérifiée')
    expect((await answer(bruno, id, 'accept', false)).status).toBe(409)
    expect(await listOf(bruno)).toEqual([])
    expect((await requestsOf(bruno)).requests).toMatchObject([{ id }])
    const confirmed = await answer(bruno, id, 'accept', true)
    expect(confirmed.body.relationship).toMatchObject({ relationship_type: 'family' })
  })

  it('allows family by crossed requests once that is confirmed, and not before', async () => {
    const [anna, bruno] = await unproved()
    await sendRequest(anna, bruno, 'family')
    const warned = await sendRequest(bruno, anna, 'family')
    expect([warned.status, warned.body.code]).toEqual([409, 'unverified_sender'])
    expect(await listOf(bruno)).toEqual([])
    const body = { receiver_id: anna.id, type: 'family', confirm: true }
    const confirmed = await server.call('POST', `${AT}/request`, { as: bruno, body })
    expect(confirmed.body.relationship).toMatchObject({ relationship_type: 'family' })
  })

  it('changes nothing for declining, nor for friends', async () => {
    const [anna, bruno] = await unproved()
    const first = (await sendRequest(anna, bruno, 'family')).body.request
    expect((await answer(bruno, first.id, 'decline')).status).toBe(200)
    await sendRequest(anna, bruno, 'family')
    // If one of them alone chose family, they become friends.
    expect((await sendRequest(bruno, anna, 'friend')).body.relationship).toMatchObject({
      relationship_type: 'friend',
    })
  })
})

describe('a relationship', () => {
  it('counts from the next call on, and no longer once it ends', async () => {
    const [anna, bruno] = await pair()
    const item = await createRevelation(server, anna, { visibility: 'friends' })
    const url = `/api/revelations/${item.id}`
    const statusForBruno = async () => (await server.call('GET', url, { as: bruno })).status
    expect(await statusForBruno()).toBe(404)
    const { id } = (await sendRequest(bruno, anna)).body.request
    expect(await statusForBruno()).toBe(404)
    const { relationship } = (await answer(anna, id, 'accept')).body
    expect(await statusForBruno()).toBe(200)
    const end = (as: Person) => server.call('DELETE', `${AT}/${relationship.id}`, { as })
    expect((await end(await signedIn(server))).status).toBe(404)
    expect((await end(bruno)).body).toEqual({ success: true })
    expect(await statusForBruno()).toBe(404)
    expect((await end(anna)).status).toBe(404)
    expect([await listOf(anna), await listOf(bruno)]).toEqual([[], []])
  })
})

describe('/api/relationships', () => {
  it('rejects visitors, whatever they send', async () => {
    for (const [method, path] of [
      ['GET', ''],
      ['GET', '/requests'],
      ['GET', '/blocks'],
      ['POST', '/request'],
      ['PUT', '/request/x'],
      ['DELETE', '/request/x'],
      ['DELETE', '/x'],
      ['PUT', '/blocks/x'],
      ['DELETE', '/blocks/x'],
    ] as const) {
      expect([path, (await server.call(method, AT + path, { body: {} })).status]).toEqual([
        path,
        401,
      ])
    }
  })

  it('answers not_found for a malformed id', async () => {
    const anna = await signedIn(server)
    for (const [method, path] of [
      ['DELETE', '/request/x'],
      ['DELETE', '/x'],
      ['PUT', '/blocks/x'],
      ['DELETE', '/blocks/x'],
    ] as const) {
      const { status, body } = await server.call(method, AT + path, { as: anna })
      expect([path, status, body.code]).toEqual([path, 404, 'not_found'])
    }
  })

  it('limits requests to 30 an hour', async () => {
    const limitedServer = await startTestServer({ rateLimits: true })
    try {
      const anna = await signedIn(limitedServer)
      const body = { receiver_id: randomUUID(), type: 'friend' }
      const call = () => limitedServer.call('POST', `${AT}/request`, { as: anna, body })
      for (let sent = 0; sent < 30; sent += 1) expect((await call()).status).toBe(404)
      const refused = await call()
      expect([refused.status, refused.body.code]).toEqual([429, 'too_many_requests'])
      expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    } finally {
      await limitedServer.close()
    }
  })
})

describe('a block', () => {
  const block = (as: Person, { id }: Person) => server.call('PUT', `${AT}/blocks/${id}`, { as })
  const unblock = (as: Person, { id }: Person) =>
    server.call('DELETE', `${AT}/blocks/${id}`, { as })

  it('ends the relation of two people and hides each from the other', async () => {
    const [anna, bruno] = await pair()
    await relate(server, anna, bruno, 'family')
    const item = await createRevelation(server, anna, { visibility: 'public' })
    expect((await block(anna, bruno)).body).toEqual({ success: true })
    expect((await block(anna, bruno)).body).toEqual({ success: true })
    expect([await listOf(anna), await listOf(bruno)]).toEqual([[], []])
    const url = `/api/revelations/${item.id}`
    expect((await server.call('GET', url, { as: bruno })).status).toBe(404)
    for (const [from, to] of [pairOf(anna, bruno), pairOf(bruno, anna)]) {
      const blocked = await sendRequest(from, to)
      expect([blocked.status, blocked.body]).toEqual([
        404,
        (await sendRequest(from, { id: randomUUID() })).body,
      ])
    }
    // Who was blocked cannot tell it from an account that is gone.
    expect((await block(bruno, anna)).body).toEqual(
      (await block(bruno, { ...anna, id: randomUUID() })).body,
    )
    const listed = async (as: Person) =>
      (await server.call('GET', `${AT}/blocks`, { as })).body.blocks
    expect(await listed(anna)).toEqual([
      {
        id: bruno.id,
        pseudo: bruno.pseudo,
        avatar_url: null,
        created_at: server.clock.now.toISOString(),
      },
    ])
    expect(await listed(bruno)).toEqual([])
  })

  it('ends a waiting request of either side', async () => {
    for (const isSender of [true, false]) {
      const [anna, bruno] = await pair()
      const [from, to] = isSender ? pairOf(anna, bruno) : pairOf(bruno, anna)
      const { id } = (await sendRequest(from, to)).body.request
      await block(anna, bruno)
      expect((await answer(to, id, 'accept')).status).toBe(404)
      for (const person of [anna, bruno]) {
        expect(await requestsOf(person)).toEqual({ requests: [], sent: [] })
      }
    }
  })

  it('is ended by its owner alone, and does not restore the relation', async () => {
    const [anna, bruno] = await pair()
    await relate(server, anna, bruno, 'friend')
    await block(anna, bruno)
    expect((await unblock(bruno, anna)).body).toEqual({ success: true })
    expect((await sendRequest(bruno, anna)).status).toBe(404)
    expect((await unblock(anna, bruno)).body).toEqual({ success: true })
    expect((await unblock(anna, bruno)).body).toEqual({ success: true })
    expect(await listOf(anna)).toEqual([])
    expect((await sendRequest(bruno, anna)).status).toBe(201)
  })

  it('is rejected for oneself and for an unknown person', async () => {
    const anna = await signedIn(server)
    const self = await block(anna, anna)
    expect([self.status, self.body.error]).toEqual([
      400,
      'Vous ne pouvez pas vous bloquer vous-même',
    ])
    expect((await block(anna, { ...anna, id: randomUUID() })).status).toBe(404)
  })
})

interface Answered {
  relationship_type: string
}

function pairOf(one: Person, other: Person): [Person, Person] {
  return [one, other]
}
