import { Readable } from 'node:stream'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { inTransaction } from '#server/context.ts'
import { newStorageKey } from '#server/platform/storage/storage.ts'
import { A_DAY_MS, AN_HOUR_MS, createRevelation } from '#testing/factories.ts'
import { pagelessPdf, picture } from '#testing/media-files.ts'
import { type Person, signedIn, startTestServer, type TestApp } from '#testing/test-server.ts'
import { countStoredFiles, uploadFile } from '#testing/uploads.ts'
import { claimMedia } from './media.service.ts'
import { sweepOrphanFiles, sweepUnusedMedia } from './sweep.service.ts'

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

/** Seals a revelation with this file and runs its jobs; the answer is the file's id. */
async function sealed(bytes: Buffer): Promise<string> {
  author = await signedIn(server)
  const { url, filename } = await uploadFile(server, author, { bytes })
  await createRevelation(server, author, { file_url: url })
  await server.runJobs()
  return filename.slice(0, 36)
}

async function stateOf(mediaId: string): Promise<string | undefined> {
  const { rows } = await server.ctx.pool.query('select state from media where id = $1', [mediaId])
  return rows[0]?.state
}

it('deletes files that nothing used for 24 hours, and no used ones', async () => {
  const start = server.clock.now
  const used = await sealed(pagelessPdf())
  const unused = await uploadFile(server, author, { bytes: await picture('png') })
  await server.runJobs()
  server.clock.advance(A_DAY_MS - 60_000)
  await sweepUnusedMedia(server.ctx)
  expect(await stateOf(unused.filename.slice(0, 36))).toBe('ready')
  server.clock.advance(120_000)
  await server.runJobs()
  expect(await stateOf(unused.filename.slice(0, 36))).toBeUndefined()
  expect(await stateOf(used)).toBe('ready')
  expect(await countStoredFiles(server)).toBe(1)
  server.clock.now = start
})

it('leaves a file that is being claimed', async () => {
  const start = server.clock.now
  author = await signedIn(server)
  const { url, filename } = await uploadFile(server, author, { bytes: pagelessPdf() })
  const actor = { userId: author.id, sessionId: 'x', verifiedEmailKey: null }
  server.clock.advance(2 * A_DAY_MS)
  await inTransaction(server.ctx, async (tx) => {
    await claimMedia(tx, actor, url)
    await sweepUnusedMedia(server.ctx)
  })
  await sweepUnusedMedia(server.ctx)
  expect(await stateOf(filename.slice(0, 36))).toBe('processing')
  server.clock.now = start
})

it('deletes a killed transfer within minutes, which uses neither slot nor quota meanwhile', async () => {
  const start = server.clock.now
  author = await signedIn(server)
  for (let n = 0; n < 2; n += 1) await uploadFile(server, author, { bytes: pagelessPdf() })
  await server.ctx.db
    .updateTable('media')
    .set({ state: 'receiving', receivingAt: start, sealedFacts: null, sizeBytes: 500 * 1024 ** 2 })
    .where('ownerId', '=', author.id)
    .execute()
  server.clock.advance(61_000)
  const next = await uploadFile(server, author, { bytes: pagelessPdf() })
  server.clock.advance(5 * 60_000)
  await server.runJobs()
  expect(await countStoredFiles(server)).toBe(1)
  expect(await stateOf(next.filename.slice(0, 36))).toBe('ready')
  server.clock.now = start
})

it('deletes stored bytes without a row, but not while a row may come', async () => {
  const start = server.clock.now
  const mediaId = await sealed(pagelessPdf())
  await server.ctx.storage.put(newStorageKey('media/'), Readable.from([Buffer.from('orphelin')]))
  server.clock.now = new Date()
  await sweepOrphanFiles(server.ctx)
  expect(await countStoredFiles(server)).toBe(2)
  server.clock.advance(2 * AN_HOUR_MS)
  await sweepOrphanFiles(server.ctx)
  expect(await countStoredFiles(server)).toBe(1)
  expect(await stateOf(mediaId)).toBe('ready')
  server.clock.now = start
})

it('fails a step that the queue has dropped', async () => {
  const start = server.clock.now
  const mediaId = await sealed(await picture('png'))
  await server.ctx.pool.query("update media_steps set state = 'processing'")
  await server.ctx.pool.query("update media set state = 'processing'")
  server.clock.advance(4 * A_DAY_MS)
  await sweepUnusedMedia(server.ctx)
  const { rows } = await server.ctx.pool.query('select state from media_steps')
  expect(rows).toEqual([{ state: 'failed' }, { state: 'failed' }])
  expect(await stateOf(mediaId)).toBe('ready')
  server.clock.now = start
})
