import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Comment } from '#contract/comments.ts'
import { A_DAY_MS, createRevelation, relate } from '#testing/factories.ts'
import { type Person, signedIn, startTestServer, type TestApp } from '#testing/test-server.ts'

let server: TestApp
let author: Person
let reader: Person
let id: string

beforeAll(async () => {
  server = await startTestServer()
  reader = await signedIn(server, { pseudo: 'Commentatrice' })
})
afterAll(() => server.close())
beforeEach(async () => {
  author = await signedIn(server)
  id = (await createRevelation(server, author)).id
})

function comment(as: Person | undefined, content: string, more: object = {}) {
  return server.call('POST', '/api/comments', { as, body: { revelation_id: id, content, ...more } })
}

function remove(as: Person | undefined, commentId: string) {
  return server.call('DELETE', `/api/comments/${commentId}`, { as })
}

async function commentsSeenBy(as?: Person, query = '') {
  return server.call('GET', `/api/comments/${id}${query}`, { as })
}

async function contentsSeenBy(as?: Person): Promise<string[]> {
  const { body } = await commentsSeenBy(as, '?limit=100')
  return body.comments.map(({ content }: Comment) => content)
}

async function countOf(as: Person = author): Promise<number> {
  const { body } = await server.call('GET', `/api/revelations/${id}`, { as })
  return body.revelation.comments_count
}

describe('POST /api/comments', () => {
  it('answers the comment as it is listed, its content trimmed', async () => {
    const { status, body } = await comment(reader, '  Quelle belle idée !\r\nVraiment.  ')
    expect(status).toBe(201)
    expect(body.comment).toEqual({
      id: body.id,
      revelation_id: id,
      author_id: reader.id,
      author_pseudo: 'Commentatrice',
      author_avatar: null,
      content: 'Quelle belle idée !\nVraiment.',
      created_at: server.clock.now.toISOString(),
      can_delete: true,
    })
    const list = await commentsSeenBy(reader)
    expect(list.body).toEqual({ comments: [body.comment], total: 1, next_cursor: null })
    expect(await countOf()).toBe(1)
  })

  it('accepts comments before the reveal and after it', async () => {
    await comment(reader, 'Avant')
    server.clock.advance(2 * A_DAY_MS)
    await comment(reader, 'Après')
    expect(await contentsSeenBy()).toEqual(['Après', 'Avant'])
  })

  it.each([
    ['nothing', '', 'Le commentaire est vide'],
    ['blanks', ' \n\t ', 'Le commentaire est vide'],
    ['invisible characters', '\u200B\u2800\u3164', 'Le commentaire est vide'],
    [
      '1001 characters',
      'x'.repeat(1001),
      'Le commentaire ne peut pas dépasser 1\u00A0000 caractères',
    ],
  ])('rejects %s', async (_what, content, error) => {
    const { status, body } = await comment(reader, content)
    expect(status).toBe(400)
    expect(body).toEqual({ error, code: 'invalid_input', fields: { content: error } })
  })

  it('accepts 1000 characters', async () => {
    expect((await comment(reader, 'é'.repeat(1000))).status).toBe(201)
  })

  it('rejects visitors and ended sessions, each with its sentence', async () => {
    const forVisitors = { error: 'Vous devez être connecté pour commenter' }
    const refused = [await comment(undefined, 'Bonjour'), await remove(undefined, randomUUID())]
    for (const answer of refused) {
      expect(answer).toMatchObject({ status: 401, body: forVisitors })
    }
    const gone = await signedIn(server)
    await server.call('POST', '/api/auth/logout', { as: gone })
    const { status, body } = await comment(gone, 'Bonjour')
    expect([status, body.error]).toEqual([
      401,
      'Votre session a expiré. Veuillez vous reconnecter.',
    ])
  })

  it('answers those who may not see the revelation as for what does not exist', async () => {
    id = (await createRevelation(server, author, { visibility: 'family' })).id
    const stored = await comment(author, 'Pour la famille')
    const hidden = [
      await comment(reader, 'Coucou'),
      await commentsSeenBy(reader),
      await remove(reader, stored.body.id),
    ]
    id = randomUUID()
    const unknown = [
      await comment(reader, 'Coucou'),
      await commentsSeenBy(reader),
      await remove(reader, id),
    ]
    expect(hidden.map(({ status, text }) => [status, text])).toEqual(
      unknown.map(({ status, text }) => [status, text]),
    )
    expect(hidden[0]?.status).toBe(404)
  })

  it('adds one comment when a request is sent again with its id', async () => {
    const commentId = randomUUID()
    const sent = await comment(reader, 'Une fois', { id: commentId })
    server.clock.advance(A_DAY_MS / 2)
    const again = await comment(reader, 'Une fois', { id: commentId })
    expect(again).toMatchObject({ status: 201, body: sent.body })
    expect(await countOf()).toBe(1)
    const more = await comment(reader, 'Une fois', { id: randomUUID() })
    expect(more.body.id).not.toBe(commentId)
    expect(await countOf()).toBe(2)
  })

  it('rejects an id of somebody else or of another revelation', async () => {
    const { body } = await comment(reader, 'Le mien')
    const refusal = { status: 400, body: { fields: { id: 'Identifiant invalide' } } }
    expect(await comment(author, 'Le mien', { id: body.id })).toMatchObject(refusal)
    id = (await createRevelation(server, author)).id
    expect(await comment(reader, 'Le mien', { id: body.id })).toMatchObject(refusal)
    expect(await countOf()).toBe(0)
  })

  it('adds, without an id, the same content once a minute', async () => {
    const sent = await comment(reader, 'Bravo')
    server.clock.advance(59_000)
    expect((await comment(reader, ' Bravo ')).body.id).toBe(sent.body.id)
    expect((await comment(author, 'Bravo')).body.id).not.toBe(sent.body.id)
    server.clock.advance(1_000)
    expect((await comment(reader, 'Bravo')).body.id).not.toBe(sent.body.id)
    expect(await countOf()).toBe(3)
  })
})

it('limits comments to 30 a minute', async () => {
  const strict = await startTestServer({ rateLimits: true })
  try {
    const person = await signedIn(strict)
    const sealed = await createRevelation(strict, person)
    const answers = []
    for (let number = 1; number <= 31; number += 1) {
      const body = { revelation_id: sealed.id, content: `Numéro ${number}` }
      answers.push(await strict.call('POST', '/api/comments', { as: person, body }))
    }
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(30)
    expect(answers.at(-1)).toMatchObject({ status: 429, body: { code: 'too_many_requests' } })
  } finally {
    await strict.close()
  }
})

describe('DELETE /api/comments/:id', () => {
  it('deletes for the author of the comment and of the revelation, and rejects others', async () => {
    const other = await signedIn(server)
    const [first, second] = [await comment(reader, 'Un'), await comment(other, 'Deux')]
    const { body } = await commentsSeenBy(reader)
    expect(body.comments.map((one: Comment) => one.can_delete).sort()).toEqual([false, true])
    expect(await remove(reader, second.body.id)).toMatchObject({
      status: 403,
      body: {
        code: 'not_comment_author',
        error: 'Vous ne pouvez supprimer que vos propres commentaires',
      },
    })
    expect(await remove(reader, first.body.id)).toMatchObject({
      status: 200,
      body: { success: true },
    })
    expect((await remove(author, second.body.id)).status).toBe(200)
    expect((await remove(author, second.body.id)).status).toBe(404)
    expect(await commentsSeenBy()).toMatchObject({ body: { comments: [], total: 0 } })
    expect(await countOf()).toBe(0)
  })

  it('answers not_found for an unknown or malformed id', async () => {
    expect((await remove(reader, randomUUID())).status).toBe(404)
    expect((await remove(reader, 'rien')).status).toBe(404)
  })
})

describe('comments of blocked people', () => {
  it('are neither listed nor counted for each other', async () => {
    const rude = await signedIn(server)
    await comment(rude, 'Bof')
    await comment(reader, 'Merci')
    const { body } = await comment(rude, 'Bof bof')
    await server.call('PUT', `/api/relationships/blocks/${rude.id}`, { as: reader })
    expect(await contentsSeenBy(reader)).toEqual(['Merci'])
    expect((await commentsSeenBy(reader)).body.total).toBe(1)
    expect((await contentsSeenBy(rude)).sort()).toEqual(['Bof', 'Bof bof'])
    expect((await commentsSeenBy()).body.total).toBe(3)
    expect((await remove(reader, body.id)).status).toBe(404)
    expect((await comment(rude, 'Encore')).status).toBe(201)
  })

  it('cannot be added once the author of the revelation blocked them', async () => {
    const { body } = await comment(reader, 'Bonjour')
    await server.call('PUT', `/api/relationships/blocks/${reader.id}`, { as: author })
    expect((await comment(reader, 'Au revoir')).status).toBe(404)
    expect((await remove(reader, body.id)).status).toBe(404)
    expect((await remove(author, body.id)).status).toBe(200)
  })

  it('are hidden from everybody when the author of the revelation blocked them', async () => {
    await comment(reader, 'Bonjour')
    const rude = await signedIn(server)
    const { body } = await comment(rude, 'Bof')
    await server.call('PUT', `/api/relationships/blocks/${rude.id}`, { as: author })
    for (const viewer of [undefined, reader, author]) {
      expect(await contentsSeenBy(viewer)).toEqual(['Bonjour'])
      expect((await commentsSeenBy(viewer)).body.total).toBe(1)
    }
    expect((await remove(reader, body.id)).status).toBe(404)
    await server.call('DELETE', `/api/relationships/blocks/${rude.id}`, { as: author })
    expect((await contentsSeenBy(undefined)).sort()).toEqual(['Bof', 'Bonjour'])
  })
})

describe('GET /api/comments/:revelationId', () => {
  it('answers pages of twenty by default, the newest first', async () => {
    for (let number = 1; number <= 22; number += 1) await comment(reader, `Numéro ${number}`)
    const first = await commentsSeenBy()
    expect(first.body.comments).toHaveLength(20)
    expect(first.body.total).toBe(22)
    const cursor = encodeURIComponent(first.body.next_cursor)
    const second = await commentsSeenBy(undefined, `?cursor=${cursor}`)
    expect(second.body.comments).toHaveLength(2)
    expect(second.body.next_cursor).toBeNull()
  })

  it.each(['nimporte', '', Buffer.from('["hier","x"]').toString('base64url')])(
    'rejects the cursor « %s »',
    async (cursor) => {
      const { status, body } = await commentsSeenBy(reader, `?cursor=${cursor}`)
      expect([status, body.error]).toEqual([400, 'Ce repère de page n’est pas valide'])
      expect((await commentsSeenBy(reader, '?limit=101')).status).toBe(400)
    },
  )

  it('lists every comment once in order, whatever is deleted or added meanwhile', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.nat({ max: 2 }), { maxLength: 14 }),
        fc.integer({ min: 1, max: 5 }),
        async (pauses, limit) => {
          const by = await signedIn(server)
          id = (await createRevelation(server, by)).id
          const sent: Comment[] = []
          for (const pause of pauses) {
            server.clock.advance(pause)
            sent.push((await comment(reader, 'Oui', { id: randomUUID() })).body.comment)
          }
          const expected = sent
            .sort((a, b) => (`${a.created_at}${a.id}` < `${b.created_at}${b.id}` ? 1 : -1))
            .map((one) => one.id)
          const seen: string[] = []
          let cursor: string | null = ''
          while (cursor !== null) {
            const query: string = cursor && `&cursor=${cursor}`
            const { body } = await commentsSeenBy(by, `?limit=${limit}${query}`)
            seen.push(...body.comments.map((one: Comment) => one.id))
            cursor = body.next_cursor
            // Neither a newcomer nor the loss of the last one shown moves what follows.
            server.clock.advance(1)
            await comment(reader, 'Nouveau', { id: randomUUID() })
            if (cursor) await remove(by, seen.at(-1) ?? '')
          }
          expect(seen).toEqual(expected)
        },
      ),
      { numRuns: 15 },
    )
  })

  it('answers friends about what is for friends', async () => {
    id = (await createRevelation(server, author, { visibility: 'friends' })).id
    await relate(server, author, reader, 'friend')
    expect((await comment(reader, 'Entre amis')).status).toBe(201)
    expect((await commentsSeenBy()).status).toBe(404)
  })
})
