import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { type AppContext, inTransaction } from '#server/context.ts'
import { handleJob, startHandlers } from '#server/platform/jobs/jobs.ts'
import { colourVideo, picture, silentWav, toneAudio } from '#testing/media-files.ts'
import { type Person, signedIn, startTestServer, type TestApp } from '#testing/test-server.ts'
import { countStoredFiles, uploadFile } from '#testing/uploads.ts'
import { compressVideo, prepareMedia } from './media.jobs.ts'
import { lockMedia } from './media.repository.ts'
import { longestRunMs } from './media.rules.ts'
import { handleMediaStep } from './media.worker.ts'

let server: TestApp
let author: Person

beforeAll(async () => {
  server = await startTestServer()
  author = await signedIn(server)
})
afterAll(() => server.close())
afterEach(async () => {
  await server.ctx.db.deleteFrom('media').execute()
  for await (const { key } of server.ctx.storage.list('')) await server.ctx.storage.delete(key)
  await Promise.all(
    ['prepare-media', 'compress-video'].map((q) => server.ctx.boss.deleteAllJobs(q)),
  )
})

interface Sent {
  mediaId: string
  /** Ids of its steps by their type. */
  steps: Record<string, string>
}

async function send(
  bytes: Buffer,
  fields: Record<string, string> = {},
  as = author,
): Promise<Sent> {
  const { filename, processing } = await uploadFile(server, as, { bytes, fields })
  const jobs: { jobId: string; type: string }[] = processing.jobs
  const steps = Object.fromEntries(jobs.map(({ jobId, type }) => [type, jobId]))
  return { mediaId: filename.slice(0, 36), steps }
}

async function read(stepId = '') {
  const { rows } = await server.ctx.pool.query(
    'select type, state, attempts, error, lost_runs, claimed_by from media_steps where id = $1',
    [stepId],
  )
  return rows[0]
}

async function stateOf(mediaId: string): Promise<string> {
  const { rows } = await server.ctx.pool.query('select state from media where id = $1', [mediaId])
  return rows[0]?.state
}

const run = (stepId = '', ctx: AppContext = server.ctx) => handleMediaStep(ctx, { stepId })
const retry = (stepId: string | undefined, as: Person) =>
  server.call('POST', `/api/jobs/${stepId}/retry`, { as })

/** The same worker with another ffmpeg, which is a script. */
async function withFfmpeg<T>(script: string, work: (ctx: AppContext) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(path.join(tmpdir(), 'revelations-test-'))
  await chmod(folder, 0o755)
  const ffmpegPath = path.join(folder, 'ffmpeg')
  await writeFile(ffmpegPath, `#!/bin/sh\n${script}\n`, { mode: 0o755 })
  const tools = { ...server.ctx.tools, ffmpegPath }
  return work({ ...server.ctx, tools }).finally(() => rm(folder, { recursive: true }))
}

it('renders a teaser before ten earlier compressions, then pictures, then audio', async () => {
  const { ctx } = server
  const video = await colourVideo({ seconds: 2 })
  await send(await toneAudio('mp3', 2))
  for (let n = 0; n < 10; n += 1) await send(video)
  await send(video, { teaserStart: '0', teaserEnd: '1' })
  const order: string[] = []
  const prepared = Promise.withResolvers<void>()
  const compressed: string[] = []
  await startHandlers(ctx.boss, ctx, [
    // The first compression occupies their only place all along.
    handleJob(compressVideo, async (_, { stepId }) => {
      compressed.push(stepId)
      await prepared.promise
    }),
    handleJob({ ...prepareMedia, concurrency: 1 }, async (_, { stepId }) => {
      order.push((await read(stepId)).type)
      if (order.length === 13) prepared.resolve()
    }),
  ])
  await prepared.promise
  await Promise.all([prepareMedia, compressVideo].map(({ name }) => ctx.boss.offWork(name)))
  expect(order).toEqual(['teaser', ...Array(11).fill('thumbnails'), 'audio'])
  expect(compressed.length).toBeLessThanOrEqual(1)
})

it('stores one result of a step that two workers rendered, and deletes the bytes of the other', async () => {
  const { mediaId, steps } = await send(await picture('png'))
  const runs: Promise<void>[] = []
  // One loses its claim, perhaps before the transaction is over: its error is nobody's.
  const startRun = () => runs.push(run(steps.image).catch(() => undefined))
  await inTransaction(server.ctx, async (tx) => {
    await lockMedia(tx.db, mediaId)
    startRun()
    await expect.poll(() => countStoredFiles(server)).toBe(3)
    // As if the first worker had been silent for long: the second claims the step.
    await server.ctx.pool.query("update media_steps set claimed_until = now() - interval '1 hour'")
    startRun()
    await expect.poll(() => countStoredFiles(server)).toBe(5)
  })
  await Promise.all(runs)
  expect(await read(steps.image)).toMatchObject({ state: 'completed', lost_runs: 1 })
  await run(steps.copy)
  expect(await stateOf(mediaId)).toBe('ready')
  const { rows } = await server.ctx.pool.query('select storage_key from media_objects')
  const stored: string[] = []
  for await (const { key } of server.ctx.storage.list('media/')) stored.push(key)
  expect(stored.sort()).toEqual(rows.map((row) => row.storage_key).sort())
  expect(stored).toHaveLength(4)
})

it('stores nothing of a run that has lost its claim, and leaves the step to the other worker', async () => {
  const { mediaId, steps } = await send(await picture('png'))
  const other = crypto.randomUUID()
  let refused: Promise<unknown> = Promise.resolve()
  await inTransaction(server.ctx, async (tx) => {
    await lockMedia(tx.db, mediaId)
    refused = expect(run(steps.image)).rejects.toThrow('Another run has taken this step')
    await expect.poll(() => countStoredFiles(server)).toBe(3)
    await server.ctx.pool.query('update media_steps set claimed_by = $1', [other])
  })
  await refused
  expect(await read(steps.image)).toMatchObject({ state: 'processing', claimed_by: other })
  expect(await countStoredFiles(server)).toBe(1)
})

it('puts back a job delivered while the step is claimed', async () => {
  const { mediaId, steps } = await send(await picture('png'))
  let first = Promise.resolve()
  await inTransaction(server.ctx, async (tx) => {
    await lockMedia(tx.db, mediaId)
    first = run(steps.image)
    await expect.poll(async () => (await read(steps.image)).claimed_by).toBeTruthy()
    await expect(run(steps.image)).rejects.toThrow('Another run holds this step')
  })
  await first
  await run(steps.image)
  expect(await read(steps.image)).toMatchObject({ state: 'completed', attempts: 0, lost_runs: 0 })
  expect(await countStoredFiles(server)).toBe(3)
})

it('runs one step per owner at a time, another owner’s beside it, and the next as it ends', async () => {
  const long = await send(await toneAudio('mp3', 2))
  const waiting = await send(await toneAudio('mp3', 2))
  const film = await send(await colourVideo({ seconds: 1 }))
  const stranger = await signedIn(server)
  const others = await send(await picture('png'), {}, stranger)
  await server.ctx.boss.deleteAllJobs('prepare-media')
  let first = Promise.resolve()
  await inTransaction(server.ctx, async (tx) => {
    await lockMedia(tx.db, long.mediaId)
    first = run(long.steps.audio)
    await expect.poll(async () => (await read(long.steps.audio)).claimed_by).toBeTruthy()
    await Promise.all([run(waiting.steps.audio), run(film.steps.thumbnails)])
    for (const stepId of [waiting.steps.audio, film.steps.thumbnails]) {
      expect(await read(stepId)).toMatchObject({ state: 'processing', attempts: 0, lost_runs: 0 })
    }
    await run(others.steps.image)
    expect(await read(others.steps.image)).toMatchObject({ state: 'completed' })
    // Films are compressed in a place of their own.
    await run(film.steps.mobile)
    expect(await read(film.steps.mobile)).toMatchObject({ state: 'completed' })
  })
  await first
  await server.runJobs()
  for (const stepId of [long.steps.audio, waiting.steps.audio, film.steps.thumbnails]) {
    expect(await read(stepId)).toMatchObject({ state: 'completed' })
  }
})

it('runs short work before hours of audio that came first', async () => {
  const long = await send(silentWav(7_000))
  const short = await send(await toneAudio('mp3', 2))
  for (const { steps } of [short, long]) {
    const [job] = await server.ctx.boss.fetch<{ stepId: string }>('prepare-media')
    expect(job?.data.stepId).toBe(steps.audio)
  }
})

it('ends a run that takes far longer than its file lasts', () => {
  const minute = 60_000
  expect(longestRunMs('audio', 60)).toBeLessThan(6 * minute)
  expect(longestRunMs('audio', 7_200)).toBeLessThan(20 * minute)
  expect(longestRunMs('audio', 10 * 3_600)).toBe(50 * minute)
  expect(longestRunMs('mobile', 60)).toBeLessThan(15 * minute)
  expect(longestRunMs('mobile', 7_200)).toBe(370 * minute)
  expect(longestRunMs('image', null)).toBe(5 * minute)
})

it('fails a file whose workers die one after the other, in words', async () => {
  const { mediaId, steps } = await send(await picture('png'))
  await server.ctx.pool.query(
    "update media_steps set lost_runs = 5, claimed_by = gen_random_uuid(), claimed_until = now() - interval '1 s'",
  )
  for (const stepId of [steps.image, steps.copy]) {
    await run(stepId)
    expect(await read(stepId)).toMatchObject({
      state: 'failed',
      error: 'Préparer ce fichier demande trop de travail',
    })
  }
  expect(await stateOf(mediaId)).toBe('ready')
})

it('fails a file that reaches the limits of a tool alone, at once and in words, beside another file', async () => {
  const video = await colourVideo({ seconds: 2 })
  const stranger = await signedIn(server)
  const [poisoned, sound] = [await send(video), await send(await toneAudio('mp3', 2), {}, stranger)]
  await withFfmpeg('sleep 600 & sleep 600 & kill -XCPU $$', (ctx) =>
    Promise.all([run(poisoned.steps.thumbnails, ctx), run(sound.steps.audio)]),
  )
  expect(await read(poisoned.steps.thumbnails)).toMatchObject({
    state: 'failed',
    attempts: 1,
    error: 'Préparer ce fichier demande trop de travail',
  })
  expect(await read(sound.steps.audio)).toMatchObject({ state: 'completed' })
  expect(await stateOf(sound.mediaId)).toBe('ready')
})

it('tries a film of noise four times and fails it in words, beside another film', async () => {
  const video = await colourVideo({ seconds: 2, audio: false })
  const noise = Buffer.from(video)
  const at = noise.indexOf('mdat') + 4
  const end = at - 8 + noise.readUInt32BE(at - 8)
  for (let n = at; n < end; n += 1) noise[n] = (n * 2_654_435_761) >>> 24
  const [poisoned, whole] = [await send(noise), await send(video)]
  await expect(run(poisoned.steps.thumbnails)).rejects.toThrow('ffmpeg ended with code')
  await run(whole.steps.thumbnails)
  for (const last of [false, false, true]) {
    const tried = run(poisoned.steps.thumbnails)
    await (last ? tried : expect(tried).rejects.toThrow('ffmpeg ended with code'))
  }
  expect(await read(whole.steps.thumbnails)).toMatchObject({ state: 'completed' })
  expect(await read(poisoned.steps.thumbnails)).toMatchObject({
    state: 'failed',
    attempts: 4,
    error: 'Cette préparation n’a pas abouti',
  })
  expect(await stateOf(poisoned.mediaId)).toBe('processing')
})

it('lets only the author retry a failed step, and rejects any other state', async () => {
  const { mediaId, steps } = await send(await picture('png'))
  await server.ctx.pool.query(
    "update media_steps set state = 'failed', attempts = 4, error = 'Non'",
  )
  await server.ctx.pool.query("update media set state = 'ready'")
  await server.ctx.boss.deleteAllJobs('prepare-media')
  const stranger = await signedIn(server)
  expect((await retry(steps.image, stranger)).status).toBe(404)
  expect((await retry('unknown', author)).status).toBe(404)
  const again = await retry(steps.image, author)
  expect(again).toMatchObject({
    status: 200,
    body: { jobId: steps.image, status: 'processing', progress: 0, error: null },
  })
  expect(await stateOf(mediaId)).toBe('processing')
  const twice = await retry(steps.image, author)
  expect(twice).toMatchObject({ status: 409, body: { code: 'step_not_failed' } })
  await server.runJobs()
  expect(await read(steps.image)).toMatchObject({ state: 'completed', attempts: 0 })
  expect(await stateOf(mediaId)).toBe('ready')
})
