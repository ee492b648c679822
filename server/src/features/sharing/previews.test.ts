import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { previewPath } from '#contract/previews.ts'
import { inTransaction } from '#server/context.ts'
import {
  hideRevelation,
  restoreRevelation,
} from '#server/features/revelations/revelations.service.ts'
import { A_DAY_MS, createRevelation } from '#testing/factories.ts'
import { type Person, signedIn, startTestServer, type TestApp } from '#testing/test-server.ts'

const UNKNOWN = '00000000-0000-4000-8000-000000000000'

let server: TestApp
let author: Person

beforeAll(async () => {
  server = await startTestServer()
  author = await signedIn(server)
  const unlimited = { userId: author.id, plan: 'unlimited' } as const
  await server.ctx.db.insertInto('subscriptions').values(unlimited).execute()
})
afterAll(() => server.close())

interface Fetched {
  status: number
  headers: Record<string, unknown>
  png: Buffer
}

async function fetchPreview(id: string, headers: Record<string, string> = {}): Promise<Fetched> {
  const answer = await server.app.inject({ method: 'GET', url: `/apercu/${id}.png`, headers })
  const { date, ...others } = answer.headers
  return { status: answer.statusCode, headers: others, png: answer.rawPayload }
}

function seal(overrides: Parameters<typeof createRevelation>[2] = {}) {
  const revealDate = new Date(server.clock.now.getTime() + 2 * A_DAY_MS)
  const body = {
    visibility: 'public',
    reveal_date: revealDate.toISOString(),
    ...overrides,
  } as const
  return createRevelation(server, author, body)
}

describe('the picture of a revelation', () => {
  it('shows a public one by night, and by day from its instant on', async () => {
    const { id } = await seal({ title: 'Le nom du bébé' })
    const sealed = await fetchPreview(id)
    expect(sealed.status).toBe(200)
    expect(sealed.headers['content-type']).toBe('image/png')
    const { width, height } = await sharp(sealed.png).metadata()
    expect({ width, height }).toEqual({ width: 1200, height: 630 })
    expect(await lightOf(sealed.png)).toBeLessThan(90)

    server.clock.advance(2 * A_DAY_MS)
    const open = await fetchPreview(id)
    expect(await lightOf(open.png)).toBeGreaterThan(190)
  })

  it('may be kept, but never shown without asking again', async () => {
    const { id } = await seal({ title: 'Une annonce' })
    const { headers, png } = await fetchPreview(id)
    expect(headers['cache-control']).toBe('no-cache')
    expect(png.length).toBeLessThan(300_000)
    const conditional = { 'if-none-match': String(headers.etag) }
    expect(await fetchPreview(id, conditional)).toMatchObject({ status: 304 })
    const { body } = await server.call('GET', `/api/revelations/${id}`)
    await server.call('PUT', `/api/revelations/${id}`, { as: author, body: { title: 'Une autre' } })
    expect(await fetchPreview(id, conditional)).toMatchObject({ status: 200 })
    const after = await server.call('GET', `/api/revelations/${id}`)
    expect(previewPath(after.body.revelation)).not.toBe(previewPath(body.revelation))
  })

  it('is the same whatever the letter, sealed or open', async () => {
    const title = 'Deux lettres sous un titre'
    const one = await seal({ title, content: 'Nous l’appellerons Capucine.' })
    const other = await seal({
      title,
      content: 'Une tout autre lettre, bien plus longue que l’une.',
    })
    expect(await fetchPreview(one.id)).toEqual(await fetchPreview(other.id))
    server.clock.advance(2 * A_DAY_MS)
    expect(await fetchPreview(one.id)).toEqual(await fetchPreview(other.id))
  })

  it('leaves out what no font has, and says no title that would lose letters', async () => {
    const emoji = await seal({ title: '🎉 La fête 😍 : au jardin 🇫🇷' })
    const words = await seal({ title: 'La fête : au jardin' })
    expect((await fetchPreview(emoji.id)).png).toEqual((await fetchPreview(words.id)).png)
    const untitled = await fetchPreview((await seal({ title: 'Une révélation' })).id)
    for (const title of ['Привет, Marie', '日 本 語', '🎉🎉🎉']) {
      expect((await fetchPreview((await seal({ title })).id)).png).toEqual(untitled.png)
    }
  })

  it('is the same card for every revelation that is not public, or does not exist', async () => {
    const generic = await fetchPreview(UNKNOWN)
    expect(generic.status).toBe(200)
    const hidden = await Promise.all(
      (['friends', 'family', 'private'] as const).map((visibility) => seal({ visibility })),
    )
    const withdrawn = await seal()
    await server.call('DELETE', `/api/revelations/${withdrawn.id}`, { as: author })
    const ids = [...hidden, withdrawn].map(({ id }) => id)
    for (const id of [...ids, UNKNOWN.toUpperCase(), 'nulle-part', 'revelations', "'--", '..']) {
      expect(await fetchPreview(id), id).toEqual(generic)
    }
    // Whoever is signed in sees no more of it: pictures are for everybody.
    const authorization = `Bearer ${author.token}`
    expect(await fetchPreview(hidden[0]?.id ?? '', { authorization })).toEqual(generic)
    server.clock.advance(2 * A_DAY_MS)
    for (const id of ids) expect(await fetchPreview(id), id).toEqual(generic)
  })

  it('is gone at once when its revelation is no longer public', async () => {
    const generic = await fetchPreview(UNKNOWN)
    const narrowed = await seal({ title: 'Pour tous, puis pour moi' })
    const moderated = await seal({ title: 'Sous examen' })
    const seen = await fetchPreview(narrowed.id)
    expect(seen).not.toEqual(generic)
    const conditional = { 'if-none-match': String(seen.headers.etag) }
    const body = { visibility: 'private' }
    await server.call('PUT', `/api/revelations/${narrowed.id}`, { as: author, body })
    expect(await fetchPreview(narrowed.id, conditional)).toEqual(generic)

    const shown = await fetchPreview(moderated.id)
    await inTransaction(server.ctx, (tx) => hideRevelation(tx, moderated.id))
    expect(await fetchPreview(moderated.id)).toEqual(generic)
    await inTransaction(server.ctx, (tx) => restoreRevelation(tx, moderated.id))
    expect(await fetchPreview(moderated.id)).toEqual(shown)
  })
})

async function lightOf(png: Buffer): Promise<number> {
  const { channels } = await sharp(png).stats()
  return channels.reduce((sum, { mean }) => sum + mean, 0) / channels.length
}
