import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { EMOJIS } from '#contract/reactions.ts'
import { type Revelation, revelationPageSchema } from '#contract/revelations.ts'
import { createRevelation, keyHeaders, relate, verifiedPerson } from '#testing/factories.ts'
import { pdf } from '#testing/media-files.ts'
import { type Person, signedIn, startTestServer, type TestApp } from '#testing/test-server.ts'
import { uploadFile } from '#testing/uploads.ts'
import { findRevelations, findRevelationsOfUser } from './lists.service.ts'
import { readList, viewListForVisitor } from './public-answers.service.ts'
import { type CachedMany, type PublicRow, readPublicItems } from './public-items.service.ts'
import { loadViews } from './revelation-views.service.ts'
import { presentRevelation } from './revelations.presenter.ts'

let server: TestApp
let reader: Person
let author: Person

beforeAll(async () => {
  server = await startTestServer()
  author = await signedIn(server)
  reader = await verifiedPerson(server)
  await relate(server, author, reader, 'friend')
  await server.ctx.db
    .insertInto('subscriptions')
    .values({ userId: author.id, plan: 'pro' })
    .execute()
  const now = server.clock.now.toISOString()
  await seal(author, { title: 'Ouverte', reveal_date: now })
  await seal(author, { title: 'Scellée' })
  await seal(author, { title: 'Pour qui lit', target_email: reader.email })
  await seal(author, { title: 'Pour les amis', visibility: 'friends', reveal_date: now })
  await seal(author, { title: 'Pour la famille', visibility: 'family', reveal_date: now })
  await seal(reader, { title: 'La mienne' })
  await seal(reader, { title: 'Mon journal', visibility: 'private' })
  const { url: file_url } = await uploadFile(server, author, { bytes: pdf(), name: 'plan.pdf' })
  const filed = await seal(author, { title: 'Un document', reveal_date: now, file_url })
  const { body } = await server.call('GET', `/api/revelations/${filed.id}`)
  // Words that look like an address of ours, with a ticket that is good.
  const words = `","file_url":"${body.revelation.file_url}"`
  await seal(author, { title: 'Une adresse', reveal_date: now, content: words })
  const predicted = await seal(author, { title: 'Il pleut', reveal_date: now, kind: 'prediction' })
  const did = async (path: string, sent: object, method: 'POST' | 'PUT' = 'POST') => {
    const { status } = await server.call(method, path, { as: reader, body: sent })
    expect([path, status < 300]).toEqual([path, true])
  }
  for (const emoji of EMOJIS.slice(0, 3).reverse()) {
    await did('/api/reactions', { revelation_id: filed.id, emoji })
  }
  await did(`/api/revelations/${filed.id}/open`, {})
  await did(`/api/revelations/${predicted.id}/vote`, { outcome: 'partly' }, 'PUT')
})
afterAll(() => server.close())

async function seal(by: Person, overrides: Record<string, unknown>): Promise<Revelation> {
  server.clock.advance(1_000)
  return createRevelation(server, by, overrides)
}

it.each([
  '',
  'sort=popular',
  'sort=soonest&limit=3',
  'status=revealed',
  'status=pending&category=general',
  'visibility=public',
  'q=la',
  'q=pour',
  'author',
  'author&sort=popular',
])('lists for a signed-in person what is read for them alone: %s', async (query) => {
  const { author: ofAuthor, ...parsed } = Object.fromEntries(new URLSearchParams(query)) as {
    author?: string
    limit?: number | string
  }
  if (parsed.limit) parsed.limit = Number(parsed.limit)
  const session = await server.ctx.db
    .selectFrom('sessions')
    .select('id')
    .where('userId', '=', reader.id)
    .executeTakeFirstOrThrow()
  const actor = { userId: reader.id, sessionId: session.id, verifiedEmailKey: reader.email }
  const { viewer, envelopes, now, nextCursor, counts } =
    ofAuthor === undefined
      ? await findRevelations(server.ctx, actor, parsed as object)
      : await findRevelationsOfUser(server.ctx, actor, author.id, parsed as object)
  const seen = await loadViews(server.ctx, { actor, viewer }, envelopes, now)
  const alone = { revelations: seen.map(presentRevelation), next_cursor: nextCursor, counts }
  const path = ofAuthor === undefined ? '/api/revelations' : `/api/revelations/user/${author.id}`
  const { body } = await server.call('GET', `${path}?${query.replace(/^author&?/, '')}`, {
    as: reader,
  })
  expect(body).toEqual(JSON.parse(JSON.stringify(revelationPageSchema.parse(alone))))
  expect(body.revelations.length).toBeGreaterThan(1)
})

it('answers each person about a letter what is read for them alone', async () => {
  const stranger = await verifiedPerson(server)
  const { rows } = await server.ctx.pool.query<{ id: string }>('select id from revelations')
  const askAll = (as: Person, headers = {}) =>
    Promise.all(
      rows.map(async ({ id }) => {
        const { status, body } = await server.call('GET', `/api/revelations/${id}`, { as, headers })
        return { id, status, body }
      }),
    )
  const own = JSON.stringify(await askAll(reader))
  for (const mark of ['"my_vote":"partly"', EMOJIS.slice(0, 3).join('","')])
    expect(own).toContain(mark)
  const found = new Map<Person, number>()
  for (const person of [reader, author, stranger]) {
    const answers = await askAll(person)
    // A key that opens nothing changes nothing but the way: nothing is shared with whoever bears one.
    expect(answers).toEqual(await askAll(person, keyHeaders('rien')))
    found.set(person, answers.filter(({ status }) => status === 200).length)
  }
  expect([...found.values()]).toEqual([9, 9, 7])
})

it('gives nobody the tickets of somebody else, wherever files are shown', async () => {
  const send = async () => {
    const { url, filename } = await uploadFile(server, author, { bytes: pdf(), name: 'plan.pdf' })
    return { url, id: filename.slice(0, 36) }
  }
  const [first, second, voice] = [await send(), await send(), await send()]
  const { id } = await seal(author, {
    title: 'Un album et une voix',
    reveal_date: server.clock.now.toISOString(),
    file_urls: [first.url, second.url],
    captions: ['Le plan', 'Le même'],
  })
  const rendered = ['teaser', 'thumbnail_teaser', 'thumbnail_complete', 'mobile', 'audio']
  const objects = [first, second, voice].flatMap((file) =>
    rendered.map((variant) => ({
      ...{ mediaId: file.id, variant, mimeType: 'video/mp4', sizeBytes: 1 },
      ...{ storageKey: `${file.id}/${variant}`, createdAt: server.clock.now },
    })),
  )
  await server.ctx.db.insertInto('mediaObjects').values(objects).execute()
  const shown = { sealVoiceId: voice.id, teaserStart: 0, teaserEnd: 5 }
  await server.ctx.db.updateTable('revelations').set(shown).where('id', '=', id).execute()
  const tickets = async (as?: Person) => {
    const { text } = await server.call('GET', `/api/revelations/${id}`, { as })
    return [...text.matchAll(/\?token=([\w-]+)/g)].map(([, ticket = '']) =>
      Buffer.from(ticket, 'base64url').toString(),
    )
  }
  const holderIn = (ticket: string) => JSON.parse(ticket)[2].split(':')[0]
  const ofVisitors = await tickets()
  expect(new Set(ofVisitors.map(holderIn))).toEqual(new Set(['visitor']))
  for (const person of [reader, await signedIn(server)]) {
    const own = await tickets(person)
    expect(own).toHaveLength(ofVisitors.length)
    expect(new Set(own.map(holderIn))).toEqual(new Set(['session']))
  }
  expect(ofVisitors.length).toBeGreaterThan(10)
  await server.call('DELETE', `/api/revelations/${id}`, { as: author })
})

it('answers its author while a letter is narrowed and shown again', async () => {
  const { id } = await seal(author, { title: 'Montrée, cachée' })
  let isDone = false
  const toggle = async () => {
    while (!isDone) {
      await server.ctx.pool.query(`update revelations
        set visibility = case visibility when 'public' then 'private' else 'public' end where id = '${id}'`)
    }
  }
  const toggling = toggle()
  const statuses = new Set<number>()
  for (let turn = 0; turn < 100; turn += 1) {
    const { status } = await server.call('GET', `/api/revelations/${id}`, { as: author })
    statuses.add(status)
  }
  isDone = true
  await toggling
  await server.call('DELETE', `/api/revelations/${id}`, { as: author })
  expect([...statuses]).toEqual([200])
})

describe('a list that was found a moment ago', () => {
  const found = () => findRevelations(server.ctx, null, { sort: 'newest', limit: 1 })

  it('shows a letter sealed at an instant before its reveal, although it was read after', async () => {
    const opensAt = new Date(server.clock.now.getTime() + 3_600_000)
    const { id } = await seal(author, { reveal_date: opensAt.toISOString() })
    const readAfter: CachedMany<PublicRow> = (ids, build) =>
      build({ ...server.ctx, now: () => new Date(opensAt) }, ids)
    const lettersAt = async (now: Date) => {
      const items = await readPublicItems(server.ctx, readAfter, [id], now)
      return [...items.values()].map(({ seen }) => seen.letter?.content)
    }
    expect(await lettersAt(opensAt)).toEqual([expect.any(String)])
    expect(await lettersAt(new Date(opensAt.getTime() - 1))).toEqual([undefined])
    await server.call('DELETE', `/api/revelations/${id}`, { as: author })
  })

  it('shows nobody a letter that was narrowed since', async () => {
    const { id } = await seal(author, { title: 'Retirée' })
    const narrow: CachedMany<PublicRow> = async (ids, build) => {
      const { pool } = server.ctx
      await pool.query(`update revelations set visibility = 'private' where id = '${id}'`)
      return build(server.ctx, ids)
    }
    const list = await found()
    expect(list.envelopes.map((envelope) => envelope.id)).toEqual([id])
    expect((await viewListForVisitor(server.ctx, narrow, list)).seen).toEqual([])
    const stranger = { userId: randomUUID(), sessionId: randomUUID(), verifiedEmailKey: null }
    const json = await readList(server.ctx, narrow, stranger, list)
    expect(JSON.parse(String(json))).toMatchObject({
      revelations: [],
      next_cursor: list.nextCursor,
    })
    await server.call('DELETE', `/api/revelations/${id}`, { as: author })
  })
})

it('hides what a blocked person shows, although everybody else shares it', async () => {
  const { body: before } = await server.call('GET', '/api/revelations', { as: reader })
  const createdAt = server.ctx.now()
  const block = { blockerId: author.id, blockedId: reader.id, createdAt }
  await server.ctx.db.insertInto('blocks').values(block).execute()
  const { body } = await server.call('GET', '/api/revelations', { as: reader })
  expect(body.revelations.map((item: Revelation) => item.author_id)).toEqual([reader.id, reader.id])
  expect(before.revelations.length).toBeGreaterThan(2)
  expect(body.counts.found).toBe(2)
  for (const { id, author_id } of before.revelations) {
    const { status } = await server.call('GET', `/api/revelations/${id}`, { as: reader })
    expect(status).toBe(author_id === reader.id ? 200 : 404)
  }
})
