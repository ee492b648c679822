import { statfsSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, it, onTestFinished, type TestContext } from 'vitest'
import { deleteMediaFiles, prepareMedia } from '#server/features/media/media.jobs.ts'
import { mediaHandlers } from '#server/features/media/media.worker.ts'
import { startHandlers } from '#server/platform/jobs/jobs.ts'
import { createRevelation, revelationBody } from '#testing/factories.ts'
import { mountSmallDisk } from '#testing/machine.ts'
import { pdf, picture } from '#testing/media-files.ts'
import {
  beginUpload,
  finish,
  offsetOf,
  requestUpload,
  sendPart,
} from '#testing/resumable-uploads.ts'
import { PASSWORD, signedIn, startTestServer, type TestApp } from '#testing/test-server.ts'
import { sendFile, streamUpload, uploadFile, uploadForm } from '#testing/uploads.ts'
import { postVoiceMessage } from '#testing/voice-messages.ts'

const MB = 1024 * 1024

interface SmallServer extends TestApp {
  /** Leaves so many MB free on its disk, which has 40. */
  leave(freeMb: number): Promise<void>
  freeMb(): number
  /** How often the log says this. */
  said(words: string): number
  /** Waits until it knows how full its disk is. */
  becomes(disk: 'ok' | 'low'): Promise<void>
}

/** A server whose files are on a disk of their own, of which 12 MB are to stay free. */
async function startOnSmallDisk(context: TestContext): Promise<SmallServer> {
  const dataDir = await mountSmallDisk(context, 40)
  const lines: string[] = []
  const config = { dataDir, diskReserveBytes: 12 * MB }
  const log = { write: (line: string) => void lines.push(line) }
  const server = await startTestServer({ config, log })
  onTestFinished(server.close)
  if (server.ctx.config.s3) context.skip('files are not on the disk here')
  const ballast = path.join(dataDir, 'ballast')
  const freeMb = () => {
    const { bavail, bsize } = statfsSync(dataDir)
    return (bavail * bsize) / MB
  }
  return {
    ...server,
    freeMb,
    said: (words) => lines.filter((line) => line.includes(words)).length,
    async leave(wantedMb) {
      await rm(ballast, { force: true })
      await writeFile(ballast, Buffer.alloc(Math.floor((freeMb() - wantedMb) * MB)))
    },
    async becomes(disk) {
      const health = async () => (await server.call('GET', '/api/health')).body
      await expect.poll(health).toEqual({ status: 'ok', disk })
    },
  }
}

it('below the reserve nothing new is kept, everything else goes on, and it ends by itself', async (context) => {
  const server = await startOnSmallDisk(context)
  const person = await signedIn(server)
  const { url } = await uploadFile(server, person, { bytes: pdf() })
  const letter = await createRevelation(server, person, { file_url: url })
  const unwanted = await createRevelation(server, person)
  const bytes = await picture('png', 900, 700)
  const location = await beginUpload(server, person, bytes.length)
  await server.becomes('ok')

  await server.leave(8)
  await server.becomes('low')
  const file_url = url
  const seal = () =>
    server.call('POST', '/api/revelations', { as: person, body: revelationBody(server) })
  const unknown = '00000000-0000-4000-8000-000000000000'
  const refused = [
    await sendFile(server, person, { bytes }),
    await requestUpload(server, person, 10),
    await sendPart(server, person, location, { offset: 0, bytes }),
    await seal(),
    await postVoiceMessage(server, person, { file_url }),
    await server.call('GET', '/api/auth/export', { as: person }),
    await server.call('POST', `/api/jobs/${unknown}/retry`, { as: person }),
    await server.call('PUT', '/api/auth/profile', { as: person, body: { avatar_url: file_url } }),
  ]
  for (const answer of refused) {
    expect(answer).toMatchObject({
      status: 507,
      body: { code: 'disk_full', error: expect.stringContaining('manque de place') },
    })
  }
  expect(await offsetOf(server, person, location)).toBe(0)
  expect(server.said('the disk is low')).toBe(1)

  const credentials = { email: 'neuve@exemple.test', pseudo: 'neuve', password: PASSWORD }
  for (const answer of [
    await server.call('GET', `/api/revelations/${letter.id}`, { as: person }),
    await server.call('POST', '/api/auth/register', { body: credentials }),
    await server.call('POST', '/api/auth/login', { body: credentials }),
    await server.call('DELETE', `/api/revelations/${unwanted.id}`, { as: person }),
  ]) {
    expect(answer.status).toBeLessThan(300)
  }
  server.clock.advance(2 * 86_400_000)
  await server.runJobs()
  expect(server.mailbox.lastTo('destinataire@exemple.test')).toBeDefined()
  const again = await signedIn(server)
  const opened = await server.call('GET', `/api/revelations/${letter.id}`, { as: again })
  expect(opened.body.revelation.content).toBe('Il fera beau toute la journée.')

  await server.leave(30)
  await server.becomes('ok')
  expect(server.said('the disk has room again')).toBe(1)
  const sealed = await server.call('POST', '/api/revelations', {
    as: again,
    body: revelationBody(server),
  })
  expect(sealed.status).toBe(201)
  const begun = await beginUpload(server, again, bytes.length)
  expect(await sendPart(server, again, begun, { offset: 0, bytes })).toMatchObject({ status: 204 })
  expect(await finish(server, again, begun)).toMatchObject({ status: 201 })
})

it('many uploads at once, of lengths nobody said, stop before the reserve', async (context) => {
  const server = await startOnSmallDisk(context)
  const origin = await server.listen()
  const people = await Promise.all(Array.from({ length: 3 }, () => signedIn(server)))
  let leastMb = server.freeMb()
  async function* growing(before: Buffer, after: Buffer) {
    yield before
    yield pdf()
    for (let n = 0; n < 16; n += 1) {
      yield Buffer.alloc(MB)
      leastMb = Math.min(leastMb, server.freeMb())
    }
    yield after
  }
  const answers = await Promise.all(
    people.flatMap((person) =>
      [1, 2].map(() => {
        const { headers, before, after } = uploadForm({ folder: 'documents' })
        return streamUpload(origin, person, headers, growing(before, after))
      }),
    ),
  )
  const statuses = answers.map(({ status }) => status)
  expect(statuses.filter((status) => status === 507).length).toBeGreaterThan(2)
  expect(statuses.every((status) => status === 507 || status === 201)).toBe(true)
  // What a stream holds before it is written: a megabyte each.
  expect(leastMb).toBeGreaterThan(12 - 8)
  expect(server.freeMb()).toBeGreaterThan(12 - 1)
})

it('below a third of the reserve steps wait in their place, and other jobs do not', async (context) => {
  const server = await startOnSmallDisk(context)
  const { ctx } = server
  const person = await signedIn(server)
  const { processing } = await uploadFile(server, person, { bytes: await picture('png') })
  const stepId = processing.jobs[0].jobId
  await server.leave(2)
  await server.becomes('low')
  expect(server.said('background work waits')).toBe(1)

  await startHandlers(ctx.boss, ctx, mediaHandlers)
  await ctx.jobs.enqueue(deleteMediaFiles, { storageKeys: ['media/00/none'] })
  const left = async ({ name }: { name: string }) => {
    const { rows } = await ctx.pool.query(
      "select state, retry_count as tries from pgboss.job where name = $1 and state < 'completed'",
      [name],
    )
    return rows
  }
  await expect.poll(() => left(deleteMediaFiles)).toEqual([])
  // The light variant of the picture, and its copy.
  const waits = { state: 'active', tries: 0 }
  await expect.poll(() => left(prepareMedia)).toEqual([waits, waits])
  const status = async () =>
    (await server.call('GET', `/api/jobs/status/${stepId}`, { as: person })).body.status
  expect(await status()).toBe('processing')

  await server.leave(30)
  await expect.poll(status).toBe('completed')
  for (const { job } of mediaHandlers) await ctx.boss.offWork(job.name)
})

it('what PostgreSQL has no room for is told as such', async () => {
  const server = await startTestServer()
  onTestFinished(server.close)
  const person = await signedIn(server)
  await server.ctx.pool.query(`
    create function be_full() returns trigger language plpgsql as
      $$ begin raise exception 'could not extend file' using errcode = 'disk_full'; end $$;
    create trigger full_disk before insert on revelations execute function be_full();`)
  const body = revelationBody(server)
  const answer = await server.call('POST', '/api/revelations', { as: person, body })
  expect(answer).toMatchObject({ status: 507, body: { code: 'disk_full' } })
})
