import { randomUUID } from 'node:crypto'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { SOUND_MAX_BYTES } from '#contract/sounds.ts'
import { inTransaction } from '#server/context.ts'
import { AS_VOICE_AUTHOR } from '#server/features/access/access.rules.ts'
import { grantListener } from '#server/features/access/grants.service.ts'
import type { Actor } from '#server/features/auth/auth.session.ts'
import { WAVEFORM_POINTS } from '#server/platform/media-tools/audio.ts'
import type { ReadingRight } from '#server/platform/sealing/reading-right.ts'
import { createRevelation } from '#testing/factories.ts'
import { recordedAudio, TOOLS, toneAudio } from '#testing/media-files.ts'
import { factsOf } from '#testing/media-probe.ts'
import { type Person, signedIn, startTestServer, type TestApp } from '#testing/test-server.ts'
import { countStoredFiles, findFilesWith, uploadFile } from '#testing/uploads.ts'
import { createTicket } from './file-serving.service.ts'
import { findWaveform, voiceMessageFacts, voiceMessageMedia } from './file-views.service.ts'
import { findMedia, findObject } from './media.repository.ts'
import { claimMedia } from './media.service.ts'
import { handleMediaStep } from './media.worker.ts'

let server: TestApp
let author: Person

beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())
beforeEach(async () => {
  await server.ctx.pool.query('truncate revelations, media, sounds cascade')
  for await (const { key } of server.ctx.storage.list('')) await server.ctx.storage.delete(key)
})

/** Seals a revelation with this file and runs its jobs. */
async function sealed(bytes: Buffer): Promise<{ mediaId: string }> {
  author = await signedIn(server)
  const { url, filename } = await uploadFile(server, author, { bytes })
  await createRevelation(server, author, { file_url: url })
  await server.runJobs()
  return { mediaId: filename.slice(0, 36) }
}

async function holderOf(person: Person): Promise<string> {
  const { body } = await server.call('GET', '/api/auth/sessions', { as: person })
  return `session:${body.sessions[0].id}`
}

/** A sound as its feature writes it. */
async function insertSound(server: TestApp, author: Person, mediaId: string): Promise<string> {
  const id = randomUUID()
  await server.ctx.pool.query(
    `insert into sounds (id, author_id, is_shared, title, category, reveal_at, time_zone, wrapped_key,
       sealed_description, media_id, duration_ms, created_at)
     values ($1, $2, true, 'Un mot', 'message', now(), 'UTC', '', '', $3, 0, now())`,
    [id, author.id, mediaId],
  )
  return id
}

/** The right to play a voice message that is open and has this file. */
function rightToPlay(mediaId: string): ReadingRight {
  const voice = { id: randomUUID(), mediaId, isShared: true, revealAt: server.clock.now }
  const right = grantListener(AS_VOICE_AUTHOR, voice, server.clock.now)
  if (!right) throw new Error('no right')
  return right
}

async function variantsOf(mediaId: string): Promise<string[]> {
  const { rows } = await server.ctx.pool.query<{ variant: string }>(
    'select variant from media_objects where media_id = $1 order by variant',
    [mediaId],
  )
  return rows.map(({ variant }) => variant)
}

it('renders a sealed waveform and a sealed copy with its length for a browser recording', async () => {
  const { mediaId } = await sealed(await recordedAudio('webm', 4))
  expect(await variantsOf(mediaId)).toEqual(['audio', 'original', 'seekable', 'waveform'])
  const right = rightToPlay(mediaId)
  const waveform = await findWaveform(server.ctx, right, mediaId)
  expect(waveform?.peaks).toHaveLength(WAVEFORM_POINTS)
  expect(Math.abs((waveform?.duration ?? 0) - 4)).toBeLessThan(0.05)
  const sounds = await voiceMessageMedia(server.ctx, right, await holderOf(author), [mediaId])
  const sound = sounds.get(mediaId)
  expect(sound).toMatchObject({ hasWaveform: true, mimeType: 'audio/webm' })
  expect(sound?.downloadUrl).toContain(`/api/secure-file/audio/seekable_${mediaId}.webm?token=`)
  const saved = await server.app.inject(sound?.downloadUrl ?? '')
  expect(saved.headers['content-disposition']).toContain('.webm"')
  expect(saved.headers['content-type']).toBe('audio/webm')
  expect(Math.abs(Number((await factsOf(saved.rawPayload)).format.duration) - 4)).toBeLessThan(0.05)
  for (const plain of ['"peaks"', 'OpusHead', 'A_OPUS']) {
    expect(await findFilesWith(server.ctx.config.dataDir, Buffer.from(plain))).toEqual([])
  }
})

it('gives a waveform no address, and the seekable copy only its own', async () => {
  const { mediaId } = await sealed(await recordedAudio('m4a', 2))
  const holder = await holderOf(author)
  for (const [variant, path] of [
    ['waveform', `/api/secure-file/audio/waveform_${mediaId}.m4a`],
    ['waveform', `/api/secure-file/audio/${mediaId}.json`],
    ['seekable', `/api/secure-file/audio/${mediaId}.m4a`],
    ['original', `/api/secure-file/audio/seekable_${mediaId}.m4a`],
  ]) {
    const token = createTicket(server.ctx, mediaId, variant ?? '', holder)
    expect((await server.app.inject(`${path}?token=${token}`)).statusCode).toBe(403)
  }
  const token = createTicket(server.ctx, mediaId, 'seekable', holder)
  const path = `/api/secure-file/audio/seekable_${mediaId}`
  expect((await server.app.inject(`${path}.webm?token=${token}`)).statusCode).toBe(404)
  expect((await server.app.inject(`${path}.m4a?token=${token}`)).statusCode).toBe(200)
})

/** Sends a recording; its step is run by hand. */
async function sent(): Promise<{ mediaId: string; stepId: string }> {
  author = await signedIn(server)
  const { filename, processing } = await uploadFile(server, author, {
    bytes: await recordedAudio('webm', 2),
  })
  return { mediaId: filename.slice(0, 36), stepId: processing.jobs[0].jobId }
}

/** An ffmpeg that measures no shape. */
async function withoutShapes<T>(work: (tools: typeof TOOLS) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'revelations-test-'))
  await chmod(folder, 0o755)
  const script = path.join(folder, 'ffmpeg')
  const refusing = `#!/bin/sh\ncase "$*" in *ametadata*) exit 1;; esac\nexec ${TOOLS.ffmpegPath} "$@"\n`
  await writeFile(script, refusing, { mode: 0o755 })
  return work({ ...server.ctx.tools, ffmpegPath: script }).finally(() =>
    rm(folder, { recursive: true }),
  )
}

it('renders a waveform at the next attempt after one failure', async () => {
  const { mediaId, stepId } = await sent()
  await withoutShapes((tools) =>
    expect(handleMediaStep({ ...server.ctx, tools }, { stepId })).rejects.toThrow(),
  )
  expect(await variantsOf(mediaId)).toEqual(['original'])
  await handleMediaStep(server.ctx, { stepId })
  expect(await variantsOf(mediaId)).toEqual(['audio', 'original', 'seekable', 'waveform'])
})

it('plays a recording whose waveform fails at every attempt', async () => {
  const { mediaId, stepId } = await sent()
  await withoutShapes(async (tools) => {
    const ctx = { ...server.ctx, tools }
    for (let tries = 1; tries < 4; tries += 1) {
      await expect(handleMediaStep(ctx, { stepId })).rejects.toThrow()
    }
    await handleMediaStep(ctx, { stepId })
  })
  expect(await variantsOf(mediaId)).toEqual(['audio', 'original', 'seekable'])
  const file = await findMedia(server.ctx.db, mediaId)
  expect(file?.state).toBe('ready')
})

it('loses no extra when the worker stops between the AAC and the extras', async () => {
  const { mediaId, stepId } = await sent()
  await server.ctx.pool.query('update media_steps set attempts = 3 where id = $1', [stepId])
  const stop = new AbortController()
  const storage = Object.create(server.ctx.storage, {
    put: {
      value: async (...args: Parameters<typeof server.ctx.storage.put>) => {
        const stored = await server.ctx.storage.put(...args)
        stop.abort()
        return stored
      },
    },
  })
  const stopped = { ...server.ctx, storage, stopping: stop.signal }
  await expect(handleMediaStep(stopped, { stepId })).rejects.toThrow()
  expect(await variantsOf(mediaId)).toEqual(['original'])
  await handleMediaStep(server.ctx, { stepId })
  expect(await variantsOf(mediaId)).toEqual(['audio', 'original', 'seekable', 'waveform'])
})

it('renders no seekable copy of a recording too large for a voice message', async () => {
  const hole = Buffer.from([0xec, 0x01, 0, 0, 0, 0, 0, 0, 0])
  hole.writeUInt32BE(SOUND_MAX_BYTES, 5)
  const bytes = [await recordedAudio('webm', 2), hole, Buffer.alloc(SOUND_MAX_BYTES)]
  const { mediaId } = await sealed(Buffer.concat(bytes))
  expect(await variantsOf(mediaId)).toEqual(['audio', 'original', 'waveform'])
})

it('treats a damaged or missing waveform as one never rendered', async () => {
  const { mediaId } = await sealed(await toneAudio('m4a', 2))
  const right = rightToPlay(mediaId)
  const { storage, db } = server.ctx
  const object = await findObject(db, mediaId, 'waveform')
  if (!object) throw new Error('no shape')
  await storage.put(object.storageKey, Readable.from([Buffer.alloc(object.sizeBytes)]))
  expect(await findWaveform(server.ctx, right, mediaId)).toBeUndefined()
  await storage.delete(object.storageKey)
  expect(await findWaveform(server.ctx, right, mediaId)).toBeUndefined()
})

it('ends the same and leaves nothing behind when every step runs twice', async () => {
  const { mediaId, stepId } = await sent()
  await handleMediaStep(server.ctx, { stepId })
  await server.ctx.pool.query(`update media_steps set state = 'processing'`)
  await handleMediaStep(server.ctx, { stepId })
  await server.runJobs()
  const rendered = await variantsOf(mediaId)
  expect(rendered).toEqual(['audio', 'original', 'seekable', 'waveform'])
  expect(await countStoredFiles(server)).toBe(rendered.length)
})

it('renders no seekable copy of an imported file', async () => {
  const { mediaId } = await sealed(await toneAudio('m4a', 2))
  expect(await variantsOf(mediaId)).toEqual(['audio', 'original', 'waveform'])
  const facts = (await voiceMessageFacts(server.ctx, [mediaId])).get(mediaId)
  expect(facts).toMatchObject({
    mimeType: 'audio/mp4',
    fileName: expect.stringMatching(/\.m4a$|bin$/),
  })
  expect(Math.abs((facts?.duration ?? 0) - 2)).toBeLessThan(0.05)
})

it('rejects a file of a voice message for a revelation, and the reverse', async () => {
  const { mediaId } = await sealed(await toneAudio('m4a', 2))
  const path = `audio/${mediaId}.m4a`
  const claim = () =>
    inTransaction(server.ctx, (tx) => claimMedia(tx, { userId: author.id } as Actor, path))
  await expect(claim()).rejects.toThrow()
  const { rows } = await server.ctx.pool.query(
    'delete from revelations where media_id = $1 returning author_id',
    [mediaId],
  )
  expect(rows).toHaveLength(1)
  await insertSound(server, author, mediaId)
  await expect(claim()).rejects.toThrow()
})
