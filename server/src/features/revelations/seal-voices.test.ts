import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { deleteMediaFiles } from '#server/features/media/media.jobs.ts'
import { handleDeleteMediaFiles } from '#server/features/media/media.worker.ts'
import { sweepUnusedMedia } from '#server/features/media/sweep.service.ts'
import { A_DAY_MS, createRevelation, revelationBody } from '#testing/factories.ts'
import { picture, toneAudio } from '#testing/media-files.ts'
import { readZip } from '#testing/read-zip.ts'
import { type Person, signedIn, startTestServer, type TestApp } from '#testing/test-server.ts'
import { countStoredFiles, uploadFile } from '#testing/uploads.ts'
import { uploadVoice } from '#testing/voice-messages.ts'

const START = new Date('2026-11-20T12:00:00.000Z')
const WORDS = 'Je pense à toi, tout simplement.'
let server: TestApp
let author: Person
let recorded: Buffer

beforeAll(async () => {
  server = await startTestServer({ now: START })
  recorded = await toneAudio('webm', 1)
})
afterAll(() => server.close())

/** Free accounts hold five: each group of cases has its own author. */
async function newAuthor(): Promise<void> {
  server.clock.now = START
  author = await signedIn(server)
}

function sendVoice(bytes = recorded): Promise<string> {
  return uploadVoice(server, author, { bytes })
}

async function sealWithVoice(overrides: Record<string, unknown> = {}) {
  const seal_voice = await sendVoice()
  return createRevelation(server, author, { seal_voice, seal_voice_words: WORDS, ...overrides })
}

async function get(id: string, as?: Person) {
  return (await server.call('GET', `/api/revelations/${id}`, { as })).body.revelation
}

function put(id: string, body: object) {
  return server.call('PUT', `/api/revelations/${id}`, { as: author, body })
}

async function bytesAt(url: string, as?: Person) {
  const headers = as ? { authorization: `Bearer ${as.token}` } : {}
  const answer = await server.app.inject({ url, headers })
  return { status: answer.statusCode, sum: sum(answer.rawPayload) }
}

function mediaIdOf(url: string): string {
  return /[0-9a-f-]{36}/.exec(url)?.[0] ?? ''
}

/** What the worker does once files are released; the other jobs would render every voice of this file. */
async function deleteReleasedFiles(): Promise<void> {
  const { boss } = server.ctx
  const jobs = await boss.fetch<{ storageKeys: string[] }>(deleteMediaFiles.name, { batchSize: 50 })
  for (const { data } of jobs) await handleDeleteMediaFiles(server.ctx, data)
}

function sum(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex')
}

describe('a voice of the seal is rejected', () => {
  beforeAll(newAuthor)

  async function refusalOf(fields: object) {
    const body = revelationBody(server, { ...fields })
    const answer = await server.call('POST', '/api/revelations', { as: author, body })
    return { status: answer.status, ...answer.body.fields }
  }

  it('beyond five megabytes, however short', async () => {
    const seal_voice = await sendVoice(Buffer.concat([recorded, Buffer.alloc(5 * 1024 * 1024)]))
    expect(await refusalOf({ seal_voice })).toEqual({
      status: 400,
      seal_voice: 'Cette voix est trop lourde\u202F: 5\u00A0Mo au plus',
    })
  })

  it('beyond six seconds, and its file stays free for another use', async () => {
    const seal_voice = await sendVoice(await toneAudio('m4a', 7))
    expect(await refusalOf({ seal_voice })).toEqual({
      status: 400,
      seal_voice: 'Cette voix est trop longue\u202F: 6\u00A0secondes au plus',
    })
    expect(await createRevelation(server, author, { file_url: seal_voice })).toBeDefined()
  })

  it('when it is no recording, is in use or is somebody else’s', async () => {
    const { url } = await uploadFile(server, author, { bytes: await picture('png'), name: 'a.png' })
    expect(await refusalOf({ seal_voice: url })).toEqual({
      status: 400,
      seal_voice: 'Ce fichier n’est pas un enregistrement',
    })
    const theirs = await uploadVoice(server, await signedIn(server), { bytes: recorded })
    expect(await refusalOf({ seal_voice: theirs })).toMatchObject({
      seal_voice: 'Fichier invalide',
    })
    const both = await sendVoice()
    expect(await refusalOf({ file_url: both, seal_voice: both })).toMatchObject({
      seal_voice: 'Fichier invalide',
    })
  })

  it('when its words come without it, or are too many', async () => {
    expect(await refusalOf({ seal_voice_words: WORDS })).toEqual({
      status: 400,
      seal_voice_words: 'Enregistrez d’abord votre voix',
    })
    expect(await refusalOf({ seal_voice_words: 'a'.repeat(201) })).toMatchObject({
      seal_voice_words: 'Les mots de votre voix ne peuvent pas dépasser 200 caractères',
    })
    expect(await createRevelation(server, author, { seal_voice_words: '' })).toMatchObject({
      seal_voice_url: null,
      seal_voice_words: null,
    })
  })
})

describe('the voice of a seal', () => {
  beforeAll(newAuthor)

  it('is sent to its author at once, and from the instant on to whoever may read the letter', async () => {
    const sealed = await sealWithVoice()
    expect(sealed).toMatchObject({ seal_voice_words: WORDS, version: 1 })
    expect(await bytesAt(sealed.seal_voice_url)).toEqual({ status: 200, sum: sum(recorded) })
    const early = await get(sealed.id)
    for (const key of ['seal_voice_url', 'seal_voice_words']) expect(early).not.toHaveProperty(key)
    server.clock.advance(A_DAY_MS)
    const open = await get(sealed.id)
    expect(open.seal_voice_words).toBe(WORDS)
    expect(await bytesAt(open.seal_voice_url)).toEqual({ status: 200, sum: sum(recorded) })
    server.clock.now = START
  })

  it('is sent as AAC, which every browser plays, once that is rendered', async () => {
    const { id, seal_voice_url } = await sealWithVoice()
    await server.ctx.db
      .insertInto('mediaObjects')
      .values({
        mediaId: mediaIdOf(seal_voice_url),
        variant: 'audio',
        storageKey: `media/${id}`,
        mimeType: 'audio/mp4',
        sizeBytes: 1,
        createdAt: START,
      })
      .execute()
    expect((await get(id, author)).seal_voice_url).toMatch(/^\/api\/audio\/.+\.m4a\?token=/)
  })

  it('is sent to nobody but the author before the instant, whatever the address', async () => {
    const { id, seal_voice_url } = await sealWithVoice()
    server.clock.advance(A_DAY_MS)
    const { seal_voice_url: open } = await get(id)
    server.clock.now = START
    expect((await bytesAt(open)).status).toBe(404)
    expect((await bytesAt(seal_voice_url)).status).toBe(200)
  })
})

describe('an edit of a letter with a voice', () => {
  beforeAll(newAuthor)

  it('seals no new version for other words, and a new version still has the words', async () => {
    const { id, commitment } = await sealWithVoice()
    const reworded = (await put(id, { seal_voice_words: 'À demain.' })).body.revelation
    expect(reworded).toMatchObject({ version: 1, commitment, seal_voice_words: 'À demain.' })
    await put(id, { content: 'Un autre texte, assez long.' })
    expect(await get(id, author)).toMatchObject({ version: 2, seal_voice_words: 'À demain.' })
    await put(id, { seal_voice_words: null })
    const silent = await get(id, author)
    expect(silent).toMatchObject({ version: 2, seal_voice_words: null })
    expect(silent.seal_voice_url).toBeTruthy()
  })

  it('deletes the file of a voice that another one replaces', async () => {
    const before = await countStoredFiles(server)
    const { id, seal_voice_url } = await sealWithVoice()
    // The address that was answered changes nothing when it is sent back.
    await put(id, { seal_voice: seal_voice_url })
    expect((await bytesAt(seal_voice_url)).status).toBe(200)
    const other = await toneAudio('webm', 2)
    const { body } = await put(id, { seal_voice: await sendVoice(other) })
    expect(body.revelation).toMatchObject({ version: 1, seal_voice_words: WORDS })
    expect((await bytesAt(body.revelation.seal_voice_url)).sum).toBe(sum(other))
    expect((await bytesAt(seal_voice_url)).status).toBe(404)
    expect((await put(id, { seal_voice: null })).body.revelation).toMatchObject({
      seal_voice_url: null,
      seal_voice_words: null,
    })
    await deleteReleasedFiles()
    expect(await countStoredFiles(server)).toBe(before)
  })

  it('rejects the letter’s own file as its voice, and its voice as its file', async () => {
    const file_url = await sendVoice()
    const { id, seal_voice_url } = await sealWithVoice({ file_url })
    expect((await put(id, { seal_voice: file_url })).body.fields).toEqual({
      seal_voice: 'Fichier invalide',
    })
    expect((await put(id, { file_url: seal_voice_url })).body.fields).toEqual({
      file_url: 'Fichier invalide',
    })
  })

  it('is rejected from the instant on', async () => {
    const { id, seal_voice_url } = await sealWithVoice()
    const late = await sendVoice()
    server.clock.advance(A_DAY_MS)
    for (const body of [
      { seal_voice: null },
      { seal_voice: late },
      { seal_voice_words: 'Autre chose' },
    ]) {
      expect((await put(id, body)).body.code).toBe('revelation_revealed')
    }
    const same = { seal_voice: seal_voice_url, seal_voice_words: WORDS, category: 'love' }
    expect((await put(id, same)).status).toBe(200)
    server.clock.now = START
  })
})

describe('the voice of a sealed letter', () => {
  beforeAll(newAuthor)

  it('counts as storage, outlives every sweep, and is deleted with its letter', async () => {
    // What the cases above left is swept first.
    server.clock.advance(2 * A_DAY_MS)
    await sweepUnusedMedia(server.ctx)
    await deleteReleasedFiles()
    const before = await countStoredFiles(server)
    const { id } = await sealWithVoice()
    const { body } = await server.call('GET', '/api/subscriptions/me', { as: author })
    expect(body.used_storage * 1024 * 1024).toBeGreaterThanOrEqual(recorded.length)
    server.clock.advance(2 * A_DAY_MS)
    await sweepUnusedMedia(server.ctx)
    const { seal_voice_url } = await get(id)
    expect((await bytesAt(seal_voice_url)).status).toBe(200)
    await server.call('DELETE', `/api/revelations/${id}`, { as: author })
    await deleteReleasedFiles()
    expect((await bytesAt(seal_voice_url)).status).toBe(404)
    expect(await countStoredFiles(server)).toBe(before)
    server.clock.now = START
  })

  it('is in the exports of its author', async () => {
    await sealWithVoice()
    const headers = { authorization: `Bearer ${author.token}` }
    const url = '/api/auth/export?format=zip'
    const files = readZip((await server.app.inject({ url, headers })).rawPayload)
    const { seal_voice } = JSON.parse(files.get('donnees.json')?.toString() ?? '').revelations[0]
    expect(seal_voice).toMatchObject({ type: 'audio/webm', words: WORDS, state: 'whole' })
    expect(sum(files.get(seal_voice.path) ?? Buffer.alloc(0))).toBe(sum(recorded))
    expect(files.get('index.html')?.toString()).toContain(WORDS)
  })
})
