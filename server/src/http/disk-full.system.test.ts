import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, it, onTestFinished } from 'vitest'
import { clientOf } from '#testing/http-client.ts'
import { mountSmallDisk } from '#testing/machine.ts'
import { pdf } from '#testing/media-files.ts'
import { startProgram } from '#testing/program.ts'
import { requestUpload, sendPart } from '#testing/resumable-uploads.ts'
import { type Answer, type Person, registered } from '#testing/test-server.ts'

const MB = 1024 * 1024
const PEOPLE = 16
const BETWEEN_PAGES_MS = 500
const DUE_IN_MS = 30_000
const PART = Buffer.concat([pdf(), Buffer.alloc(8 * MB)], 8 * MB)

it('four accounts fill the disk under the whole program: it reads, reveals and mails on, and comes back', async (context) => {
  const disk = await mountSmallDisk(context, 420)
  const dataDir = path.join(disk, 'data')
  const program = await startProgram({
    DATA_DIR: dataDir,
    DISK_RESERVE_MB: '160',
    S3_BUCKET: '',
    LOG_LEVEL: 'info',
  })
  onTestFinished(async () => void (await program.end('SIGTERM')))
  const server = clientOf(program.origin)
  const statuses = new Map<string, number>()
  const count = ({ status }: Answer, what: string) => {
    const name = `${what} ${status}`
    statuses.set(name, (statuses.get(name) ?? 0) + 1)
  }
  const health = () => server.call('GET', '/api/health')
  const seal = (as: Person, inMs: number, address: string) =>
    server.call('POST', '/api/revelations', {
      as,
      body: {
        title: 'Lettre',
        content: 'Il fera beau.',
        target_email: address,
        reveal_date: new Date(Date.now() + inMs).toISOString(),
      },
    })
  const author = await registered(server)
  const due = await seal(author, 20_000, 'lectrice@exemple.test')
  expect(due.status).toBe(201)

  // Each sends what its room allows: 100 MB, in uploads that are never finished.
  const fillers = await Promise.all(Array.from({ length: 4 }, () => registered(server)))
  const locations: [Person, string][] = []
  async function fill(as: Person): Promise<void> {
    for (;;) {
      const begun = await requestUpload(server, as, PART.length)
      count(begun, 'begin')
      if (begun.status !== 201) return
      const location = String(begun.headers.location)
      locations.push([as, location])
      const sent = await sendPart(server, as, location, { offset: 0, bytes: PART })
      count(sent, 'part')
      if (sent.status !== 204) return
    }
  }
  let isFilling = true
  // As people do: a letter that falls due while the disk is low, then one page after another.
  async function live(n: number): Promise<void> {
    const as = await registered(server)
    count(await seal(as, DUE_IN_MS, `lecteur.${n}@exemple.test`), 'seal')
    while (isFilling) {
      count(await server.call('GET', `/api/revelations/${due.body.revelation.id}`), 'read')
      count(await server.call('GET', '/api/revelations', { as }), 'list')
      await delay(BETWEEN_PAGES_MS)
    }
  }
  const living = Promise.all(Array.from({ length: PEOPLE }, (_, n) => live(n)))
  await Promise.all(fillers.map(fill))
  // What else grows on a disk.
  const ballast = path.join(disk, 'ballast')
  await writeFile(ballast, Buffer.alloc(24 * MB))
  await expect.poll(async () => (await health()).body).toEqual({ status: 'ok', disk: 'low' })
  const refused = await seal(author, 3_600_000, 'autre@exemple.test')
  expect([refused.status, refused.body.code]).toEqual([507, 'disk_full'])
  count(await requestUpload(server, author, PART.length), 'begin')
  expect((await registered(server)).token).toBeTruthy()

  const opened = async () => {
    const names = await readdir(path.join(dataDir, 'outbox')).catch(() => [])
    const mails = await Promise.all(
      names.map((name) => readFile(path.join(dataDir, 'outbox', name), 'utf8').catch(() => '')),
    )
    return mails.filter((mail) => /^To: [^<]*<lect/m.test(mail)).length
  }
  await expect.poll(opened, { interval: 1_000 }).toBe(PEOPLE + 1)
  isFilling = false
  await living
  expect((await health()).body).toEqual({ status: 'ok', disk: 'low' })

  await rm(ballast)
  for (const [as, location] of locations) {
    const headers = { 'tus-resumable': '1.0.0' }
    expect((await server.call('DELETE', location, { as, headers })).status).toBe(204)
  }
  await expect.poll(async () => (await health()).body).toEqual({ status: 'ok', disk: 'ok' })
  expect((await seal(author, 3_600_000, 'autre@exemple.test')).status).toBe(201)
  const names = [...statuses.keys()]
  expect(names.filter((name) => / (5\d\d)$/.test(name) && !name.endsWith('507'))).toEqual([])
  expect(names).toEqual(expect.arrayContaining(['read 200', 'list 200', 'seal 201', 'begin 507']))
  console.info([...statuses].map(([name, times]) => `${name}: ${times}`).join(', '))
  expect(program.stdout()).toContain('the disk is low')
  expect(program.stdout()).toContain('the disk has room again')
  expect(program.stdout()).not.toContain('PANIC')
})
