import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { EMOJIS, type Emoji } from '#contract/reactions.ts'
import { personalKeyFor } from '#server/features/access/personal-keys.service.ts'
import { findDeliveryFacts } from '#server/features/deliveries/deliveries.repository.ts'
import { A_DAY_MS, createRevelation, keyHeaders, relate } from '#testing/factories.ts'
import { type Person, signedIn, startTestServer, type TestApp } from '#testing/test-server.ts'

let server: TestApp
let author: Person
let reader: Person
let id: string

beforeAll(async () => {
  server = await startTestServer()
  reader = await signedIn(server, { pseudo: 'Lectrice' })
})
afterAll(() => server.close())
beforeEach(async () => {
  author = await signedIn(server)
  id = (await createRevelation(server, author)).id
})

function react(as: Person | undefined, emoji: string, to = id) {
  return server.call('POST', '/api/reactions', { as, body: { revelation_id: to, emoji } })
}

function takeBack(as: Person | undefined, emoji?: Emoji) {
  const query = emoji ? `?emoji=${encodeURIComponent(emoji)}` : ''
  return server.call('DELETE', `/api/reactions/${id}${query}`, { as })
}

async function reactionsSeenBy(as?: Person, headers: Record<string, string> = {}) {
  return server.call('GET', `/api/reactions/${id}`, { as, headers })
}

async function revelationSeenBy(as: Person) {
  return (await server.call('GET', `/api/revelations/${id}`, { as })).body.revelation
}

describe('/api/reactions', () => {
  it('adds several emoji, one of each, and answers all of them', async () => {
    const fan = await signedIn(server, { pseudo: 'Fan' })
    await react(fan, '🔥')
    server.clock.advance(1)
    await react(reader, '❤️')
    const { status, body } = await react(reader, '🔥')
    expect(status).toBe(200)
    expect(body.summary).toEqual([
      { emoji: '❤️', count: 1, reacted: true, pseudos: ['Lectrice'] },
      { emoji: '🔥', count: 2, reacted: true, pseudos: ['Fan', 'Lectrice'] },
    ])
    expect(body.reactions).toHaveLength(3)
    expect(body.reactions[0]).toEqual({
      revelation_id: id,
      emoji: expect.any(String),
      author_id: expect.any(String),
      author_pseudo: expect.any(String),
    })
    const seen = await revelationSeenBy(reader)
    expect(seen).toMatchObject({ reactions_count: 3, my_reactions: ['❤️', '🔥'] })
    expect((await revelationSeenBy(author)).my_reactions).toEqual([])
  })

  it('changes nothing when an addition or a deletion is sent again', async () => {
    await react(reader, '👍')
    expect((await react(reader, '👍')).body.summary).toMatchObject([{ emoji: '👍', count: 1 }])
    await takeBack(reader, '👍')
    const { status, body } = await takeBack(reader, '👍')
    expect({ status, body }).toEqual({ status: 200, body: { reactions: [], summary: [] } })
    expect(await revelationSeenBy(reader)).toMatchObject({ reactions_count: 0, my_reactions: [] })
  })

  it('deletes one emoji by query or body, and without any all of one’s own', async () => {
    for (const emoji of EMOJIS) await react(reader, emoji)
    await react(author, '😮')
    await takeBack(reader, '❤️')
    const body = { emoji: '😍' }
    await server.call('DELETE', `/api/reactions/${id}`, { as: reader, body })
    expect((await revelationSeenBy(reader)).my_reactions).toEqual(EMOJIS.slice(2))
    expect((await takeBack(reader)).body.summary).toMatchObject([
      { emoji: '😮', count: 1, reacted: false },
    ])
    expect((await revelationSeenBy(reader)).reactions_count).toBe(1)
  })

  it('accepts reactions before the reveal and after it', async () => {
    expect((await react(reader, '🎉')).status).toBe(200)
    server.clock.advance(2 * A_DAY_MS)
    const again = await signedIn(server)
    expect((await react(again, '🎉')).body.summary).toMatchObject([{ emoji: '🎉', count: 2 }])
  })

  it('rejects an emoji outside the list and an unknown revelation', async () => {
    const { status, body } = await react(reader, '🍕')
    expect({ status, body }).toEqual({
      status: 400,
      body: {
        error: 'Cette réaction n’existe pas',
        code: 'invalid_input',
        fields: { emoji: 'Cette réaction n’existe pas' },
      },
    })
    const url = `/api/reactions/${id}?emoji=${encodeURIComponent('🍕')}`
    expect((await server.call('DELETE', url, { as: reader })).status).toBe(400)
    expect((await react(reader, '❤️', randomUUID())).status).toBe(404)
    expect((await react(reader, '❤️', 'nulle part')).status).toBe(400)
    expect((await server.call('GET', '/api/reactions/nulle-part')).status).toBe(404)
  })

  it('rejects visitors and ended sessions, each with its sentence', async () => {
    const forVisitors = { error: 'Vous devez être connecté pour réagir', code: 'unauthenticated' }
    for (const answer of [await react(undefined, '❤️'), await takeBack(undefined)]) {
      expect(answer).toMatchObject({ status: 401, body: forVisitors })
    }
    const gone = await signedIn(server)
    await server.call('POST', '/api/auth/logout', { as: gone })
    for (const answer of [await react(gone, '❤️'), await reactionsSeenBy(gone)]) {
      expect(answer.status).toBe(401)
      expect(answer.body.error).toBe('Votre session a expiré. Veuillez vous reconnecter.')
    }
  })

  it('answers the holder of a personal key, who reacts only with an account', async () => {
    const sealed = await createRevelation(server, author, { visibility: 'private' })
    id = sealed.id
    server.clock.advance(2 * A_DAY_MS)
    const delivery = await findDeliveryFacts(server.ctx.db, { revelationId: id })
    const headers = keyHeaders(personalKeyFor(server.ctx, delivery?.id ?? ''))
    expect((await reactionsSeenBy(undefined, headers)).status).toBe(200)
    const asked = { headers, body: { revelation_id: id, emoji: '❤️' } }
    expect((await server.call('POST', '/api/reactions', asked)).status).toBe(401)
    const withAccount = await server.call('POST', '/api/reactions', { ...asked, as: reader })
    expect(withAccount.status).toBe(200)
    expect((await react(reader, '😍')).status).toBe(404)
  })
})

describe('GET /api/reactions/:revelationId', () => {
  it('answers everybody who may see the revelation, and nobody else', async () => {
    await react(reader, '❤️')
    expect((await reactionsSeenBy()).body.summary).toMatchObject([{ count: 1, reacted: false }])
    id = (await createRevelation(server, author, { visibility: 'friends' })).id
    for (const answer of [
      await reactionsSeenBy(),
      await reactionsSeenBy(reader),
      await react(reader, '❤️'),
      await takeBack(reader),
    ]) {
      expect(answer).toMatchObject({ status: 404, body: { code: 'not_found' } })
    }
    await relate(server, author, reader, 'friend')
    expect((await react(reader, '❤️')).status).toBe(200)
  })

  it('names the first three of each emoji, and at most a hundred in all', async () => {
    const crowd = await Promise.all(Array.from({ length: 13 }, () => signedIn(server)))
    for (const person of crowd) {
      server.clock.advance(1000)
      for (const emoji of EMOJIS) await react(person, emoji)
    }
    const { body } = await reactionsSeenBy()
    expect(body.reactions).toHaveLength(100)
    expect(body.reactions[0].author_id).toBe(crowd.at(-1)?.id)
    const pseudos = crowd.slice(0, 3).map(({ pseudo }) => pseudo)
    expect(body.summary).toEqual(
      EMOJIS.map((emoji) => ({ emoji, count: 13, reacted: false, pseudos })),
    )
  })

  it('hides the reactions of two people from each other once one blocked the other', async () => {
    const rude = await signedIn(server)
    await react(rude, '👎')
    await react(reader, '❤️')
    await server.call('PUT', `/api/relationships/blocks/${rude.id}`, { as: reader })
    const only = (emoji: string) => [{ emoji, count: 1 }]
    expect((await reactionsSeenBy(reader)).body.summary).toMatchObject(only('❤️'))
    expect((await reactionsSeenBy(rude)).body.summary).toMatchObject(only('👎'))
    expect((await reactionsSeenBy()).body.summary).toHaveLength(2)
    expect((await reactionsSeenBy(reader)).body.reactions).toHaveLength(1)
    await server.call('PUT', `/api/relationships/blocks/${rude.id}`, { as: author })
    expect((await react(rude, '🔥')).status).toBe(404)
    // Nobody is shown those whom the author does not want to see.
    expect((await reactionsSeenBy()).body.summary).toMatchObject(only('❤️'))
  })
})

describe('GET /api/revelations', () => {
  it('answers that whoever has an account may react and comment', async () => {
    const cans = []
    for (const as of [undefined, reader, author]) {
      const list = await server.call('GET', `/api/revelations?author=${author.id}`, { as })
      const detail = await server.call('GET', `/api/revelations/${id}`, { as })
      for (const { can } of [list.body.revelations[0], detail.body.revelation]) {
        cans.push([can.react, can.comment].join())
      }
    }
    const [no, yes] = ['false,false', 'true,true']
    expect(cans).toEqual([no, no, yes, yes, yes, yes])
  })

  it('lists the viewer’s own reactions', async () => {
    await react(reader, '😍')
    const other = await createRevelation(server, author)
    const { body } = await server.call('GET', `/api/revelations?author=${author.id}`, {
      as: reader,
    })
    const mine = body.revelations.map((item: { id: string; my_reactions: string[] }) => [
      item.id,
      item.my_reactions,
    ])
    expect(Object.fromEntries(mine)).toEqual({ [id]: ['😍'], [other.id]: [] })
  })
})
