import { randomUUID } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { inTransaction } from '#server/context.ts'
import type { Actor } from '#server/features/auth/auth.session.ts'
import { WAVEFORM_POINTS } from '#server/platform/media-tools/waveform.ts'
import { grantReading } from '#server/platform/sealing/reading-right.ts'
import { createRevelation } from '#test/factories.ts'
import { recordedAudio, TOOLS, toneAudio } from '#test/media-files.ts'
import { factsOf } from '#test/media-reading.ts'
import { type Person, signedIn, startTestServer, type TestApp } from '#test/test-server.ts'
import { countStoredFiles, findFilesWith, uploadFile } from '#test/uploads.ts'
import { findMedia } from './media.repository.ts'
import { claimMedia } from './media.service.ts'
import { handleMediaStep } from './media.worker.ts'
import { soundFacts, soundMedia, waveformOf } from './media-sounds.service.ts'
import { ticketFor } from './media-tickets.service.ts'

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

async function variantsOf(mediaId: string): Promise<string[]> {
  const { rows } = await server.ctx.pool.query<{ variant: string }>(
    'select variant from media_objects where media_id = $1 order by variant',
    [mediaId],
  )
  return rows.map(({ variant }) => variant)
}

test('what a browser recorded has its shape and a copy that says how long it is, both sealed', async () => {
  const { mediaId } = await sealed(await recordedAudio('webm', 4))
  expect(await variantsOf(mediaId)).toEqual(['audio', 'original', 'seekable', 'waveform'])
  const right = grantReading(true)
  if (!right) throw new Error('no right')
  const waveform = await waveformOf(server.ctx, right, mediaId)
  expect(waveform?.peaks).toHaveLength(WAVEFORM_POINTS)
  expect(Math.abs((waveform?.duration ?? 0) - 4)).toBeLessThan(0.05)
  const sounds = await soundMedia(server.ctx, right, await holderOf(author), [mediaId])
  const sound = sounds.get(mediaId)
  expect(sound).toMatchObject({ hasWaveform: true, mimeType: 'audio/webm' })
  expect(sound?.downloadUrl).toContain(`/api/secure-file/audio/seekable_${mediaId}.webm?token=`)
  const saved = await server.app.inject(sound?.downloadUrl ?? '')
  expect(saved.headers['content-disposition']).toContain('.webm"')
  expect(saved.headers['content-type']).toBe('audio/webm')
  expect(Math.abs(Number((await factsOf(saved.rawPayload)).format.duration) - 4)).toBeLessThan(0.05)
  for (const plain of ['"peaks"', 'OpusHead', 'ftyp']) {
    expect(await findFilesWith(server.ctx.config.dataDir, Buffer.from(plain))).toEqual([])
  }
})

test('a shape has no address, and a copy one can seek in none but its own', async () => {
  const { mediaId } = await sealed(await recordedAudio('m4a', 2))
  const holder = await holderOf(author)
  for (const [variant, path] of [
    ['waveform', `/api/secure-file/audio/waveform_${mediaId}.m4a`],
    ['waveform', `/api/secure-file/audio/${mediaId}.json`],
    ['seekable', `/api/secure-file/audio/${mediaId}.m4a`],
    ['original', `/api/secure-file/audio/seekable_${mediaId}.m4a`],
  ]) {
    const token = ticketFor(server.ctx, mediaId, variant ?? '', holder)
    expect((await server.app.inject(`${path}?token=${token}`)).statusCode).toBe(403)
  }
  const token = ticketFor(server.ctx, mediaId, 'seekable', holder)
  const path = `/api/secure-file/audio/seekable_${mediaId}`
  expect((await server.app.inject(`${path}.webm?token=${token}`)).statusCode).toBe(404)
  expect((await server.app.inject(`${path}.m4a?token=${token}`)).statusCode).toBe(200)
})

test('a sound whose shape cannot be made still plays', async () => {
  author = await signedIn(server)
  const { filename, processing } = await uploadFile(server, author, {
    bytes: await recordedAudio('webm', 2),
  })
  const mediaId = filename.slice(0, 36)
  const script = path.join(await mkdtemp(path.join(os.tmpdir(), 'revelations-test-')), 'ffmpeg')
  const refusing = `#!/bin/sh\ncase "$*" in *ametadata*) exit 1;; esac\nexec ${TOOLS.ffmpegPath} "$@"\n`
  await writeFile(script, refusing, { mode: 0o755 })
  const tools = { ...server.ctx.tools, ffmpegPath: script }
  await handleMediaStep({ ...server.ctx, tools }, { stepId: processing.jobs[0].jobId })
  expect(await variantsOf(mediaId)).toEqual(['audio', 'original', 'seekable'])
  const file = await findMedia(server.ctx.db, mediaId)
  expect(file?.state).toBe('ready')
  await rm(path.dirname(script), { recursive: true })
})

test('every step run twice ends the same and leaves nothing behind', async () => {
  author = await signedIn(server)
  const { filename, processing } = await uploadFile(server, author, {
    bytes: await recordedAudio('m4a', 2),
  })
  const stepId = processing.jobs[0].jobId
  await handleMediaStep(server.ctx, { stepId })
  await server.ctx.pool.query(`update media_steps set state = 'processing'`)
  await handleMediaStep(server.ctx, { stepId })
  await server.runJobs()
  const made = await variantsOf(filename.slice(0, 36))
  expect(made).toEqual(['audio', 'original', 'seekable', 'waveform'])
  expect(await countStoredFiles(server)).toBe(made.length)
})

test('what was imported is sought in as it was sent', async () => {
  const { mediaId } = await sealed(await toneAudio('m4a', 2))
  expect(await variantsOf(mediaId)).toEqual(['audio', 'original', 'waveform'])
  const facts = (await soundFacts(server.ctx, [mediaId])).get(mediaId)
  expect(facts).toMatchObject({
    mimeType: 'audio/mp4',
    fileName: expect.stringMatching(/\.m4a$|bin$/),
  })
  expect(Math.abs((facts?.duration ?? 0) - 2)).toBeLessThan(0.05)
})

test('a file that serves a sound serves no revelation, and the other way round', async () => {
  const { mediaId } = await sealed(await toneAudio('m4a', 2))
  const path = `audio/${mediaId}.m4a`
  const claim = (usedById: string) =>
    inTransaction(server.ctx, (tx) =>
      claimMedia(tx, { userId: author.id } as Actor, path, usedById),
    )
  await expect(claim(randomUUID())).rejects.toThrow()
  const { rows } = await server.ctx.pool.query(
    'delete from revelations where media_id = $1 returning author_id',
    [mediaId],
  )
  expect(rows).toHaveLength(1)
  const soundId = await insertSound(server, author, mediaId)
  await expect(claim(randomUUID())).rejects.toThrow()
  expect(await claim(soundId)).toMatchObject({ mediaId, kind: 'audio' })
})
