import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { REPLIES_PER_DAY } from '#contract/replies.ts'
import { suppressAddress } from '#server/features/mails/mail-preferences.service.ts'
import { readPath } from '#server/features/media/file-names.rules.ts'
import { createTicket } from '#server/features/media/file-serving.service.ts'
import { sweepUnusedMedia } from '#server/features/media/sweep.service.ts'
import { catchUp, openPage } from '#testing/event-page.ts'
import {
  A_DAY_MS,
  keyHeaders,
  type RevelationOverrides,
  sealDelivered,
  sealPrivate,
  toAll,
  verifiedPerson,
} from '#testing/factories.ts'
import { picture, silentWav, toneAudio } from '#testing/media-files.ts'
import { type Person, signedIn, startTestServer, type TestApp } from '#testing/test-server.ts'
import { sendFile } from '#testing/uploads.ts'

let server: TestApp
let author: Person
let stranger: Person

beforeAll(async () => {
  server = await startTestServer()
  stranger = await signedIn(server)
})
afterAll(() => server.close())
beforeEach(async () => {
  author = await verifiedPerson(server)
  server.mailbox.all.length = 0
})

/** Who calls: an account, the bearer of a key, or nobody. */
interface Caller {
  as?: Person | undefined
  key?: string
}

const seal = (changes?: RevelationOverrides) => sealPrivate(server, author, changes)
const sealOpened = (changes?: RevelationOverrides) => sealDelivered(server, author, changes)

const accountAt = (email: string) => verifiedPerson(server, { email })

function call(method: string, path: string, caller: Caller, body?: unknown) {
  const options = { as: caller.as, headers: keyHeaders(caller.key), ...(body ? { body } : {}) }
  return server.call(method, `/api/${path}`, options)
}

function reply(id: string, caller: Caller, body: unknown = { content: 'Merci' }) {
  return call('POST', `revelations/${id}/replies`, caller, body)
}

async function repliesTo(id: string, caller: Caller) {
  return (await call('GET', `revelations/${id}/replies`, caller)).body
}

async function addedReply(id: string, caller: Caller, body?: unknown) {
  const answer = await reply(id, caller, body)
  if (answer.status !== 201) throw new Error(`Cannot reply: ${answer.text}`)
  return answer.body.reply
}

function sendVoice(caller: Caller, bytes: Buffer, name = 'voix.webm') {
  return sendFile(server, caller.as, { bytes, name, folder: 'audio' }, keyHeaders(caller.key))
}

async function countSentByLink(revelationId: string): Promise<number | null> {
  const { rowCount } = await server.ctx.pool.query(
    'select from media where delivery_id in (select id from deliveries where revelation_id = $1)',
    [revelationId],
  )
  return rowCount
}

function statusOf(url: string) {
  return server.call('GET', url).then(({ status }) => status)
}

describe('who may reply', () => {
  it('is the bearer of the personal link, and the author alone reads it', async () => {
    const { id, key, address } = await sealOpened({ visibility: 'public' })
    const added = await addedReply(id, { key }, { content: '  Merci, de loin  ', emoji: '❤️' })
    expect(added).toMatchObject({
      from: { pseudo: null, name: null, avatar_url: null, address: null },
      ...{ content: 'Merci, de loin', emoji: '❤️', audio_url: null, duration: null },
      ...{ read_at: null, answer: null },
      can: { answer: false, block: false, report: false },
    })
    expect(await repliesTo(id, { as: author })).toMatchObject({
      replies: [
        {
          ...{ id: added.id, content: 'Merci, de loin', emoji: '❤️' },
          from: { address, pseudo: null },
          can: { answer: true, block: true, report: true },
        },
      ],
      ...{ can_reply: false, blocks: [] },
    })
    expect(await repliesTo(id, { key })).toEqual({ replies: [added], can_reply: true, blocks: [] })
  })

  it('is the account of the address, which shares its replies with the link', async () => {
    const { id, key, address } = await sealOpened()
    const account = await accountAt(address)
    const mine = await addedReply(id, { as: account })
    expect(mine.from.pseudo).toBe(account.pseudo)
    expect((await repliesTo(id, { key })).replies).toEqual([mine])
    const other = { as: await signedIn(server), key }
    server.clock.advance(1_000)
    expect((await addedReply(id, other)).from.pseudo).toBeNull()
    const { replies } = await repliesTo(id, { as: author })
    expect(replies.map(({ from }: typeof mine) => from.pseudo)).toEqual([account.pseudo, null])
  })

  it('is neither the author, nor whoever sealed it for themself', async () => {
    const { id } = await sealOpened()
    expect(await reply(id, { as: author })).toMatchObject({ status: 403 })
    const own = await sealOpened({ target_email: author.email })
    expect((await repliesTo(own.id, { as: author })).can_reply).toBe(false)
    const byLink = { key: own.key }
    expect(await repliesTo(own.id, byLink)).toMatchObject({ replies: [], can_reply: false })
    expect(await reply(own.id, byLink)).toMatchObject({ status: 403 })
  })

  it('is nobody else: to them it is a letter that is not there', async () => {
    const { id, key } = await sealOpened({ visibility: 'public' })
    const { id: replyId } = await addedReply(id, { key })
    const { key: otherKey } = await sealOpened()
    const missing = await call('GET', `revelations/${randomUUID()}/replies`, {})
    const calls: [string, string, unknown?][] = [
      ['GET', `revelations/${id}/replies`],
      ['POST', `revelations/${id}/replies`, { content: 'Et moi' }],
      ['DELETE', `revelations/${id}/replies/${replyId}`],
      ['POST', `revelations/${id}/replies/${replyId}/answer`, { content: 'Et moi' }],
      ['POST', `revelations/${id}/replies/read`],
      ['POST', `revelations/${id}/replies/${replyId}/block`],
    ]
    for (const caller of [{}, { as: stranger }, { key: otherKey }, { key: 'x' }]) {
      for (const [method, path, body] of calls) {
        const { status, text } = await call(method, path, caller, body)
        expect([method, path, status, text]).toEqual([method, path, 404, missing.text])
      }
    }
    for (const [method, path, body] of calls.slice(3)) {
      expect(await call(method, path, { key }, body)).toMatchObject({ status: 404 })
    }
    expect((await repliesTo(id, { as: author })).replies).toHaveLength(1)
  })

  it('is each of two addressees, who learn nothing of each other', async () => {
    const second = `second.${randomUUID()}@exemple.fr`
    const { id, key } = await sealOpened(toAll(`premier.${randomUUID()}@exemple.fr`, second))
    const other = { key: server.mailbox.lastKeyTo(second) }
    const sent = await sendVoice({ key }, await toneAudio('webm', 1))
    const mine = await addedReply(id, { key }, { file_url: sent.body.url })
    expect(await repliesTo(id, other)).toMatchObject({ replies: [], can_reply: true })
    const deleted = await call('DELETE', `revelations/${id}/replies/${mine.id}`, other)
    expect(deleted).toMatchObject({ status: 404 })
    const { mediaId } = readPath(mine.audio_url) ?? expect.unreachable('no such address')
    const { rows } = await server.ctx.pool.query(
      `select id from deliveries where revelation_id = $1 and position = 1`,
      [id],
    )
    // A true ticket, so that the gate alone can refuse.
    const ticket = createTicket(server.ctx, mediaId, 'original', `key:${rows[0].id}`)
    expect(await statusOf(mine.audio_url)).toBe(200)
    expect(await statusOf(`${mine.audio_url.split('?')[0]}?token=${ticket}`)).toBe(404)
    await addedReply(id, other)
    expect((await repliesTo(id, { key })).replies).toHaveLength(1)
    expect((await repliesTo(id, { as: author })).replies).toHaveLength(2)
  })

  it('is nobody before the instant, not even who was told', async () => {
    const letter = await seal({ visibility: 'public' })
    const account = await accountAt(letter.address)
    await server.call('POST', `/api/revelations/${letter.id}/notify`, { as: author })
    for (const caller of [{ as: account }, { as: stranger }, {}]) {
      expect(await reply(letter.id, caller)).toMatchObject({ status: 404 })
      expect(await call('GET', `revelations/${letter.id}/replies`, caller)).toMatchObject({
        status: 404,
      })
    }
    expect(await repliesTo(letter.id, { as: author })).toMatchObject({ replies: [] })
  })

  it('ends with the link, and with a letter that operators hide', async () => {
    const { id, key } = await sealOpened()
    await addedReply(id, { key })
    await server.ctx.pool.query('update revelations set hidden_at = now() where id = $1', [id])
    expect(await reply(id, { key })).toMatchObject({ status: 404 })
    await server.ctx.pool.query('update revelations set hidden_at = null where id = $1', [id])
    const { rows } = await server.ctx.pool.query(
      'select id from deliveries where revelation_id = $1',
      [id],
    )
    await call('POST', `deliveries/${rows[0].id}/revoke`, { as: author })
    expect(await reply(id, { key })).toMatchObject({ status: 403, body: { code: 'link_revoked' } })
  })
})

describe('a reply', () => {
  it('is a word, one emoji or a voice, and refused without', async () => {
    const { id, key } = await sealOpened()
    for (const body of [
      {},
      { content: '   ' },
      { content: '\u200B \u2060' },
      { emoji: 'non' },
      { emoji: '❤️❤️' },
      { content: 'x'.repeat(1_001) },
      { file_url: '/api/secure-file/audio/nulle-part.webm' },
    ]) {
      expect(await reply(id, { key }, body)).toMatchObject({ status: 400 })
    }
    for (const emoji of [
      '👩🏽\u200D❤️\u200D👨🏿',
      '👍🏽',
      '🇫🇷',
      '1️⃣',
      '🏴\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F}',
    ]) {
      expect((await addedReply(id, { key }, { emoji })).emoji).toBe(emoji)
    }
  })

  it('has no words in its emoji, not even hung on it', async () => {
    const { id, key } = await sealOpened()
    const hidden = '\u{E0048}\u{E0049}'
    for (const emoji of ['\u0600❤', '❤\u0363\u0364', `❤${'\u0301'.repeat(60)}`, `❤${hidden}`]) {
      expect(await reply(id, { key }, { emoji })).toMatchObject({ status: 400 })
    }
  })

  it('is the same when it is sent again, and an id of somebody else is refused', async () => {
    const { id, key } = await sealOpened()
    const other = await sealOpened()
    const chosen = { id: randomUUID(), content: 'Une fois' }
    server.mailbox.all.length = 0
    const [one, two] = await Promise.all([reply(id, { key }, chosen), reply(id, { key }, chosen)])
    expect([one.status, two.status, one.body]).toEqual([201, 201, two.body])
    await server.runJobs()
    expect(server.mailbox.all).toHaveLength(1)
    const stolen = await reply(other.id, { key: other.key }, chosen)
    expect(stolen).toMatchObject({ status: 400, body: { fields: { id: 'Identifiant invalide' } } })
  })

  it('may be sent five times in 24 hours, however many at once, by link and account together', async () => {
    const { id, key, address } = await sealOpened()
    const account = await accountAt(address)
    const callers = Array.from({ length: 8 }, (_, n) => (n % 2 ? { key } : { as: account }))
    const answers = await Promise.all(callers.map((caller) => reply(id, caller)))
    const statuses = answers.map(({ status }) => status)
    expect(statuses.filter((status) => status === 201)).toHaveLength(REPLIES_PER_DAY)
    const refused = answers.find(({ status }) => status !== 201)
    expect(refused).toMatchObject({ status: 429, body: { code: 'replies_per_day' } })
    expect(refused?.headers['retry-after']).toBe(String(A_DAY_MS / 1_000))
    // What is deleted was sent all the same.
    const [first] = (await repliesTo(id, { key })).replies
    await call('DELETE', `revelations/${id}/replies/${first.id}`, { key })
    expect(await reply(id, { key })).toMatchObject({ status: 429 })
    const { id: otherId, key: otherKey } = await sealOpened()
    expect(await reply(otherId, { key: otherKey })).toMatchObject({ status: 201 })
    server.clock.advance(1_000)
    expect(await reply(id, { key })).toMatchObject({ status: 201 })
  })

  it('lies sealed in the database, as does what is written back', async () => {
    const { id, key } = await sealOpened()
    const { id: replyId } = await addedReply(id, { key }, { content: 'Chuchoté', emoji: '🎉' })
    await call(
      'POST',
      `revelations/${id}/replies/${replyId}/answer`,
      { as: author },
      {
        content: 'Murmuré',
      },
    )
    const { rows } = await server.ctx.pool.query('select replies::text as row from replies')
    const bytes = await server.ctx.pool.query(
      `select encode(sealed_content, 'escape') || encode(sealed_emoji, 'escape') || encode(sealed_answer, 'escape') as text
       from replies where id = $1`,
      [replyId],
    )
    const all = JSON.stringify([rows, bytes.rows])
    for (const word of ['Chuchot', 'Murmur', '🎉', Buffer.from('Chuchoté').toString('hex')]) {
      expect(all).not.toContain(word)
    }
  })

  it('is read once the author says so, who sees it unread until then', async () => {
    const { id, key } = await sealOpened()
    await addedReply(id, { key })
    await repliesTo(id, { as: author })
    expect((await repliesTo(id, { key })).replies[0].read_at).toBeNull()
    await call('POST', `revelations/${id}/replies/read`, { as: author })
    const readAt = server.clock.now.toISOString()
    server.clock.advance(1_000)
    await call('POST', `revelations/${id}/replies/read`, { as: author })
    for (const caller of [{ key }, { as: author }]) {
      expect((await repliesTo(id, caller)).replies[0].read_at).toBe(readAt)
    }
  })

  it('is answered once, by the author', async () => {
    const { id, key } = await sealOpened()
    const { id: replyId } = await addedReply(id, { key })
    const path = `revelations/${id}/replies/${replyId}/answer`
    expect(await call('POST', path, { as: author }, { content: ' ' })).toMatchObject({
      status: 400,
    })
    const answers = await Promise.all(
      ['Un', 'Deux'].map((content) => call('POST', path, { as: author }, { content })),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409])
    const kept = answers.find(({ status }) => status === 201)?.body.reply
    expect(kept.can.answer).toBe(false)
    const [seen] = (await repliesTo(id, { key })).replies
    expect(seen.answer).toEqual(kept.answer)
    expect(seen.answer.created_at).toBe(server.clock.now.toISOString())
  })

  it('is deleted by either side, with what was written back', async () => {
    const { id, key } = await sealOpened()
    for (const by of [{ key }, { as: author }]) {
      const { id: replyId } = await addedReply(id, { key })
      await call(
        'POST',
        `revelations/${id}/replies/${replyId}/answer`,
        { as: author },
        {
          content: 'Bien reçu',
        },
      )
      const gone = () => call('DELETE', `revelations/${id}/replies/${replyId}`, by)
      expect(await gone()).toMatchObject({ status: 200, body: { success: true } })
      expect(await gone()).toMatchObject({ status: 404 })
      expect((await repliesTo(id, { as: author })).replies).toEqual([])
    }
  })

  it('goes with its letter, and with the account that wrote it', async () => {
    const { id, key, address } = await sealOpened()
    const account = await accountAt(address)
    await addedReply(id, { key })
    await addedReply(id, { as: account })
    const count = async () =>
      (await server.ctx.pool.query('select from replies where revelation_id = $1', [id])).rowCount
    await server.call('DELETE', '/api/auth/account', {
      as: account,
      body: { password: 'mot de passe de test' },
    })
    expect(await count()).toBe(1)
    await call('DELETE', `revelations/${id}`, { as: author })
    expect(await count()).toBe(0)
  })

  it('is not of whoever has the address of the delivery next', async () => {
    const { id, address } = await seal()
    const account = await accountAt(address)
    server.clock.advance(A_DAY_MS)
    const { id: replyId } = await addedReply(id, { as: account })
    const { rows } = await server.ctx.pool.query(
      'select id from deliveries where revelation_id = $1',
      [id],
    )
    const next = `suivant.${randomUUID()}@exemple.fr`
    await call('PUT', `deliveries/${rows[0].id}`, { as: author }, { address: next })
    await server.runJobs()
    const key = server.mailbox.lastKeyTo(next)
    expect(await repliesTo(id, { key })).toMatchObject({ replies: [], can_reply: true })
    const deleted = await call('DELETE', `revelations/${id}/replies/${replyId}`, { key })
    expect(deleted).toMatchObject({ status: 404 })
    expect((await repliesTo(id, { as: author })).replies).toHaveLength(1)
  })
})

describe('a block', () => {
  it('takes no more replies from that person, to any letter, until it is lifted', async () => {
    const { id, key, address } = await sealOpened()
    const again = await sealOpened({ target_email: address })
    const { id: replyId } = await addedReply(id, { key })
    const path = `revelations/${id}/replies/${replyId}/block`
    for (let n = 0; n < 2; n += 1) {
      expect(await call('POST', path, { as: author })).toMatchObject({ status: 201 })
    }
    const account = await accountAt(address)
    for (const caller of [{ key: again.key }, { as: account }]) {
      const refused = { status: 403, body: { code: 'replies_blocked' } }
      expect(await reply(again.id, caller)).toMatchObject(refused)
      const seen = { can_reply: false, blocks: [] }
      expect(await repliesTo(again.id, caller)).toMatchObject(seen)
    }
    const seen = await repliesTo(again.id, { as: author })
    expect(seen.blocks).toEqual([{ id: expect.any(String), address }])
    const [kept] = (await repliesTo(id, { as: author })).replies
    expect(kept.can).toEqual({ answer: false, block: false, report: true })
    const lift = (as: Person) => call('DELETE', `replies/blocks/${seen.blocks[0].id}`, { as })
    expect(await lift(stranger)).toMatchObject({ status: 404 })
    expect(await lift(author)).toMatchObject({ status: 200 })
    expect(await reply(id, { key })).toMatchObject({ status: 201 })
  })

  it('between two people counts here too, whether they are signed in or not', async () => {
    const { id, key, address } = await sealOpened()
    const account = await accountAt(address)
    await call('PUT', `relationships/blocks/${account.id}`, { as: author })
    for (const caller of [{ key }, { as: account }]) {
      expect(await reply(id, caller)).toMatchObject({ status: 403 })
      expect(await repliesTo(id, caller)).toMatchObject({ can_reply: false })
    }
  })

  it('betrays no account that wrote by somebody else’s link', async () => {
    const account = await accountAt(`compte.${randomUUID()}@exemple.fr`)
    const { id, key } = await sealOpened()
    const own = await sealOpened({ target_email: account.email })
    const { id: byLink } = await addedReply(id, { as: account, key })
    await addedReply(own.id, { as: account })
    const canTo = async (letterId: string) =>
      (await repliesTo(letterId, { as: author })).replies[0].can
    const anything = { answer: true, block: true, report: true }
    await call('POST', `revelations/${id}/replies/${byLink}/block`, { as: author })
    expect(await canTo(own.id)).toEqual(anything)
    const [{ id: blockId }] = (await repliesTo(id, { as: author })).blocks
    await call('DELETE', `replies/blocks/${blockId}`, { as: author })
    await call('PUT', `relationships/blocks/${account.id}`, { as: author })
    expect(await canTo(own.id)).toEqual({ ...anything, answer: false })
    expect(await canTo(id)).toEqual(anything)
    const path = `revelations/${id}/replies/${byLink}/answer`
    const answer = await call('POST', path, { as: author }, { content: 'Qui êtes-vous ?' })
    expect(answer).toMatchObject({ status: 201 })
    // To whoever writes, the block counts all the same.
    expect(await reply(id, { as: account, key })).toMatchObject({ status: 403 })
  })
})

describe('a voice', () => {
  it('is sent by the link alone, heard by both sides, and goes with the reply', async () => {
    const { id, key } = await sealOpened()
    const sent = await sendVoice({ key }, await toneAudio('webm', 1))
    expect(sent.status).toBe(201)
    expect(await statusOf(sent.body.url)).toBe(200)
    const voiced = await addedReply(id, { key }, { content: 'Écoute', file_url: sent.body.url })
    expect(voiced.duration).toBeCloseTo(1, 0)
    await server.runJobs()
    const urls = []
    for (const caller of [{ key }, { as: author }]) {
      const [seen] = (await repliesTo(id, caller)).replies
      expect(seen.audio_url).toContain('/api/audio/')
      expect(await statusOf(seen.audio_url)).toBe(200)
      urls.push(seen.audio_url)
    }
    // The same bytes answer no second reply.
    expect(await reply(id, { key }, { file_url: sent.body.url })).toMatchObject({ status: 400 })
    await server.ctx.pool.query('update revelations set hidden_at = now() where id = $1', [id])
    expect(await statusOf(urls[0])).toBe(404)
    await server.ctx.pool.query('update revelations set hidden_at = null where id = $1', [id])
    await call('DELETE', `revelations/${id}/replies/${voiced.id}`, { key })
    for (const url of [...urls, sent.body.url]) expect(await statusOf(url)).toBe(404)
    expect(await countSentByLink(id)).toBe(0)
  })

  it('goes with the letter, and may be sent by an account', async () => {
    const { id, address } = await sealOpened()
    const account = await accountAt(address)
    const sent = await sendVoice({ as: account }, await toneAudio('webm', 1))
    const { audio_url } = await addedReply(id, { as: account }, { file_url: sent.body.url })
    expect(await statusOf(audio_url)).toBe(200)
    await call('DELETE', `revelations/${id}`, { as: author })
    expect(await statusOf(audio_url)).toBe(404)
    const { rowCount } = await server.ctx.pool.query('select from media where owner_id = $1', [
      account.id,
    ])
    expect(rowCount).toBe(0)
  })

  it('is refused when it is too long, too heavy or none, by either door', async () => {
    const { id, key, address } = await sealOpened()
    const account = await accountAt(address)
    const long = silentWav(181)
    expect(await sendVoice({ key }, long, 'voix.wav')).toMatchObject({
      ...{ status: 413, body: { code: 'media_too_long' } },
    })
    const heavy = Buffer.concat([await toneAudio('webm', 1), Buffer.alloc(10 * 1024 * 1024 + 1)])
    expect(await sendVoice({ key }, heavy)).toMatchObject({
      ...{ status: 413, body: { code: 'file_too_large' } },
    })
    expect((await sendVoice({ key }, await picture('png'), 'image.png')).body.code).toBe(
      'unsupported_type',
    )
    const sent = await sendVoice({ as: account }, long, 'voix.wav')
    const refused = await reply(id, { as: account }, { file_url: sent.body.url })
    expect(refused).toMatchObject({
      status: 400,
      body: { fields: { file_url: expect.any(String) } },
    })
    expect(await countSentByLink(id)).toBe(0)
  })

  it('is taken from no key of a letter to oneself, which has no replies', async () => {
    const { key } = await sealOpened({ target_email: author.email })
    expect(await sendVoice({ key }, await toneAudio('webm', 1))).toMatchObject({ status: 401 })
  })

  it('is taken from no key before its instant, nor from an unknown one', async () => {
    const { id, key } = await sealOpened()
    const bytes = await toneAudio('webm', 1)
    await server.ctx.pool.query(
      `update revelations set reveal_at = reveal_at + interval '2 days' where id = $1`,
      [id],
    )
    for (const caller of [{ key }, { key: 'inconnue' }, {}]) {
      expect(await sendVoice(caller, bytes)).toMatchObject({ status: 401 })
    }
  })

  it('that nobody sends is swept a day later, and is taken from nobody who is blocked', async () => {
    const { id, key } = await sealOpened()
    const bytes = await toneAudio('webm', 1)
    const sent = await sendVoice({ key }, bytes)
    server.clock.advance(A_DAY_MS + 1_000)
    await sweepUnusedMedia(server.ctx)
    expect(await reply(id, { key }, { file_url: sent.body.url })).toMatchObject({ status: 400 })
    const { id: replyId } = await addedReply(id, { key })
    await call('POST', `revelations/${id}/replies/${replyId}/block`, { as: author })
    expect(await sendVoice({ key }, bytes)).toMatchObject({
      ...{ status: 403, body: { code: 'replies_blocked' } },
    })
  })

  it('of another link answers nothing', async () => {
    const { id, key } = await sealOpened()
    const other = await sealOpened()
    const sent = await sendVoice({ key: other.key }, await toneAudio('webm', 1))
    expect(await reply(id, { key }, { file_url: sent.body.url })).toMatchObject({ status: 400 })
  })

  it('may be sent twenty times a day by a link, whatever RATE_LIMITS says', async () => {
    const { key } = await sealOpened()
    const broken = Buffer.from('ceci n’est pas une voix')
    const statuses = []
    for (let n = 0; n < 21; n += 1) statuses.push((await sendVoice({ key }, broken)).status)
    expect(new Set(statuses.slice(0, 20))).toEqual(new Set([415]))
    expect(statuses[20]).toBe(429)
  })
})

describe('the mails', () => {
  it('tell the author that there is a reply, without its words, as the preferences allow', async () => {
    const { id, key, address } = await sealOpened()
    await addedReply(id, { key }, { content: 'Un secret' })
    await server.runJobs()
    const mail = server.mailbox.lastTo(author.email)
    expect(mail?.subject).toBe(`${address} vous a répondu`)
    expect(mail?.text).toContain(`/revelation/${id}`)
    expect(mail?.text).not.toContain('Un secret')
    expect(mail?.text).not.toContain('#cle=')
    await server.call('PUT', '/api/subscriptions/preferences', {
      as: author,
      body: { newComments: false },
    })
    server.mailbox.all.length = 0
    await addedReply(id, { key })
    await server.runJobs()
    expect(server.mailbox.all).toEqual([])
  })

  it('name the account of the address, and leave for nobody once the reply is gone', async () => {
    const { id, address } = await sealOpened()
    const account = await accountAt(address)
    const { id: replyId } = await addedReply(id, { as: account })
    await server.runJobs()
    expect(server.mailbox.lastTo(author.email)?.subject).toBe(`${account.pseudo} vous a répondu`)
    server.mailbox.all.length = 0
    const { id: nextId } = await addedReply(id, { as: account })
    await call('DELETE', `revelations/${id}/replies/${nextId}`, { as: account })
    await call(
      'POST',
      `revelations/${id}/replies/${replyId}/answer`,
      { as: author },
      {
        content: 'Bien reçu',
      },
    )
    await call('DELETE', `revelations/${id}/replies/${replyId}`, { as: author })
    await server.runJobs()
    expect(server.mailbox.all).toEqual([])
  })

  it('tell the reader that the author wrote back, with their link, until it is revoked', async () => {
    const { id, key, address } = await sealOpened()
    server.mailbox.all.length = 0
    async function exchange() {
      const { id: replyId } = await addedReply(id, { key })
      await call(
        'POST',
        `revelations/${id}/replies/${replyId}/answer`,
        { as: author },
        {
          content: 'Je suis si contente',
        },
      )
    }
    await exchange()
    await server.runJobs()
    const mail = server.mailbox.lastTo(address)
    expect(mail?.subject).toBe(`${author.pseudo} vous a répondu`)
    expect(mail?.text).not.toContain('Je suis si contente')
    expect(server.mailbox.lastKeyTo(address)).toBe(key)
    await suppressAddress(server.ctx, address, 'unsubscribed')
    server.mailbox.all.length = 0
    await exchange()
    await server.runJobs()
    expect(server.mailbox.all.filter(({ to }) => to === address)).toEqual([])
    await server.ctx.pool.query('delete from suppressed_addresses')
    await exchange()
    const { rows } = await server.ctx.pool.query(
      'select id from deliveries where revelation_id = $1',
      [id],
    )
    await call('POST', `deliveries/${rows[0].id}/revoke`, { as: author })
    server.mailbox.all.length = 0
    await server.runJobs()
    expect(server.mailbox.all.filter(({ to }) => to === address)).toEqual([])
  })

  it('carry nothing between two people who are blocked meanwhile', async () => {
    const { id, address } = await sealOpened()
    const account = await accountAt(address)
    const { id: replyId } = await addedReply(id, { as: account })
    await server.runJobs()
    const path = `revelations/${id}/replies/${replyId}/answer`
    await call('POST', path, { as: author }, { content: 'Un dernier mot' })
    await call('PUT', `relationships/blocks/${author.id}`, { as: account })
    server.mailbox.all.length = 0
    await server.runJobs()
    expect(server.mailbox.all.filter(({ to }) => to === address)).toEqual([])
  })
})

it('is told to the open pages of the author, and to nobody else', async () => {
  const { id, key, address } = await sealOpened({ visibility: 'public' })
  const people = [author, stranger, await accountAt(address)]
  const origin = await server.listen()
  const pages = await Promise.all(people.map((as) => openPage(origin, as, [id])))
  const catchAllUp = async () => {
    for (const [n, page] of pages.entries()) await catchUp(server.ctx, page, people[n]?.id ?? '')
  }
  // That its mail has left may be told only now.
  await catchAllUp()
  for (const page of pages) page.clear()
  await addedReply(id, { key })
  await catchAllUp()
  const told = pages.map(({ events }) => events.filter(({ data }) => data.id === id))
  expect(told).toMatchObject([[{ data: { changed: ['state'] } }], [], []])
  for (const page of pages) page.leave()
})
