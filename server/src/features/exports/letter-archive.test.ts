import { createHash } from 'node:crypto'
import http from 'node:http'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { inTransaction } from '#server/context.ts'
import { hideRevelation } from '#server/features/revelations/revelations.service.ts'
import { typeset } from '#server/platform/mail/mail-content.ts'
import {
  keyHeaders,
  type RevelationOverrides,
  relate,
  sealDelivered,
  sealPrivate,
  toAll,
  verifiedPerson,
} from '#testing/factories.ts'
import { pagelessPdf, picture, toneAudio } from '#testing/media-files.ts'
import { readZip } from '#testing/read-zip.ts'
import { type Person, signedIn, startTestServer, type TestApp } from '#testing/test-server.ts'
import { uploadFile } from '#testing/uploads.ts'
import { verifyLive } from '#testing/verify-live.ts'
import { uploadVoice } from '#testing/voice-messages.ts'

const TEN_MINUTES_MS = 10 * 60_000

let server: TestApp
let author: Person

beforeAll(async () => {
  server = await startTestServer()
  author = await signedIn(server, { pseudo: 'autrice' })
  const plan = { userId: author.id, plan: 'unlimited' as const }
  await server.ctx.db.insertInto('subscriptions').values(plan).execute()
})
afterAll(() => server.close())

interface Reader {
  as?: Person
  key?: string
}

const seal = (changes?: RevelationOverrides) => sealPrivate(server, author, changes)
const sealOpened = (changes?: RevelationOverrides) => sealDelivered(server, author, changes)

function credentialsOf({ as, key }: Reader) {
  return { as, headers: keyHeaders(key) }
}

function archiveOf(id: string): string {
  return `/api/revelations/${id}/archive`
}

async function statusesOf(id: string, reader: Reader): Promise<[get: number, post: number]> {
  const get = await server.call('GET', archiveOf(id), credentialsOf(reader))
  const post = await server.call('POST', archiveOf(id), credentialsOf(reader))
  return [get.status, post.status]
}

async function linkOf(id: string, reader: Reader): Promise<string> {
  const { status, body } = await server.call('POST', archiveOf(id), credentialsOf(reader))
  expect(status).toBe(200)
  return body.url
}

/** As the download manager of a phone does it: the address alone, no header. */
async function download(url: string) {
  const answer = await server.app.inject({ url })
  return { status: answer.statusCode, headers: answer.headers, bytes: answer.rawPayload }
}

async function unpack(id: string, reader: Reader) {
  const { status, bytes } = await download(await linkOf(id, reader))
  expect(status).toBe(200)
  const files = readZip(bytes)
  const text = (name: string) => files.get(name)?.toString() ?? ''
  const proofName = `preuves/preuve-${id}.json`
  return { files, text, page: text('lettre.html'), proof: text(proofName), proofName }
}

function sumsOf(files: Map<string, Buffer>): string {
  return [...files]
    .filter(([name]) => name !== 'SHA256SUMS')
    .map(([name, bytes]) => `${createHash('sha256').update(bytes).digest('hex')}  ${name}\n`)
    .join('')
}

describe('the archive of a letter', () => {
  it('is the letter, its files, its proof and their sums', async () => {
    const image = await picture('jpeg')
    const voice = await toneAudio('m4a', 2)
    const { url } = await uploadFile(server, author, { bytes: image, name: 'mur : <nord>.jpg' })
    const { id, address, key } = await sealOpened({
      title: 'Le mur & <b>le jardin</b>',
      content: 'Il tiendra.\n\n<script>alert(1)</script>',
      file_url: url,
      seal_voice: await uploadVoice(server, author, { bytes: voice, name: 'voix.m4a' }),
      seal_voice_words: 'Écoute bien',
    })
    const { files, text, page, proof, proofName } = await unpack(id, { key })
    const [photo = '', sound = ''] = [...files.keys()]
    expect([...files.keys()]).toEqual([
      'copies/0001-mur _ _nord_.jpg',
      expect.stringMatching(/^fichiers\/0002-.+\.m4a$/),
      'lettre.html',
      'lettre.txt',
      proofName,
      'verificateur.html',
      'format-de-preuve.md',
      'LISEZ-MOI.txt',
      'SHA256SUMS',
    ])
    const seen = await server.call('GET', `/api/revelations/${id}`, credentialsOf({ key }))
    const copy = (await download(seen.body.revelation.file_url)).bytes
    expect(files.get(photo)?.equals(copy)).toBe(true)
    const own = await unpack(id, { as: author })
    expect(own.files.get('fichiers/0001-mur _ _nord_.jpg')?.equals(image)).toBe(true)
    expect(files.get(sound)?.equals(voice)).toBe(true)
    expect(text('SHA256SUMS')).toBe(sumsOf(files))

    expect(page).toContain('<h1>Le mur &amp; &lt;b&gt;le jardin&lt;/b&gt;</h1>')
    expect(page).toContain('&lt;script&gt;alert(1)&lt;/script&gt;')
    expect(page).not.toMatch(/<script|(?:src|href)="(?:https?:)?\/\//)
    expect(page).toContain(`src="copies/${encodeURIComponent('0001-mur _ _nord_.jpg')}"`)
    for (const readable of [page, text('lettre.txt')]) {
      expect(readable).toContain('Il tiendra.')
      expect(readable).toContain(`De @autrice, pour ${address}`)
      expect(readable).toContain(typeset('« Écoute bien »'))
      expect(readable).toMatch(/Scellée le .+ à\s\d\d:\d\d/)
      expect(readable).toMatch(/Dévoilée le .+ à\s\d\d:\d\d/)
    }

    const offered = await server.call('GET', `/api/revelations/${id}/proof`, credentialsOf({ key }))
    expect(proof).toBe(`${JSON.stringify(offered.body, null, 2)}\n`)
    const files256 = [createHash('sha256').update(image).digest()]
    const verdict = await verifyLive(server, JSON.parse(proof), { files: files256 })
    expect(verdict).toMatchObject({ state: 'proved', facts: { content: expect.any(String) } })
  })

  it('has the files of an album in their order, each under its caption, and a proof of all of them', async () => {
    const bytes = [await picture('png'), await toneAudio('mp3', 1), await picture('jpeg')]
    const names = ['mur.png', 'vent.mp3', 'toit.jpg']
    const file_urls: string[] = []
    for (const [at, file] of bytes.entries()) {
      file_urls.push((await uploadFile(server, author, { bytes: file, name: names[at] })).url)
    }
    const captions = ['Le mur <nord>', null, 'Le toit']
    const { id, key } = await sealOpened({ file_urls: file_urls.toReversed(), captions })
    const { files, text, page, proof } = await unpack(id, { key })
    const paths = ['copies/0001-toit.jpg', 'fichiers/0002-vent.mp3', 'copies/0003-mur.png']
    expect([...files.keys()].slice(0, 3)).toEqual(paths)
    expect(files.get('fichiers/0002-vent.mp3')?.equals(bytes[1] as Buffer)).toBe(true)
    const own = await unpack(id, { as: author })
    const sent = paths.map((path) => own.files.get(path.replace('copies', 'fichiers')))
    expect(sent).toEqual(bytes.toReversed())
    expect(page.match(/<figcaption>.+?<\/figcaption>/g)).toEqual([
      '<figcaption>Le mur &lt;nord&gt;</figcaption>',
      '<figcaption>Le toit</figcaption>',
    ])
    expect(page.indexOf('0001-')).toBeLessThan(page.indexOf('0002-'))
    expect(text('lettre.txt')).toContain(typeset(`Fichier : ${paths[0]} (Le mur <nord>)`))
    const sums = bytes.map((file) => createHash('sha256').update(file).digest())
    const verdict = await verifyLive(server, JSON.parse(proof), { files: sums, isOnlyProof: true })
    expect(verdict).toMatchObject({ state: 'proved', facts: { files: { length: 3 } } })
  })

  it('has the same words for its author, its addressee by account, by key, and a friend', async () => {
    const friend = await signedIn(server)
    await relate(server, author, friend, 'friend')
    const { id, address, key } = await sealOpened({ visibility: 'friends' })
    const addressee = await verifiedPerson(server, { email: address })
    for (const reader of [{ as: author }, { as: addressee }, { key }]) {
      const { page, text } = await unpack(id, reader)
      expect(page).toContain('Il fera beau toute la journée.')
      expect(text('lettre.txt')).toContain(`pour ${address}`)
    }
    const theirs = await unpack(id, { as: friend })
    expect(theirs.page).toContain('Il fera beau toute la journée.')
    expect(theirs.page).not.toContain('@exemple.fr')
  })

  it('shows each recipient to the author, and none to another', async () => {
    const second = `seconde.${crypto.randomUUID()}@exemple.fr`
    const { id, address, key } = await sealOpened(
      toAll(`premiere.${crypto.randomUUID()}@exemple.fr`, second),
    )
    const keyOfSecond = server.mailbox.lastKeyTo(second)
    expect((await unpack(id, { as: author })).page).toContain(`pour ${address} et ${second}`)
    expect((await unpack(id, { key })).page).not.toContain(second)
    expect((await unpack(id, { key: keyOfSecond })).page).not.toContain(address)
  })

  it('is for everybody when the letter is public', async () => {
    const { id } = await sealOpened({ visibility: 'public', title: 'Été : à « tous » ?' })
    expect((await unpack(id, {})).page).toContain('Il fera beau toute la journée.')
    const { headers } = await download(await linkOf(id, {}))
    expect(headers).toMatchObject({
      'content-type': 'application/zip',
      'cache-control': 'private, no-store',
    })
    const name = encodeURIComponent('Été _ à « tous » _.zip')
    expect(headers['content-disposition']).toContain(`filename*=UTF-8''${name}`)
  })

  it('records nothing of its reader', async () => {
    const { id, key } = await sealOpened()
    await unpack(id, { key })
    const { body } = await server.call('GET', `/api/revelations/${id}`, { as: author })
    expect(body.revelation.delivery.state).toBe('sent')
    expect(body.revelation.delivery.opened_at).toBeNull()
  })
})

describe('whoever may not read the letter', () => {
  it('gets nothing before the instant, its author included', async () => {
    const { id } = await seal({ visibility: 'public' })
    for (const reader of [{ as: author }, { as: await signedIn(server) }, {}]) {
      expect(await statusesOf(id, reader)).toEqual([409, 409])
    }
    const { body } = await server.call('GET', archiveOf(id), { as: author })
    expect(body).toMatchObject({ code: 'still_sealed' })
    const hidden = await seal()
    expect(await statusesOf(hidden.id, { as: author })).toEqual([409, 409])
    expect(await statusesOf(hidden.id, { as: await signedIn(server) })).toEqual([404, 404])
  })

  it('learns no more of a hidden letter than of a missing one', async () => {
    const { id } = await sealOpened()
    const { key } = await sealOpened()
    for (const reader of [{ as: await signedIn(server) }, { key }, {}]) {
      expect(await statusesOf(id, reader)).toEqual([404, 404])
    }
    const [theirs, missing] = await Promise.all(
      [id, crypto.randomUUID()].map((one) => server.call('GET', archiveOf(one))),
    )
    expect(theirs?.text).toBe(missing?.text)
  })

  it('gets nothing of one that an operator hides or its author withdraws, by an older address either', async () => {
    const { id, key } = await sealOpened()
    const links = [await linkOf(id, { key }), await linkOf(id, { as: author })]
    await inTransaction(server.ctx, (tx) => hideRevelation(tx, id))
    expect(await statusesOf(id, { key })).toEqual([404, 404])
    expect(await Promise.all(links.map(async (link) => (await download(link)).status))).toEqual([
      404, 200,
    ])
    await server.call('DELETE', `/api/revelations/${id}`, { as: author })
    expect(await statusesOf(id, { as: author })).toEqual([404, 404])
    for (const link of links) expect((await download(link)).status).toBe(404)
  })
})

describe('the address of an archive', () => {
  it('ends after ten minutes, with any change, and opens no other letter', async () => {
    const { id, key } = await sealOpened()
    const other = await sealOpened()
    const link = await linkOf(id, { key })
    expect(link).not.toContain(key)
    expect((await download(link.replace(id, other.id))).status).toBe(403)
    const changed = link.replace(/.$/, (end) => (end === 'A' ? 'B' : 'A'))
    expect((await download(changed)).status).toBe(403)
    server.clock.advance(TEN_MINUTES_MS)
    expect((await download(link)).status).toBe(403)
  })

  it('ends with the session, or with the key', async () => {
    const reader = await signedIn(server)
    const { id, key } = await sealOpened({ visibility: 'public' })
    const [bySession, byKey] = [await linkOf(id, { as: reader }), await linkOf(id, { key })]
    await server.call('POST', '/api/auth/logout', { as: reader })
    expect((await download(bySession)).status).toBe(404)
    const { body } = await server.call('GET', `/api/revelations/${id}`, { as: author })
    const { id: deliveryId } = body.revelation.delivery
    await server.call('POST', `/api/deliveries/${deliveryId}/revoke`, { as: author })
    expect((await download(byKey)).status).toBe(404)
  })

  it('says to the bearer of a revoked key that it was revoked', async () => {
    const { id, key } = await sealOpened()
    const { body } = await server.call('GET', `/api/revelations/${id}`, { as: author })
    const { id: deliveryId } = body.revelation.delivery
    await server.call('POST', `/api/deliveries/${deliveryId}/revoke`, { as: author })
    const refused = await server.call('POST', archiveOf(id), credentialsOf({ key }))
    expect([refused.status, refused.body.code]).toEqual([403, 'link_revoked'])
  })
})

it('is sent while it is made, and breaks off once its reader may read no more', async () => {
  const origin = await server.listen()
  const bytes = Buffer.concat([pagelessPdf(), Buffer.alloc(30_000_000, 3)])
  const { url } = await uploadFile(server, author, { bytes, name: 'grand.pdf' })
  const { id, key } = await sealOpened({ file_url: url })
  const link = `${origin}${await linkOf(id, { key })}`
  const whole = readZip(Buffer.from(await (await fetch(link)).arrayBuffer()))
  expect(whole.get('fichiers/0001-grand.pdf')?.equals(bytes)).toBe(true)

  const answer = await new Promise<http.IncomingMessage>((resolve, reject) => {
    http.get(link, resolve).on('error', reject)
  })
  answer.pause()
  await inTransaction(server.ctx, (tx) => hideRevelation(tx, id))
  await expect(buffer(answer).then(({ length }) => length)).rejects.toThrow('aborted')
})
