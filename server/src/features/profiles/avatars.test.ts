import { randomUUID } from 'node:crypto'
import { utimes } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { AN_HOUR_MS, createRevelation } from '#testing/factories.ts'
import { hugePng, pdf, photoWithGps, picture, svgBytes } from '#testing/media-files.ts'
import { type Person, signedIn, startTestServer, type TestApp } from '#testing/test-server.ts'
import { type FileToSend, sendFile, uploadFile } from '#testing/uploads.ts'

let server: TestApp

beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

const SENTENCE = 'Choisissez une image pour votre photo de profil'

function edit(as: Person, body: object) {
  return server.call('PUT', '/api/auth/profile', { as, body })
}

async function upload(as: Person, bytes: Buffer, more: Partial<FileToSend> = {}): Promise<string> {
  return (await uploadFile(server, as, { bytes, folder: 'images', ...more })).url
}

/** Sets this picture and answers its address. */
async function wear(as: Person, bytes: Buffer): Promise<string> {
  const { status, body, text } = await edit(as, { avatar_url: await upload(as, bytes) })
  expect([status, text]).toEqual([200, expect.stringContaining('/api/avatars/')])
  return body.user.avatar_url
}

async function fetchPicture(url: string): Promise<Buffer> {
  const answer = await server.app.inject({ method: 'GET', url })
  expect(answer.statusCode).toBe(200)
  return answer.rawPayload
}

/** The red, green and blue of a place, in fractions of the side. */
async function colourAt(bytes: Buffer, x: number, y: number): Promise<number[]> {
  const { data, info } = await sharp(bytes).raw().toBuffer({ resolveWithObject: true })
  const at = (Math.floor(y * info.height) * info.width + Math.floor(x * info.width)) * info.channels
  return [...data.subarray(at, at + 3)].map((value) => Math.round(value / 100) * 100)
}

function halves(left: string, right: string) {
  const side = (background: string) => ({
    create: { width: 40, height: 80, channels: 3, background } as const,
  })
  return sharp({ create: { width: 80, height: 80, channels: 3, background: left } }).composite([
    { input: side(right), left: 40, top: 0 },
  ])
}

/** Once the queued work has run. */
async function storedAvatars(): Promise<string[]> {
  await server.runJobs()
  const keys: string[] = []
  for await (const { key } of server.ctx.storage.list('avatars/')) keys.push(key)
  return keys
}

describe('the picture of a profile', () => {
  it('is a square that everybody may see and cache, wherever its person is named', async () => {
    const anna = await signedIn(server)
    const url = await wear(anna, await picture('png', 900, 300))
    const answer = await server.app.inject({ method: 'GET', url })
    expect(answer.statusCode).toBe(200)
    expect(answer.headers).toMatchObject({
      'content-type': 'image/webp',
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "sandbox; default-src 'none'",
    })
    const facts = await sharp(answer.rawPayload).metadata()
    expect(facts).toMatchObject({ format: 'webp', width: 512, height: 512 })
    const { id } = await createRevelation(server, anna)
    const { body } = await server.call('GET', `/api/revelations/${id}`)
    expect(body.revelation.author_avatar).toBe(url)
    const profile = await server.call('GET', `/api/auth/user/${anna.id}`)
    expect(profile.body.user.avatar_url).toBe(url)
  })

  it('uses no storage of the plan, and its upload is gone', async () => {
    const anna = await signedIn(server)
    await wear(anna, await picture('jpeg', 600, 600))
    const { body } = await server.call('GET', '/api/subscriptions/me', { as: anna })
    expect(body.used_storage).toBe(0)
    const media = await server.ctx.db
      .selectFrom('media')
      .select('id')
      .where('ownerId', '=', anna.id)
      .execute()
    expect(media).toEqual([])
  })

  it('stands upright and contains no place and no author', async () => {
    const anna = await signedIn(server)
    const photo = await photoWithGps(640, 480)
    expect(photo.includes('Camille Secret')).toBe(true)
    const bytes = await fetchPicture(await wear(anna, photo))
    expect((await sharp(bytes).metadata()).exif).toBeUndefined()
    for (const trace of ['Camille Secret', 'Exif', 'EXIF', 'GPS', 'XMP']) {
      expect([trace, bytes.includes(trace)]).toEqual([trace, false])
    }
    // Turned right by a quarter, what was on the left is at the top.
    const lying = await halves('#ff0000', '#0000ff')
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer()
    const upright = await fetchPicture(await wear(anna, lying))
    expect(await colourAt(upright, 0.5, 0.1)).toEqual([300, 0, 0])
    expect(await colourAt(upright, 0.5, 0.9)).toEqual([0, 0, 300])
  })

  it('is the first image of an animation', async () => {
    const anna = await signedIn(server)
    const frames = ['#ff0000', '#0000ff'].map((background) => ({
      create: { width: 60, height: 60, channels: 3, background } as const,
    }))
    const moving = await sharp(
      await Promise.all(frames.map((frame) => sharp(frame).png().toBuffer())),
      { join: { animated: true } },
    )
      .gif()
      .toBuffer()
    expect((await sharp(moving).metadata()).pages).toBe(2)
    const bytes = await fetchPicture(await wear(anna, moving))
    expect((await sharp(bytes).metadata()).pages ?? 1).toBe(1)
    expect(await colourAt(bytes, 0.5, 0.5)).toEqual([300, 0, 0])
  })

  it('is replaced at a new address, and the old one leads nowhere', async () => {
    const anna = await signedIn(server)
    const before = (await storedAvatars()).length
    const first = await wear(anna, await picture('png', 300, 300))
    const second = await wear(anna, await picture('webp', 300, 300))
    expect(second).not.toBe(first)
    expect((await server.call('GET', first)).status).toBe(404)
    await fetchPicture(second)
    expect(await storedAvatars()).toHaveLength(before + 1)
  })

  it('stays when its own address is sent back, and is removed by null', async () => {
    const anna = await signedIn(server)
    const before = (await storedAvatars()).length
    const url = await wear(anna, await picture('png', 300, 300))
    const unchanged = await edit(anna, { avatar_url: url, bio: 'Me voici.' })
    expect(unchanged.body.user).toMatchObject({ avatar_url: url, bio: 'Me voici.' })
    await fetchPicture(url)
    expect((await edit(anna, { bio: 'Encore moi.' })).body.user.avatar_url).toBe(url)
    for (const nothing of [null, null, '']) {
      const { status, body } = await edit(anna, { avatar_url: nothing })
      expect([status, body.user.avatar_url]).toEqual([200, null])
    }
    expect((await server.call('GET', url)).status).toBe(404)
    expect(await storedAvatars()).toHaveLength(before)
  })

  it('is one of several sent at once, and the others leave nothing', async () => {
    const anna = await signedIn(server)
    const before = (await storedAvatars()).length
    const urls: string[] = []
    while (urls.length < 4) urls.push(await upload(anna, await picture('png', 64, 64)))
    const answers = await Promise.all(
      [...urls, ...urls].map((avatar_url) => edit(anna, { avatar_url })),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(4)
    expect(answers.filter(({ status }) => status === 400)).toHaveLength(4)
    const { body } = await server.call('GET', '/api/auth/profile', { as: anna })
    await fetchPicture(body.user.avatar_url)
    expect(await storedAvatars()).toHaveLength(before + 1)
  })
})

describe('a new picture is rejected', () => {
  async function refuse(as: Person, avatarUrl: unknown): Promise<void> {
    const { status, body } = await edit(as, { avatar_url: avatarUrl })
    expect([avatarUrl, status, body.fields]).toEqual([avatarUrl, 400, { avatar_url: SENTENCE }])
    expect((await server.call('GET', '/api/auth/profile', { as })).body.user.avatar_url).toBeNull()
  }

  it('when it is no upload of an image', async () => {
    const anna = await signedIn(server)
    const document = await upload(anna, pdf(), { folder: 'documents' })
    for (const url of [
      document,
      'moi.png',
      'https://ailleurs.test/moi.png',
      'javascript:alert(1)',
      'data:image/png;base64,AAAA',
      '../../etc/passwd',
      `/api/secure-file/images/${randomUUID()}.png`,
      `/api/avatars/${anna.id}/${'0'.repeat(32)}.webp`,
      'a'.repeat(2_001),
      7,
      {},
    ]) {
      await refuse(anna, url)
    }
  })

  it('when it is somebody else’s, in use, or already spent', async () => {
    const [anna, bruno] = [await signedIn(server), await signedIn(server)]
    await refuse(anna, await upload(bruno, await picture('png')))
    const used = await upload(anna, await picture('png'))
    await createRevelation(server, anna, { file_url: used })
    await refuse(anna, used)
    const spent = await upload(bruno, await picture('png'))
    const { body } = await edit(bruno, { avatar_url: spent })
    const again = await edit(bruno, { avatar_url: spent })
    expect([again.status, again.body.fields]).toEqual([400, { avatar_url: SENTENCE }])
    await fetchPicture(body.user.avatar_url)
    await refuse(anna, body.user.avatar_url)
  })

  it('when its bytes are broken after a valid beginning', async () => {
    const anna = await signedIn(server)
    const before = (await storedAvatars()).length
    const noise = Buffer.alloc(20_000, 'x')
    const whole = await sharp({
      create: {
        width: 400,
        height: 400,
        channels: 3,
        background: '#336699',
        noise: { type: 'gaussian', mean: 120, sigma: 60 },
      },
    })
      .png()
      .toBuffer()
    await refuse(anna, await upload(anna, Buffer.concat([whole.subarray(0, 3_000), noise])))
    expect(await storedAvatars()).toHaveLength(before)
  })

  it('before anything is stored: of 15,000 by 15,000 pixels, or a vector image', async () => {
    const anna = await signedIn(server)
    for (const bytes of [hugePng(), svgBytes()]) {
      const { status } = await sendFile(server, anna, { bytes, folder: 'images' })
      expect([400, 415]).toContain(status)
    }
  })

  it('together with a pseudo in use: neither changes, and the upload is still there', async () => {
    const [anna, bruno] = [await signedIn(server), await signedIn(server)]
    const before = (await storedAvatars()).length
    const url = await upload(anna, await picture('png'))
    const conflict = await edit(anna, { avatar_url: url, pseudo: bruno.pseudo })
    expect([conflict.status, conflict.body.code]).toEqual([409, 'pseudo_taken'])
    expect(await storedAvatars()).toHaveLength(before)
    expect((await edit(anna, { avatar_url: url })).status).toBe(200)
  })
})

it('limits pictures to thirty an hour for one person, who may change other fields', async () => {
  const limited = await startTestServer({ rateLimits: true })
  try {
    const anna = await signedIn(limited)
    const body = { avatar_url: '/api/secure-file/images/rien.png' }
    const change = async (to: object) =>
      (await limited.call('PUT', '/api/auth/profile', { as: anna, body: to })).status
    for (let time = 0; time < 30; time += 1) expect(await change(body)).toBe(400)
    expect(await change(body)).toBe(429)
    expect(await change({ bio: 'Sans image.', avatar_url: null })).toBe(200)
  } finally {
    await limited.close()
  }
})

describe('the address of a picture', () => {
  it('leads nowhere when it is not exactly that of the current one', async () => {
    const [anna, bruno] = [await signedIn(server), await signedIn(server)]
    const url = await wear(anna, await picture('png'))
    const name = url.split('/').at(-1) ?? ''
    for (const wrong of [
      url.replace('.webp', '.png'),
      url.replace('.webp', ''),
      url.replace(anna.id, bruno.id),
      url.replace(anna.id, 'x'),
      url.replace(name, `${'0'.repeat(32)}.webp`),
      url.replace(name, `..%2f${name}`),
    ]) {
      const { status, headers } = await server.call('GET', wrong)
      expect([wrong, status, headers['cache-control']]).toEqual([wrong, 404, 'no-store'])
    }
  })

  it('leads to bytes that are sealed where they are stored', async () => {
    const anna = await signedIn(server)
    const bytes = await fetchPicture(await wear(anna, await picture('png')))
    for (const key of await storedAvatars()) {
      const stored = Buffer.concat(await (await server.ctx.storage.get(key)).toArray())
      expect(stored.includes(bytes.subarray(0, 32))).toBe(false)
    }
  })
})

it('sweeps the pictures that a kill left behind, and none that a profile shows', async () => {
  const anna = await signedIn(server)
  const url = await wear(anna, await picture('png'))
  const orphan = 'avatars/ab/abababababababababababababababab'
  const { storage, config } = server.ctx
  await storage.put(orphan, Readable.from([Buffer.from('orphan')]))
  const file = (key: string) => path.join(config.dataDir, 'files', key)
  await utimes(file(orphan), server.clock.now, server.clock.now)
  expect(await storedAvatars()).toContain(orphan)
  const longAgo = new Date(server.clock.now.getTime() - 2 * AN_HOUR_MS)
  for (const key of await storedAvatars()) await utimes(file(key), longAgo, longAgo)
  expect(await storedAvatars()).not.toContain(orphan)
  await fetchPicture(url)
})
