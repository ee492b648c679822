import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { SOUND_MAX_BYTES } from '#contract/sounds.ts'
import { relate } from '#testing/factories.ts'
import { pdf, picture, toneAudio } from '#testing/media-files.ts'
import { type Person, signedIn, startTestServer, type TestApp } from '#testing/test-server.ts'
import { uploadFile } from '#testing/uploads.ts'
import {
  createVoiceMessage,
  listVoiceMessages,
  postVoiceMessage,
  uploadVoice,
  VOICE_MESSAGES_URL,
} from '#testing/voice-messages.ts'

let server: TestApp
let author: Person
let family: Person
let friend: Person
let stranger: Person

beforeAll(async () => {
  server = await startTestServer()
  stranger = await signedIn(server)
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

async function download(url: string, as?: Person) {
  const headers = as ? { authorization: `Bearer ${as.token}` } : {}
  const answer = await server.app.inject({ url, headers })
  return { status: answer.statusCode, headers: answer.headers, bytes: answer.rawPayload }
}

describe('POST /api/family-sounds', () => {
  it('opens one with nothing but a title to all of the family at once', async () => {
    const bytes = await toneAudio('webm', 1)
    const sound = await createVoiceMessage(server, author, {
      title: '  Bonsoir à tous  ',
      file_url: await uploadVoice(server, author, { bytes, name: 'micro.webm' }),
    })
    expect(sound).toMatchObject({
      title: 'Bonsoir à tous',
      author_id: author.id,
      author_pseudo: author.pseudo,
      category: 'message',
      description: '',
      reveal_date: null,
      reveal_message: null,
      is_revealed: true,
      can_access: true,
      is_public: true,
      recipient_id: null,
      can_delete: true,
      play_count: 0,
      is_favorite: false,
      file_name: 'micro.webm',
      file_size: bytes.length,
    })
    const [open] = await soundsOf(family)
    expect(open).toMatchObject({ id: sound.id, can_delete: false })
    expect((await download(open.file_url)).bytes.equals(bytes)).toBe(true)
    expect(await soundsOf(friend)).toEqual([])
  })

  it('opens one with a recipient to that person alone', async () => {
    const sound = await createVoiceMessage(server, author, {
      recipient_id: friend.id,
      is_public: true,
    })
    expect(sound).toMatchObject({ is_public: false, recipient_pseudo: friend.pseudo })
    expect(await soundsOf(family)).toEqual([])
    expect(await soundsOf(friend)).toMatchObject([{ id: sound.id, recipient_id: friend.id }])
  })

  it('ignores a client’s facts of the file, its author and its counts', async () => {
    const sound = await createVoiceMessage(server, author, {
      author_id: stranger.id,
      author_pseudo: 'un.autre',
      duration: 3_600,
      file_size: 1,
      file_name: 'autre.mp3',
      play_count: 99,
      is_revealed: true,
      can_access: true,
      reveal_date: inMs(60_000),
    })
    expect(sound).toMatchObject({ author_id: author.id, play_count: 0, is_revealed: false })
    expect(sound.duration).toBeCloseTo(1, 0)
    expect(sound.file_name).toBe('enregistrement.webm')
  })

  it('opens one at once when its date is past or now, and at 00:00 of a day in its zone', async () => {
    for (const reveal_date of [
      inMs(-1),
      inMs(0),
      '2026-11-20',
      '0000-01-01',
      '1850-06-01T00:00Z',
    ]) {
      const sound = await createVoiceMessage(server, author, { reveal_date })
      expect(sound).toMatchObject({ is_revealed: true, reveal_date: null })
    }
    const day = { reveal_date: '2026-12-24', time_zone: 'America/Montreal' }
    expect(await createVoiceMessage(server, author, day)).toMatchObject({
      is_revealed: false,
      reveal_date: '2026-12-24T05:00:00.000Z',
      time_zone: 'America/Montreal',
    })
    expect(await createVoiceMessage(server, author, { reveal_date: '2026-12-24' })).toMatchObject({
      reveal_date: '2026-12-23T23:00:00.000Z',
      time_zone: 'Europe/Brussels',
    })
  })

  it.each([
    [
      'no title',
      { title: '' },
      'title',
      'Veuillez donner un titre à votre message avant de le partager',
    ],
    [
      'a title of blanks',
      { title: '   ' },
      'title',
      'Veuillez donner un titre à votre message avant de le partager',
    ],
    [
      'a long title',
      { title: 'é'.repeat(121) },
      'title',
      'Le titre ne peut pas dépasser 120 caractères',
    ],
    [
      'a long description',
      { description: 'a'.repeat(1_001) },
      'description',
      'La description ne peut pas dépasser 1\u00A0000 caractères',
    ],
    [
      'a long message',
      { reveal_message: 'a'.repeat(501) },
      'reveal_message',
      'Le mot d’attente ne peut pas dépasser 500 caractères',
    ],
    [
      'a date that is none',
      { reveal_date: '2027-02-30' },
      'reveal_date',
      'La date de révélation n’est pas valide',
    ],
    [
      'a date too far',
      { reveal_date: '2127-01-01' },
      'reveal_date',
      'La date de révélation est trop lointaine (100 ans au plus)',
    ],
    [
      'a zone that is none',
      { time_zone: 'Nulle/Part' },
      'time_zone',
      'Ce fuseau horaire n’existe pas',
    ],
    ['no category of ours', { category: 'podcast' }, 'category', 'Cette catégorie n’existe pas'],
    [
      'a recipient who is nobody',
      { recipient_id: randomUUID() },
      'recipient_id',
      'Choisissez une personne de votre cercle',
    ],
    [
      'for one person, and none named',
      { is_public: false },
      'recipient_id',
      'Choisissez une personne de votre cercle',
    ],
  ])('rejects %s in a sentence, and loses nothing', async (_, wrong, field, sentence) => {
    const file_url = await uploadVoice(server, author)
    const refused = await postVoiceMessage(server, author, { file_url, ...wrong })
    expect([refused.status, refused.body.fields]).toEqual([400, { [field]: sentence }])
    expect(await soundsOf(author)).toEqual([])
    await createVoiceMessage(server, author, { file_url })
  })

  it('rejects a recipient outside the circle, its author included', async () => {
    const blocked = await signedIn(server)
    await relate(server, author, blocked, 'family')
    await server.call('PUT', `/api/relationships/blocks/${author.id}`, { as: blocked })
    for (const { id } of [stranger, blocked, author]) {
      const { status, body } = await postVoiceMessage(server, author, { recipient_id: id })
      expect([status, body.error]).toEqual([400, 'Choisissez une personne de votre cercle'])
    }
  })

  it('rejects a file that is no recording and one over 50 MB, which both stay free', async () => {
    await server.ctx.db
      .insertInto('subscriptions')
      .values({ userId: author.id, plan: 'unlimited' })
      .execute()
    const files = [
      {
        bytes: await picture('png'),
        name: 'photo.png',
        expected: [415, 'not_a_sound', 'Seuls les fichiers audio sont autorisés'],
      },
      {
        bytes: pdf(),
        name: 'voix.mp3',
        expected: [415, 'not_a_sound', 'Seuls les fichiers audio sont autorisés'],
      },
      {
        bytes: await wavOver(SOUND_MAX_BYTES),
        name: 'long.wav',
        expected: [413, 'sound_too_large', 'Fichier trop volumineux (max 50MB)'],
      },
    ]
    for (const { bytes, name, expected } of files) {
      const { url, path } = await uploadFile(server, author, { bytes, name })
      const { status, body } = await postVoiceMessage(server, author, { file_url: url })
      expect([status, body.code, body.error]).toEqual(expected)
      const freed = await server.call('DELETE', '/api/delete', { as: author, body: { path } })
      expect(freed.status).toBe(200)
    }
  })

  it('accepts only an own, unused upload, once', async () => {
    const file_url = await uploadVoice(server, author)
    const theirs = await uploadVoice(server, family)
    await createVoiceMessage(server, author, { file_url })
    for (const fileUrl of [
      file_url,
      theirs,
      '/api/secure-file/audio/rien.webm',
      'https://ailleurs.test/x.mp3',
    ]) {
      const { status, body } = await postVoiceMessage(server, author, { file_url: fileUrl })
      expect([status, body.fields]).toEqual([400, { file_url: 'Fichier invalide' }])
    }
  })

  it('rejects a visitor, who sees nothing', async () => {
    const { id } = await createVoiceMessage(server, author)
    expect(await listVoiceMessages(server, undefined)).toEqual({
      sounds: [],
      next_cursor: null,
      count: 0,
      totals: { sounds: 0, duration: 0, favorites: 0, plays: 0 },
    })
    for (const [method, path] of [
      ['POST', ''],
      ['PUT', `/${id}/play`],
      ['DELETE', `/${id}`],
    ]) {
      expect((await server.call(method ?? '', `${VOICE_MESSAGES_URL}${path}`)).status).toBe(401)
    }
  })
})

/** Silence of a little more than that. */
async function wavOver(size: number): Promise<Buffer> {
  const wav = await toneAudio('wav', 1)
  const data = wav.indexOf('data')
  const samples = size - data + 2_000
  const longer = Buffer.concat([wav.subarray(0, data + 8), Buffer.alloc(samples)])
  longer.writeUInt32LE(longer.length - 8, 4)
  longer.writeUInt32LE(samples, data + 4)
  return longer
}

describe('plays and favourites', () => {
  it('count each call, never one of a sealed voice message', async () => {
    const { id } = await createVoiceMessage(server, author, { reveal_date: inMs(1_000) })
    const play = (as: Person) => server.call('PUT', `${VOICE_MESSAGES_URL}/${id}/play`, { as })
    expect((await play(author)).body.code).toBe('sound_locked')
    server.clock.advance(1_000)
    await Promise.all([play(author), play(family), play(family)])
    expect((await play(family)).body).toEqual({ play_count: 4 })
    expect((await play(stranger)).status).toBe(404)
    expect((await listVoiceMessages(server, author)).totals).toMatchObject({ plays: 4 })
  })

  it('are each person’s own, sealed or not, toggled or set', async () => {
    const { id } = await createVoiceMessage(server, author, { reveal_date: inMs(60_000) })
    const toggle = async (as: Person, body?: object) =>
      (await server.call('PUT', `${VOICE_MESSAGES_URL}/${id}/favorite`, { as, body })).body
    expect(await toggle(family)).toEqual({ is_favorite: true })
    expect(await toggle(family, { is_favorite: true })).toEqual({ is_favorite: true })
    expect(await soundsOf(family)).toMatchObject([{ is_favorite: true }])
    expect(await soundsOf(author)).toMatchObject([{ is_favorite: false }])
    expect((await listVoiceMessages(server, family)).totals).toMatchObject({ favorites: 1 })
    expect(await toggle(family, {})).toEqual({ is_favorite: false })
    expect(await toggle(family, { is_favorite: false })).toEqual({ is_favorite: false })
  })
})
