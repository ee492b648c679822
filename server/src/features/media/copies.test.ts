import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { search } from '#testing/canary.ts'
import { A_DAY_MS, keyHeaders, sealPrivate, verifiedPerson } from '#testing/factories.ts'
import {
  PHOTOGRAPHS,
  type Photograph,
  phoneNameOf,
  photograph,
  TRACES,
} from '#testing/photographs.ts'
import { readZip } from '#testing/read-zip.ts'
import { type Person, signedIn, startTestServer, type TestApp } from '#testing/test-server.ts'
import { uploadFile } from '#testing/uploads.ts'
import { verifyLive } from '#testing/verify-live.ts'
import { createTicket } from './file-serving.service.ts'

let server: TestApp
let author: Person
let stranger: Person

beforeAll(async () => {
  server = await startTestServer()
  author = await verifiedPerson(server)
  stranger = await signedIn(server)
  const plan = { userId: author.id, plan: 'unlimited' as const }
  await server.ctx.db.insertInto('subscriptions').values(plan).execute()
})
afterAll(() => server.close())

interface Sent {
  id: string
  url: string
  bytes: Buffer
}

async function send(name: Photograph): Promise<Sent> {
  const bytes = await photograph(name)
  const { url, filename } = await uploadFile(server, author, { bytes, name: phoneNameOf(name) })
  return { id: filename.slice(0, 36), url, bytes }
}

interface Reader {
  as?: Person | undefined
  key?: string
}

async function read(id: string, { as, key }: Reader = {}) {
  const answer = await server.call('GET', `/api/revelations/${id}`, {
    as,
    headers: keyHeaders(key),
  })
  return { ...answer.body.revelation, text: answer.text }
}

async function get(url: string) {
  const answer = await server.app.inject({ url })
  return {
    status: answer.statusCode,
    type: answer.headers['content-type'],
    saved: String(answer.headers['content-disposition']),
    cached: answer.headers['cache-control'],
    bytes: answer.rawPayload,
  }
}

/** Every address of a file in an answer, and of each what a download of it is. */
function addressesIn(text: string): string[] {
  const found = text.match(/\/api\/(?:secure-file|thumbnail|audio)\/[^"\\]+/g) ?? []
  return [...new Set(found)].flatMap((url) => [url, `${url}&download=1`])
}

/** What is planted in these bytes, or in what a browser is told beside them. */
function tracesIn(name: string, ...parts: (Buffer | string)[]): string[] {
  return search([{ name, bytes: Buffer.concat(parts.map((part) => Buffer.from(part))) }], TRACES)
}

async function archiveOf(id: string, { as, key }: Reader) {
  const asked = await server.call('POST', `/api/revelations/${id}/archive`, {
    as,
    headers: keyHeaders(key),
  })
  return readZip((await get(asked.body.url)).bytes)
}

it('is searched for what is really there', async () => {
  for (const name of PHOTOGRAPHS) {
    const found = tracesIn(name, await photograph(name))
    expect(found.length, `${name}: ${found}`).toBeGreaterThan(name === 'photo.gif' ? 2 : 6)
  }
})

describe.each(PHOTOGRAPHS)('%s', (name) => {
  it('gives readers its picture and no trace of where, when and with what it was taken', async () => {
    const sent = await send(name)
    const sealed = await sealPrivate(server, author, {
      file_url: sent.url,
      visibility: 'public',
    })
    server.clock.advance(A_DAY_MS)
    const { id } = sealed
    expect(await read(id)).toMatchObject({
      file_type: 'image',
      file_url: null,
      file_is_sealed: false,
      file_mobile_url: null,
    })
    expect(await read(id, { as: author })).toMatchObject({
      file_url: expect.stringContaining(sent.id),
      file_is_sealed: true,
    })
    await server.runJobs()

    const key = server.mailbox.lastKeyTo(sealed.address)
    for (const reader of [{}, { as: stranger }, { key }]) {
      const { text, ...seen } = await read(id, reader)
      expect(tracesIn('the answer', text)).toEqual([])
      expect(seen.file_is_sealed).toBe(false)
      expect(addressesIn(text)).toHaveLength(6)
      for (const url of addressesIn(text)) {
        const { status, bytes, saved, type } = await get(url)
        expect([status, tracesIn(url, bytes, saved)]).toEqual([200, []])
        expect(type).toMatch(/^image\//)
      }
      const copy = await get(`${seen.file_url}&download=1`)
      const [extension, format, size] = COPIES[name]
      expect(copy.saved).toMatch(new RegExp(`filename="image\\.${extension}"`))
      expect(seen).toMatchObject({ file_name: `image.${extension}`, file_size: copy.bytes.length })
      const { width, height, pages, ...facts } = await sharp(copy.bytes).metadata()
      expect([facts.format, width, height, pages ?? 1]).toEqual([format, ...size])
      expect(copy.type).toBe(`image/${format}`)
      expect(facts).not.toHaveProperty('icc')
    }

    const own = await read(id, { as: author })
    const original = await get(`${own.file_url}&download=1`)
    expect(original.bytes.equals(sent.bytes)).toBe(true)
    expect(original.saved).toContain(phoneNameOf(name))
    expect(original.cached).toBe('private, no-store')
    expect(own).toMatchObject({ file_name: phoneNameOf(name), file_size: sent.bytes.length })
  })
})

/** Extension, format, width, height and frames. */
const COPIES: Record<Photograph, [string, string, [number, number, number]]> = {
  'photo.jpg': ['jpg', 'jpeg', [64, 96, 1]],
  'photo.png': ['png', 'png', [64, 96, 1]],
  'photo.webp': ['webp', 'webp', [64, 96, 1]],
  'photo.gif': ['gif', 'gif', [96, 64, 3]],
  'photo.heic': ['jpg', 'jpeg', [96, 64, 1]],
  'moving.webp': ['webp', 'webp', [96, 64, 2]],
}

it('shows the colours of the photograph in sRGB', async () => {
  const { id, key } = await sealAlbum(['photo.heic'])
  const { file_url, file_mobile_url } = await read(id, { key })
  for (const url of [file_url, file_mobile_url]) {
    const { data } = await sharp((await get(url)).bytes)
      .extract({ left: 8, top: 8, width: 1, height: 1 })
      .raw()
      .toBuffer({ resolveWithObject: true })
    // In Display P3 the same red has other numbers: 185, 49, 43.
    const furthest = [200, 30, 30].map((wanted, at) => Math.abs(wanted - (data[at] ?? 0)))
    expect(Math.max(...furthest), `${[...data]}`).toBeLessThan(8)
  }
})

async function sealAlbum(names: readonly Photograph[]) {
  const sent: Sent[] = []
  for (const name of names) sent.push(await send(name))
  const sealed = await sealPrivate(server, author, {
    file_urls: sent.map(({ url }) => url),
    captions: sent.map((_, at) => `Image ${at + 1}`),
  })
  server.clock.advance(A_DAY_MS)
  await server.runJobs()
  return { ...sealed, sent, key: server.mailbox.lastKeyTo(sealed.address) }
}

describe('an album', () => {
  it('is taken home by its reader as copies, and by its author as it was sent', async () => {
    const { id, key, sent } = await sealAlbum(PHOTOGRAPHS)
    const { files, text } = await read(id, { key })
    expect(tracesIn('the answer', text)).toEqual([])
    expect(files.map(({ is_sealed }: { is_sealed: boolean }) => is_sealed)).toEqual(
      PHOTOGRAPHS.map(() => false),
    )
    const taken = await archiveOf(id, { key })
    for (const [path, bytes] of taken) expect(tracesIn(path, path, bytes)).toEqual([])
    const copies = [...taken.keys()].filter((path) => path.startsWith('copies/'))
    expect(copies).toEqual(
      PHOTOGRAPHS.map((name, at) => `copies/000${at + 1}-image.${COPIES[name][0]}`),
    )
    for (const page of ['lettre.html', 'lettre.txt', 'LISEZ-MOI.txt']) {
      expect(taken.get(page)?.toString()).toContain('sont des copies, sans la position')
    }

    const own = await archiveOf(id, { as: author })
    const originals = [...own].filter(([path]) => path.startsWith('fichiers/'))
    expect(originals.map(([, bytes]) => bytes)).toEqual(sent.map(({ bytes }) => bytes))
    expect(own.get('LISEZ-MOI.txt')?.toString()).not.toContain('sont des copies')
    const { body } = await server.call('POST', '/api/auth/export', { as: author })
    const all = [...readZip((await get(body.url)).bytes).values()]
    for (const { bytes } of sent) expect(all.some((one) => one.equals(bytes))).toBe(true)
  })

  it('is not taken home before its copies are there, and says so', async () => {
    const sent = await send('photo.heic')
    const { id } = await sealPrivate(server, author, { file_url: sent.url, visibility: 'public' })
    server.clock.advance(A_DAY_MS)
    const taken = await archiveOf(id, { as: stranger })
    for (const [path, bytes] of taken) expect(tracesIn(path, path, bytes)).toEqual([])
    expect(taken.get('lettre.txt')?.toString()).toContain('Image en préparation')
    expect(taken.get('lettre.html')?.toString()).toContain('Image en préparation')
    await server.runJobs()
    expect([...(await archiveOf(id, { as: stranger })).keys()]).toContain('copies/0001-image.jpg')
  })
})

describe('the original', () => {
  it('is refused to a reader, whatever the ticket', async () => {
    const { id, key, sent, deliveryId } = await sealAlbum(['photo.jpg'])
    const [{ id: fileId } = { id: '' }] = sent
    const { file_url } = await read(id, { key })
    const own = await read(id, { as: author })
    const [originalPath] = own.file_url.split('?')
    const withTicket = (ticket: string, path = originalPath) => get(`${path}?token=${ticket}`)
    // The ticket of the copy, for the original.
    expect((await withTicket(file_url.split('token=')[1])).status).toBe(403)
    // A true one, so that the right alone can refuse.
    const ticketOf = (holder: string) => createTicket(server.ctx, fileId, 'original', holder)
    for (const holder of [`key:${deliveryId}`, 'visitor']) {
      const { status, bytes } = await withTicket(ticketOf(holder))
      expect([status, tracesIn(holder, bytes)]).toEqual([404, []])
      const byOtherDoor = originalPath.replace('/api/secure-file/images/', '/api/audio/')
      expect((await withTicket(ticketOf(holder), byOtherDoor)).status).toBe(404)
    }
    expect((await get(own.file_url)).status).toBe(200)
  })

  it('is the author’s by their account, also where they hold a link, and by no link alone', async () => {
    const { id, key, sent } = await sealAlbum(['photo.jpg'])
    const own = await read(id, { as: author, key })
    expect(own.file_is_sealed).toBe(true)
    expect((await get(own.file_url)).bytes).toEqual(sent[0]?.bytes)
    const archived = [...(await archiveOf(id, { as: author, key })).keys()]
    expect(archived[0]).toBe(`fichiers/0001-${phoneNameOf('photo.jpg')}`)
    expect((await read(id, { key })).file_is_sealed).toBe(false)
  })

  it('is what the proof is of, and its copy is another file', async () => {
    const { id, key, sent } = await sealAlbum(['photo.heic'])
    const proof = (
      await server.call('GET', `/api/revelations/${id}/proof`, { headers: keyHeaders(key) })
    ).body
    const sum = async (bytes: Buffer) =>
      Buffer.from(await crypto.subtle.digest('SHA-256', new Uint8Array(bytes)))
    const original = await sum(sent[0]?.bytes ?? Buffer.alloc(0))
    const copy = await sum((await get((await read(id, { key })).file_url)).bytes)
    expect((await verifyLive(server, proof, { files: [original] })).state).toBe('proved')
    const other = await verifyLive(server, proof, { files: [copy], isOnlyProof: true })
    expect(other.state).toBe('failed')
  })
})

describe('pictures from before', () => {
  it('get their copy as soon as a worker runs', async () => {
    const { id, key, sent } = await sealAlbum(['photo.png'])
    const [{ id: fileId } = { id: '' }] = sent
    const { db } = server.ctx
    await db
      .deleteFrom('mediaSteps')
      .where('mediaId', '=', fileId)
      .where('type', '=', 'copy')
      .execute()
    await db
      .deleteFrom('mediaObjects')
      .where('mediaId', '=', fileId)
      .where('variant', '=', 'copy')
      .execute()
    await db.updateTable('media').set({ isCopyPlanned: false }).where('id', '=', fileId).execute()
    expect(await read(id, { key })).toMatchObject({ file_url: null, file_is_sealed: false })
    await server.runJobs()
    const { file_url } = await read(id, { key })
    expect(tracesIn('the copy', (await get(file_url)).bytes)).toEqual([])
    // Once.
    await server.runJobs()
    const steps = await db
      .selectFrom('mediaSteps')
      .selectAll()
      .where('mediaId', '=', fileId)
      .execute()
    expect(steps.filter(({ type }) => type === 'copy')).toHaveLength(1)
  })
})

describe('a HEIC whose pixels are damaged', () => {
  it('fails as an unreadable picture, and the next one is prepared', async () => {
    const bytes = await photograph('photo.heic')
    // Its header is whole: what is compressed is nothing.
    bytes.fill(0, bytes.length - 120)
    const { url, filename, processing } = await uploadFile(server, author, { bytes })
    const sealed = await sealPrivate(server, author, { file_url: url, visibility: 'public' })
    server.clock.advance(A_DAY_MS)
    const next = await sealAlbum(['photo.heic'])
    const own = await read(sealed.id, { as: author })
    const error = 'Ce fichier est abîmé ou illisible'
    type Job = { jobId: string; type: string }
    const given = processing.jobs.map(({ jobId, type }: Job) => ({ jobId, type, error }))
    expect(own.failed_jobs).toHaveLength(2)
    expect(own.failed_jobs).toEqual(expect.arrayContaining(given))
    expect((await get(own.file_url)).bytes.equals(bytes)).toBe(true)
    expect(own.file_url).toContain(filename)
    expect(await read(sealed.id)).toMatchObject({ file_url: null, file_is_sealed: false })
    expect((await read(next.id, { key: next.key })).file_url).not.toBeNull()
  })
})
