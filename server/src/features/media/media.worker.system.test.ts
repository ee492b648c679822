import sharp from 'sharp'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { type AppContext, inTransaction } from '#server/context.ts'
import { newStorageKey } from '#server/platform/storage/storage.ts'
import { createRevelation } from '#testing/factories.ts'
import {
  colourVideo,
  lockedPdf,
  pdf,
  photoWithGps,
  picture,
  toneAudio,
} from '#testing/media-files.ts'
import { type Person, signedIn, startTestServer, type TestApp } from '#testing/test-server.ts'
import { countStoredFiles, uploadFile } from '#testing/uploads.ts'
import { lockMedia } from './media.repository.ts'
import { releaseMedia } from './media.service.ts'
import { handleDeleteMediaFiles, handleMediaStep } from './media.worker.ts'

let server: TestApp
let author: Person

beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())
afterEach(async () => {
  await server.ctx.db.deleteFrom('revelations').execute()
  await server.ctx.db.deleteFrom('media').execute()
  for await (const { key } of server.ctx.storage.list('')) await server.ctx.storage.delete(key)
  await server.runJobs()
})

/** Seals a revelation with this file, runs its jobs, and answers its author’s view. */
async function sealed(bytes: Buffer, overrides: object = {}) {
  author = await signedIn(server)
  const { url, filename } = await uploadFile(server, author, { bytes })
  const { id } = await createRevelation(server, author, { file_url: url, ...overrides })
  await server.runJobs()
  return { id, mediaId: filename.slice(0, 36), ...(await read(id)) }
}

async function read(id: string) {
  return (await server.call('GET', `/api/revelations/${id}`, { as: author })).body.revelation
}

async function bytesAt(url: string): Promise<Buffer> {
  const answer = await server.app.inject(url)
  expect(answer.statusCode).toBe(200)
  return answer.rawPayload
}

interface StepFacts {
  id: string
  type: string
  state: string
  attempts: number
  error: string | null
}

async function listSteps(mediaId: string): Promise<StepFacts[]> {
  const { rows } = await server.ctx.pool.query<StepFacts>(
    'select id, type, state, attempts, error from media_steps where media_id = $1 order by type',
    [mediaId],
  )
  return rows
}

async function stateOf(mediaId: string): Promise<string | undefined> {
  const { rows } = await server.ctx.pool.query('select state from media where id = $1', [mediaId])
  return rows[0]?.state
}

it('renders the picture, the small version and the chosen teaser of a video', async () => {
  const bytes = await colourVideo({ seconds: 4 })
  const seen = await sealed(bytes, { teaser_start: 1, teaser_end: 3 })
  expect(seen).toMatchObject({ processing_status: 'completed', processing_progress: 100 })
  expect(await stateOf(seen.mediaId)).toBe('ready')
  for (const url of [seen.thumbnail_teaser, seen.thumbnail_complete]) {
    expect((await sharp(await bytesAt(url)).metadata()).format).toBe('webp')
  }
  for (const url of [seen.teaser_url, seen.file_mobile_url]) {
    expect((await bytesAt(url)).subarray(4, 8).toString()).toBe('ftyp')
  }
})

it('shows nothing of a video without a teaser before its instant', async () => {
  const seen = await sealed(await colourVideo({ seconds: 2 }))
  expect(seen).toMatchObject({ teaser_url: null, thumbnail_teaser: null })
  expect((await listSteps(seen.mediaId)).map(({ type }) => type)).toEqual(['mobile', 'thumbnails'])
})

it('leaves a photo its bytes, and its variants neither place nor person', async () => {
  const bytes = await photoWithGps()
  const seen = await sealed(bytes)
  expect((await bytesAt(seen.file_url)).equals(bytes)).toBe(true)
  for (const url of [seen.file_mobile_url, seen.thumbnail_complete]) {
    const variant = await bytesAt(url)
    const { exif, format, width, height } = await sharp(variant).metadata()
    expect({ exif, format }).toEqual({ exif: undefined, format: 'webp' })
    expect(height).toBeGreaterThan(width ?? 0)
    expect(variant.includes('Camille')).toBe(false)
  }
})

it('renders the variants of a picture of one pixel', async () => {
  const seen = await sealed(await picture('gif', 1, 1))
  expect((await sharp(await bytesAt(seen.file_mobile_url)).metadata()).width).toBe(1)
})

it('renders the AAC that phones play of a recording', async () => {
  const seen = await sealed(await toneAudio('webm', 3))
  expect(seen.file_mobile_url).toContain('/api/audio/')
  expect((await bytesAt(seen.file_mobile_url)).subarray(4, 8).toString()).toBe('ftyp')
  expect(seen.duration).toBeCloseTo(3, 0)
})

it('renders the first page of a document', async () => {
  const seen = await sealed(pdf())
  expect(seen).toMatchObject({ processing_status: 'completed', file_mobile_url: null })
  const page = sharp(await bytesAt(seen.thumbnail_complete))
  // 200 points, four times enlarged at most; white paper with a blue square in its middle.
  expect(await page.metadata()).toMatchObject({ format: 'webp', width: 800, height: 800 })
  const { data, info } = await page.raw().toBuffer({ resolveWithObject: true })
  const colourAt = (x: number, y: number) => {
    const [red = 0, green = 0, blue = 0] = data.subarray((y * info.width + x) * info.channels)
    return { isWhite: Math.min(red, green, blue) > 240, isBlue: blue > 200 && red < 60 }
  }
  expect(colourAt(20, 20)).toMatchObject({ isWhite: true })
  expect(colourAt(400, 400)).toMatchObject({ isBlue: true })
})

it.each([
  ['cannot be read', Buffer.from('%PDF-1.4 and then nothing')],
  ['asks for a password', lockedPdf()],
])('keeps a document that %s, without a picture of it', async (_, bytes) => {
  const seen = await sealed(bytes)
  expect(seen).toMatchObject({ processing_status: 'completed', thumbnail_complete: null })
  expect(await stateOf(seen.mediaId)).toBe('ready')
})

it('ends the same and leaves nothing behind when a step runs twice, or in two workers at once', async () => {
  const bytes = await colourVideo({ seconds: 2 })
  const { mediaId } = await sealed(bytes, { teaser_start: 0, teaser_end: 1 })
  const steps = await listSteps(mediaId)
  const before = await countStoredFiles(server)
  await server.ctx.pool.query("update media_steps set state = 'processing'")
  for (const { id } of steps) {
    const both = [1, 2].map(() => handleMediaStep(server.ctx, { stepId: id }))
    const ends = (await Promise.allSettled(both)).map(({ status }) => status)
    expect(ends.sort()).toEqual(['fulfilled', 'rejected'])
    await handleMediaStep(server.ctx, { stepId: id })
  }
  await server.runJobs()
  expect(await countStoredFiles(server)).toBe(before)
  expect((await listSteps(mediaId)).map(({ state }) => state)).toEqual(Array(3).fill('completed'))
  const [{ storageKey } = { storageKey: '' }] = await server.ctx.db
    .selectFrom('mediaObjects')
    .select('storageKey')
    .where('variant', '=', 'mobile')
    .execute()
  const gone = newStorageKey('media/')
  await handleDeleteMediaFiles(server.ctx, { storageKeys: [gone, storageKey] })
  await handleDeleteMediaFiles(server.ctx, { storageKeys: [gone, storageKey] })
})

it('replaces the first teaser, which disappears at once, or removes it', async () => {
  const bytes = await colourVideo({ seconds: 4 })
  const first = await sealed(bytes, { teaser_start: 0, teaser_end: 1 })
  const edit = (body: object) =>
    server.call('PUT', `/api/revelations/${first.id}`, { as: author, body })
  const steps = await listSteps(first.mediaId)
  await edit({ teaser_start: 0, teaser_end: 1 })
  expect(await listSteps(first.mediaId)).toEqual(steps)
  await edit({ teaser_start: 2, teaser_end: 4 })
  expect(await read(first.id)).toMatchObject({
    teaser_url: null,
    thumbnail_teaser: null,
    processing_status: 'processing',
  })
  expect((await server.app.inject(first.teaser_url)).statusCode).toBe(404)
  await server.runJobs()
  const second = await read(first.id)
  expect((await bytesAt(second.teaser_url)).equals(await bytesAt(first.file_url))).toBe(false)
  const stored = await countStoredFiles(server)
  await edit({ teaser_start: null, teaser_end: null })
  expect(await read(first.id)).toMatchObject({ teaser_url: null, processing_status: 'completed' })
  await server.runJobs()
  expect(await countStoredFiles(server)).toBe(stored - 2)
})

it('discards the variants of a file deleted meanwhile', async () => {
  author = await signedIn(server)
  const { filename, processing } = await uploadFile(server, author, { bytes: await picture('png') })
  const [{ jobId: stepId }] = processing.jobs
  let running = Promise.resolve()
  await inTransaction(server.ctx, async (tx) => {
    await lockMedia(tx.db, filename.slice(0, 36))
    running = handleMediaStep(server.ctx, { stepId })
    await expect.poll(() => countStoredFiles(server)).toBe(3)
    await releaseMedia(tx, filename.slice(0, 36))
  })
  await running
  await server.runJobs()
  expect(await countStoredFiles(server)).toBe(0)
})

it('fails a file that cannot be decoded, in words, at the first attempt', async () => {
  author = await signedIn(server)
  const whole = await sharp({
    create: {
      width: 800,
      height: 600,
      channels: 3,
      background: 'red',
      noise: { type: 'gaussian', mean: 9, sigma: 50 },
    },
  })
    .png()
    .toBuffer()
  const broken = whole.subarray(0, whole.length / 2)
  const { url, filename } = await uploadFile(server, author, { bytes: broken })
  await server.runJobs()
  const mediaId = filename.slice(0, 36)
  expect(await stateOf(mediaId)).toBe('failed')
  expect(await listSteps(mediaId)).toMatchObject([
    // Of what there is readers would see as much as can be decoded.
    { type: 'copy', state: 'completed' },
    { type: 'image', state: 'failed', attempts: 1, error: 'Ce fichier est abîmé ou illisible' },
  ])
  const refused = await server.call('POST', '/api/revelations', {
    as: author,
    body: { file_url: url, title: 'Titre', content: 'Une lettre assez longue' },
  })
  expect(refused.status).toBe(400)
})

it('tries a failing tool four times; then shows the failure to the author and leaves the file', async () => {
  author = await signedIn(server)
  const { url, filename } = await uploadFile(server, author, {
    bytes: await colourVideo({ seconds: 2 }),
  })
  const mediaId = filename.slice(0, 36)
  const { id } = await createRevelation(server, author, { file_url: url })
  const step = (await listSteps(mediaId)).find(({ type }) => type === 'mobile')
  const noTools: AppContext = {
    ...server.ctx,
    tools: { ...server.ctx.tools, ffmpegPath: '/bin/false' },
  }
  const run = () => handleMediaStep(noTools, { stepId: step?.id ?? '' })
  for (let tries = 1; tries < 4; tries += 1) await expect(run()).rejects.toThrow()
  await run()
  expect((await listSteps(mediaId)).find(({ type }) => type === 'mobile')).toMatchObject({
    state: 'failed',
    attempts: 4,
  })
  await server.ctx.boss.deleteAllJobs('compress-video')
  await server.runJobs()
  expect(await stateOf(mediaId)).toBe('ready')
  expect(await read(id)).toMatchObject({
    processing_status: 'failed',
    processing_error: '1 tâche(s) ont échoué. Les fonctionnalités peuvent être limitées.',
    file_mobile_url: null,
    thumbnail_complete: expect.any(String),
  })
})

it('releases the step of a stopping worker without counting a failure', async () => {
  author = await signedIn(server)
  const bytes = await colourVideo({ seconds: 20, size: '1280x720' })
  const { filename } = await uploadFile(server, author, { bytes })
  const mediaId = filename.slice(0, 36)
  const step = (await listSteps(mediaId)).find(({ type }) => type === 'mobile')
  const stop = new AbortController()
  const ctx: AppContext = { ...server.ctx, stopping: stop.signal }
  const running = handleMediaStep(ctx, { stepId: step?.id ?? '' })
  await expect.poll(async () => (await listProgress(mediaId)) > 0).toBe(true)
  stop.abort(new Error('stop'))
  await expect(running).rejects.toThrow('stop')
  expect((await listSteps(mediaId)).find(({ type }) => type === 'mobile')).toMatchObject({
    state: 'processing',
    attempts: 0,
  })
  await handleMediaStep(server.ctx, { stepId: step?.id ?? '' })
  expect((await listSteps(mediaId)).find(({ type }) => type === 'mobile')?.state).toBe('completed')
})

async function listProgress(mediaId: string): Promise<number> {
  const { rows } = await server.ctx.pool.query(
    "select progress from media_steps where media_id = $1 and type = 'mobile'",
    [mediaId],
  )
  return rows[0].progress
}
