import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Sound } from '#contract/sounds.ts'
import { A_DAY_MS, relate } from '#testing/factories.ts'
import { toneAudio } from '#testing/media-files.ts'
import {
  PASSWORD,
  type Person,
  signedIn,
  startTestServer,
  type TestApp,
} from '#testing/test-server.ts'
import {
  createVoiceMessage,
  listVoiceMessages,
  uploadVoice,
  VOICE_MESSAGES_URL,
} from '#testing/voice-messages.ts'
import { enqueueDueMails } from './voice-messages.worker.ts'

let server: TestApp
let author: Person
let family: Person
let friend: Person

beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())
beforeEach(async () => {
  author = await signedIn(server)
  family = await signedIn(server)
  friend = await signedIn(server)
  await relate(server, author, family, 'family')
  await relate(server, author, friend, 'friend')
})

const inMs = (ms: number) => new Date(server.clock.now.getTime() + ms).toISOString()
const soundsOf = async (as: Person) => (await listVoiceMessages(server, as)).sounds

async function download(url: string) {
  const answer = await server.app.inject({ url })
  return { status: answer.statusCode, headers: answer.headers, bytes: answer.rawPayload }
}

describe('a voice message', () => {
  it('is playable by nobody before its instant, by no ticket of any time either', async () => {
    const bytes = await toneAudio('webm', 1)
    const preview = await uploadVoice(server, author, { bytes })
    expect((await download(preview)).bytes.equals(bytes)).toBe(true)
    const { id } = await createVoiceMessage(server, author, {
      file_url: preview,
      reveal_date: inMs(60_000),
    })
    expect((await download(preview)).status).toBe(404)
    await server.runJobs()
    server.clock.advance(59_999)
    expect((await download(preview)).status).toBe(404)
    server.clock.advance(1)
    expect((await download(preview)).bytes.equals(bytes)).toBe(true)
    const [open] = await soundsOf(family)
    const aac = await download(open.file_mobile_url)
    expect([open.id, aac.status, aac.headers['content-type']]).toEqual([id, 200, 'audio/mp4'])
    const saved = await download(open.download_url)
    expect(saved.headers['content-disposition']).toContain('enregistrement.webm')
  })

  it('closes again when the relationship ends or with a block, tickets included', async () => {
    const ends = [
      async () => {
        const { body } = await server.call('GET', '/api/relationships', { as: friend })
        return server.call('DELETE', `/api/relationships/${body.relationships[0].id}`, {
          as: friend,
        })
      },
      () => server.call('PUT', `/api/relationships/blocks/${author.id}`, { as: friend }),
    ]
    for (const end of ends) {
      await relate(server, author, friend, 'friend')
      const { id } = await createVoiceMessage(server, author, { recipient_id: friend.id })
      const [{ file_url: ticket }] = await soundsOf(friend)
      expect((await download(ticket)).status).toBe(200)
      expect((await end()).status).toBe(200)
      expect((await download(ticket)).status).toBe(404)
      expect(await soundsOf(friend)).toEqual([])
      expect(
        (await server.call('PUT', `${VOICE_MESSAGES_URL}/${id}/play`, { as: friend })).status,
      ).toBe(404)
      expect(await soundsOf(author)).toContainEqual(expect.objectContaining({ id }))
    }
  })

  it('closes to a family member who becomes a friend, unless it is for that friend', async () => {
    const shared = await createVoiceMessage(server, author)
    const personal = await createVoiceMessage(server, author, { recipient_id: family.id })
    expect(await soundsOf(family)).toHaveLength(2)
    await relate(server, author, family, 'friend')
    expect(await soundsOf(family)).toMatchObject([{ id: personal.id }])
    expect(
      (await server.call('PUT', `${VOICE_MESSAGES_URL}/${shared.id}/play`, { as: family })).status,
    ).toBe(404)
  })

  it('is deleted by its author for everybody, with its file', async () => {
    const { id } = await createVoiceMessage(server, author)
    const [{ file_url: ticket }] = await soundsOf(family)
    const asFamily = await server.call('DELETE', `${VOICE_MESSAGES_URL}/${id}`, { as: family })
    expect([asFamily.status, asFamily.body.error]).toEqual([
      403,
      'Vous ne pouvez supprimer que vos propres messages vocaux',
    ])
    await server.call('PUT', `${VOICE_MESSAGES_URL}/${id}/favorite`, { as: family })
    expect(
      (await server.call('DELETE', `${VOICE_MESSAGES_URL}/${id}`, { as: author })).body,
    ).toEqual({
      success: true,
    })
    expect((await download(ticket)).status).toBe(404)
    expect(await soundsOf(family)).toEqual([])
    expect(
      (await server.call('DELETE', `${VOICE_MESSAGES_URL}/${id}`, { as: author })).status,
    ).toBe(404)
    const rows = await server.ctx.pool.query('select from media where owner_id = $1', [author.id])
    expect(rows.rowCount).toBe(0)
  })

  it('leaves the others in their list when it is damaged', async () => {
    const damaged = await createVoiceMessage(server, author, { title: 'Abîmée' })
    await createVoiceMessage(server, author, { title: 'Entière' })
    await server.ctx.pool.query(
      `update media set sealed_facts = '\\x0102' where id = (select media_id from sounds where id = $1)`,
      [damaged.id],
    )
    await server.ctx.pool.query(`update sounds set sealed_description = '\\x0102' where id = $1`, [
      damaged.id,
    ])
    const byTitle = Map.groupBy((await soundsOf(family)) as Sound[], ({ title }) => title)
    expect(byTitle.get('Entière')?.[0]).toHaveProperty('file_url')
    expect(byTitle.get('Abîmée')?.[0]).not.toHaveProperty('file_url')
    expect(
      (await server.call('DELETE', `${VOICE_MESSAGES_URL}/${damaged.id}`, { as: author })).status,
    ).toBe(200)
  })

  it('is deleted with its author’s account, and stays when the recipient’s is deleted', async () => {
    const password = PASSWORD
    const leave = (as: Person) =>
      server.call('DELETE', '/api/auth/account', { as, body: { password } })
    const mine = await createVoiceMessage(server, author, {
      recipient_id: friend.id,
      reveal_date: inMs(A_DAY_MS),
    })
    await createVoiceMessage(server, friend, { recipient_id: author.id })
    await server.call('PUT', `${VOICE_MESSAGES_URL}/${mine.id}/favorite`, { as: friend })
    expect((await leave(friend)).status).toBe(200)
    expect(await soundsOf(author)).toMatchObject([
      { id: mine.id, is_public: false, recipient_id: null, recipient_pseudo: null },
    ])
    expect(await soundsOf(family)).toEqual([])
    server.clock.advance(A_DAY_MS)
    // The instant comes, and nobody is to be mailed.
    await enqueueDueMails(server.ctx)
    expect(await soundsOf(family)).toEqual([])
    expect((await leave(author)).status).toBe(200)
    const left = await server.ctx.pool.query('select from sounds where id = $1', [mine.id])
    expect(left.rowCount).toBe(0)
  })
})
