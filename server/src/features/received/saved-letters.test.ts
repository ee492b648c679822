import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { inTransaction } from '#server/context.ts'
import {
  hideRevelation,
  restoreRevelation,
} from '#server/features/revelations/revelations.service.ts'
import {
  A_DAY_MS,
  createRevelation,
  keyHeaders,
  type RevelationOverrides,
  sealDelivered,
  sealPrivate,
  toAll,
  verifyEmail,
} from '#testing/factories.ts'
import { toneAudio } from '#testing/media-files.ts'
import {
  PASSWORD,
  type Person,
  signedIn,
  startTestServer,
  type TestApp,
} from '#testing/test-server.ts'
import { uploadFile } from '#testing/uploads.ts'

let server: TestApp
let author: Person
let reader: Person

beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())
beforeEach(async () => {
  author = await signedIn(server)
  reader = await signedIn(server)
  server.mailbox.all.length = 0
})

const sealOpened = (changes?: RevelationOverrides) => sealDelivered(server, author, changes)

function save(id: string, key: string | undefined, as: Person | undefined = reader) {
  return server.call('POST', `/api/revelations/${id}/save`, { as, headers: keyHeaders(key) })
}

function unsave(id: string, as = reader) {
  return server.call('DELETE', `/api/revelations/${id}/save`, { as })
}

async function sealSaved(changes?: RevelationOverrides) {
  const sealed = await sealOpened(changes)
  expect((await save(sealed.id, sealed.key)).status).toBe(200)
  return sealed
}

function read(id: string, as: Person | undefined = reader) {
  return server.call('GET', `/api/revelations/${id}`, { as })
}

async function receivedIds(as = reader): Promise<string[]> {
  const { body } = await server.call('GET', '/api/revelations/received', { as })
  return body.revelations.map(({ id }: { id: string }) => id)
}

function act(deliveryId: string, action: 'revoke' | 'resend', as = author) {
  return server.call('POST', `/api/deliveries/${deliveryId}/${action}`, { as })
}

describe('POST /api/revelations/:id/save', () => {
  it('joins a letter to the account, which reads it without the link from then on', async () => {
    const { id, key, address } = await sealOpened()
    expect((await read(id)).status).toBe(404)
    expect(await save(id, key)).toMatchObject({ status: 200, body: { success: true } })
    expect((await save(id, key)).status).toBe(200)
    const { body } = await read(id)
    expect(body.revelation).toMatchObject({
      content: 'Il fera beau toute la journée.',
      target_email: address,
      opening: { needed: true, opened_at: null, tells_author: true },
    })
    expect(await receivedIds()).toEqual([id])
    expect((await read(id, await signedIn(server))).status).toBe(404)
  })

  it('answers a dead key, the key of another letter, a media ticket and no key as a missing letter', async () => {
    const file = await uploadFile(server, author, { bytes: await toneAudio('mp3', 1) })
    const { id, deliveryId, key } = await sealOpened({ file_url: file.url, file_type: 'audio' })
    const other = await sealOpened()
    const { body } = await server.call('GET', `/api/revelations/${id}`, {
      headers: keyHeaders(key),
    })
    const ticket = new URL(body.revelation.file_url, 'http://x').searchParams.get('token') ?? ''
    await act(deliveryId, 'revoke')
    const missing = await save(randomUUID(), other.key)
    expect(missing.status).toBe(404)
    for (const wrong of [undefined, key, other.key, ticket, randomUUID(), deliveryId]) {
      const { status, text } = await save(id, wrong)
      expect([status, text]).toEqual([404, missing.text])
    }
    // Anybody may see this one, and joins it no more by that.
    const everybodys = await sealOpened({ visibility: 'public' })
    expect(await save(everybodys.id, undefined)).toMatchObject({ status: 404, text: missing.text })
    expect(await save(everybodys.id, other.key)).toMatchObject({ status: 404, text: missing.text })
    expect(await receivedIds()).toEqual([])
  })

  it('needs an account, and the instant', async () => {
    const { id, key } = await sealOpened()
    const { status } = await server.call('POST', `/api/revelations/${id}/save`, {
      headers: keyHeaders(key),
    })
    expect(status).toBe(401)
    const early = await sealPrivate(server, author)
    const { rows } = await server.ctx.pool.query(
      `update deliveries set key_hash = sha256('trop tôt'::bytea) where revelation_id = $1 returning id`,
      [early.id],
    )
    expect(rows).toHaveLength(1)
    expect((await save(early.id, 'trop tôt')).status).toBe(404)
    await server.ctx.pool.query(`update revelations set visibility = 'public' where id = $1`, [
      early.id,
    ])
    expect(await save(early.id, 'trop tôt')).toMatchObject({
      status: 409,
      body: { code: 'still_sealed' },
    })
    expect(await receivedIds()).toEqual([])
  })

  it('is not for the author of a letter to somebody else, and is for a capsule for oneself', async () => {
    const { id, key } = await sealOpened()
    expect((await save(id, key, author)).status).toBe(403)
    expect(await receivedIds(author)).toEqual([])
    const own = await sealOpened({ target_email: author.email })
    expect(await receivedIds(author)).toEqual([])
    expect((await save(own.id, own.key, author)).status).toBe(200)
    expect(await receivedIds(author)).toEqual([own.id])
    await verifyEmail(server, author)
    expect(await receivedIds(author)).toEqual([own.id])
  })

  it('joins one letter to as many accounts as use its link, and leaves them apart', async () => {
    const { id, key } = await sealSaved()
    const second = await signedIn(server)
    await save(id, key, second)
    expect([await receivedIds(), await receivedIds(second)]).toEqual([[id], [id]])
  })
})

describe('DELETE /api/revelations/:id/save', () => {
  it('takes the letter from the account alone: its link opens it, and joins it again', async () => {
    const { id, key } = await sealSaved()
    const second = await signedIn(server)
    await save(id, key, second)
    expect(await unsave(id)).toMatchObject({ status: 200, body: { success: true } })
    const missing = await read(randomUUID())
    expect([(await read(id)).status, (await read(id)).text]).toEqual([404, missing.text])
    expect(await receivedIds()).toEqual([])
    const exported = await server.call('GET', '/api/auth/export', { as: reader })
    expect(exported.body.saved_letters).toEqual([])
    expect(await receivedIds(second)).toEqual([id])
    const byLink = await server.call('GET', `/api/revelations/${id}`, { headers: keyHeaders(key) })
    expect(byLink.status).toBe(200)
    expect((await save(id, key)).status).toBe(200)
    expect(await receivedIds()).toEqual([id])
  })

  it('answers a letter that was not joined as a missing one, and changes nothing', async () => {
    const { id, key, deliveryId } = await sealSaved()
    const everybodys = await sealOpened({ visibility: 'public' })
    const addressed = await sealDelivered(server, author, { target_email: reader.email })
    await verifyEmail(server, reader)
    const missing = await unsave(randomUUID())
    expect(missing.status).toBe(404)
    const stranger = await signedIn(server)
    const refused = [
      await unsave(id, stranger),
      await unsave(id, author),
      await server.call('DELETE', `/api/revelations/${id}/save`, {
        as: stranger,
        headers: keyHeaders(key),
      }),
      await unsave(everybodys.id),
      await unsave(addressed.id),
    ]
    for (const { status, text } of refused) expect([status, text]).toEqual([404, missing.text])
    expect((await receivedIds()).toSorted()).toEqual([id, addressed.id].toSorted())
    expect((await unsave(id)).status).toBe(200)
    expect(await unsave(id)).toMatchObject({ status: 404, text: missing.text })
    await save(id, key)
    await act(deliveryId, 'revoke')
    expect(await unsave(id)).toMatchObject({ status: 404, text: missing.text })
    const anonymous = await server.call('DELETE', `/api/revelations/${id}/save`, {
      headers: keyHeaders(key),
    })
    expect(anonymous.status).toBe(401)
  })
})

describe('a saved letter', () => {
  it('ends with its link: detail, file, archive, replies, opening, list and export', async () => {
    const file = await uploadFile(server, author, { bytes: await toneAudio('mp3', 1) })
    const { id, deliveryId, address, key } = await sealSaved({
      file_url: file.url,
      file_type: 'audio',
    })
    const { body } = await read(id)
    const fileUrl: string = body.revelation.file_url
    const archive = await server.call('POST', `/api/revelations/${id}/archive`, { as: reader })
    const get = async (url: string) => (await server.call('GET', url, { as: reader })).status
    const doors = {
      file: () => get(fileUrl),
      archive: () => get(archive.body.url),
      proof: () => get(`/api/revelations/${id}/proof`),
      replies: () => get(`/api/revelations/${id}/replies`),
      comments: () => get(`/api/comments/${id}`),
      opening: async () =>
        (await server.call('POST', `/api/revelations/${id}/open`, { as: reader })).status,
      reply: async () =>
        (
          await server.call('POST', `/api/revelations/${id}/replies`, {
            as: reader,
            body: { emoji: '❤️' },
          })
        ).status,
    }
    const all = async () =>
      Object.fromEntries(
        await Promise.all(
          Object.entries(doors).map(async ([name, open]) => [name, await open()] as const),
        ),
      )
    expect(await all()).toEqual({
      file: 200,
      archive: 200,
      proof: 200,
      replies: 200,
      comments: 200,
      opening: 200,
      reply: 201,
    })
    await act(deliveryId, 'revoke')
    expect(Object.values(await all())).toEqual(Object.keys(doors).map(() => 404))
    expect((await read(id)).text).toBe((await read(randomUUID())).text)
    expect(await receivedIds()).toEqual([])
    const exported = await server.call('GET', '/api/auth/export', { as: reader })
    expect(exported.body.saved_letters).toEqual([])
    // The next link is another’s: it has to be joined anew.
    server.clock.advance(A_DAY_MS)
    await act(deliveryId, 'resend')
    await server.runJobs()
    expect((await read(id)).status).toBe(404)
    expect(await receivedIds()).toEqual([])
    expect((await save(id, key)).status).toBe(404)
    const nextKey = server.mailbox.lastKeyTo(address)
    expect(nextKey).not.toBe(key)
    expect((await save(id, nextKey)).status).toBe(200)
    expect(await receivedIds()).toEqual([id])
  })

  it('stays when its link is sent again unrevoked, and ends when its delivery gets another address', async () => {
    const { id, deliveryId } = await sealSaved()
    server.clock.advance(A_DAY_MS)
    expect((await act(deliveryId, 'resend')).status).toBe(200)
    expect((await read(id)).status).toBe(200)
    await server.ctx.db
      .updateTable('deliveries')
      .set({ state: 'failed', sentAt: null })
      .where('id', '=', deliveryId)
      .execute()
    const moved = await server.call('PUT', `/api/deliveries/${deliveryId}`, {
      as: author,
      body: { address: `autre.${randomUUID()}@exemple.fr` },
    })
    expect(moved.status).toBe(200)
    expect((await read(id)).status).toBe(404)
    expect(await receivedIds()).toEqual([])
  })

  it('is hidden with the letter under review, back when it is restored, gone when it is deleted', async () => {
    const { id } = await sealSaved()
    await inTransaction(server.ctx, (tx) => hideRevelation(tx, id))
    expect((await read(id)).status).toBe(404)
    expect(await receivedIds()).toEqual([])
    await inTransaction(server.ctx, (tx) => restoreRevelation(tx, id))
    expect(await receivedIds()).toEqual([id])
    await server.call('DELETE', `/api/revelations/${id}`, { as: author })
    expect((await read(id)).status).toBe(404)
    expect(await receivedIds()).toEqual([])
    const { rowCount } = await server.ctx.pool.query(
      'select from saved_letters where revelation_id = $1',
      [id],
    )
    expect(rowCount).toBe(0)
  })

  it('stays through a block, as what is sealed for somebody does', async () => {
    const { id } = await sealSaved({ visibility: 'public' })
    await server.call('PUT', `/api/relationships/blocks/${reader.id}`, { as: author })
    expect((await read(id)).status).toBe(200)
    expect(await receivedIds()).toEqual([id])
  })

  it('leaves with the account', async () => {
    const { id } = await sealSaved()
    const gone = await server.call('DELETE', '/api/auth/account', {
      as: reader,
      body: { password: PASSWORD },
    })
    expect(gone.status).toBe(200)
    const { rowCount } = await server.ctx.pool.query(
      'select from saved_letters where revelation_id = $1',
      [id],
    )
    expect(rowCount).toBe(0)
  })

  it('is one person with its link: openings, replies, and what is written back', async () => {
    const { id, key } = await sealSaved()
    const byLink = { headers: keyHeaders(key) }
    const opened = await server.call('POST', `/api/revelations/${id}/open`, byLink)
    expect((await read(id)).body.revelation.opening).toMatchObject({
      needed: false,
      ...opened.body,
    })
    const replies = `/api/revelations/${id}/replies`
    const sent = await server.call('POST', replies, { ...byLink, body: { content: 'Merci.' } })
    const seen = await server.call('GET', replies, { as: reader })
    expect(seen.body.replies.map(({ id }: { id: string }) => id)).toEqual([sent.body.reply.id])
    const own = await server.call('POST', replies, { as: reader, body: { content: 'Encore.' } })
    await server.call('POST', `${replies}/${own.body.reply.id}/answer`, {
      as: author,
      body: { content: 'De rien.' },
    })
    const exported = await server.call('GET', '/api/auth/export', { as: reader })
    expect(exported.body.replies).toMatchObject([
      { content: 'Encore.', answer: { content: 'De rien.' } },
    ])
    expect(exported.body.saved_letters).toMatchObject([{ revelation_id: id }])
    const { body } = await server.call('GET', '/api/revelations/received', { as: reader })
    expect(body.revelations[0].received).toMatchObject({ state: 'opened', is_answered: true })
  })

  it('shows each address to whoever has its link, and no other', async () => {
    const first = `premiere.${randomUUID()}@exemple.fr`
    const second = `seconde.${randomUUID()}@exemple.fr`
    const { id } = await createRevelation(server, author, {
      ...toAll(first, second),
      visibility: 'private',
    })
    server.clock.advance(A_DAY_MS)
    await server.runJobs()
    await save(id, server.mailbox.lastKeyTo(second))
    expect((await read(id)).body.revelation.target_email).not.toBe(first)
    const other = await signedIn(server)
    await save(id, server.mailbox.lastKeyTo(first), other)
    expect((await read(id, other)).body.revelation.target_email).toBe(first)
    // Each ends with its own link alone.
    const { body } = await read(id, author)
    await act(body.revelation.deliveries[1].id, 'revoke')
    expect([(await read(id)).status, (await read(id, other)).status]).toEqual([404, 200])
  })

  it('is found in the feed as what was received, when everybody sees it', async () => {
    const { id, key } = await sealOpened({ visibility: 'public' })
    const inFeed = async () => {
      const { body } = await server.call('GET', '/api/revelations', { as: reader })
      return body.revelations.find((one: { id: string }) => one.id === id)
    }
    expect((await inFeed()).opening.needed).toBe(false)
    await save(id, key)
    expect((await inFeed()).opening).toMatchObject({ needed: true, tells_author: true })
  })
})
