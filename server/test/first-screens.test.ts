import { existsSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { A_DAY_MS, createRevelation } from '#test/factories.ts'
import { type Person, signedIn, startTestServer, type TestApp } from '#test/test-server.ts'

const SECRET = 'quokka à la fenêtre'
const RENDERER = path.resolve(import.meta.dirname, '../../web/dist-server/render-first-screen.js')
const UNKNOWN = '00000000-0000-4000-8000-000000000000'

let server: TestApp
let author: Person

// `npm test` builds first.
describe.runIf(existsSync(RENDERER))('the first screen in the HTML', () => {
  beforeAll(async () => {
    server = await startTestServer()
    author = await signedIn(server)
  })
  afterAll(() => server.close())

  const page = (url: string, as?: Person) =>
    server.call('GET', url, { as, headers: { 'accept-encoding': 'identity' } })
  const seal = (overrides: Parameters<typeof createRevelation>[2]) =>
    createRevelation(server, author, { content: `Le ${SECRET} attend son jour.`, ...overrides })
  const inDays = (days: number) =>
    new Date(server.clock.now.getTime() + days * A_DAY_MS).toISOString()

  it('shows what is public, and no word of a letter before its instant', async () => {
    const title = 'Le nom du voisin'
    const { id } = await seal({ title, visibility: 'public', reveal_date: inDays(2) })
    for (const url of ['/', '/?status=pending', `/revelation/${id}`]) {
      const { status, text, headers } = await page(url)
      expect(status).toBe(200)
      expect(headers['cache-control']).toBe('no-store')
      expect(text).toContain(title)
      expect(text).not.toContain('quokka')
    }
    server.clock.advance(2 * A_DAY_MS)
    expect((await page(`/revelation/${id}`)).text).toContain(SECRET)
    expect((await page('/')).text).toContain(SECRET)
  })

  it('is a visitor’s, whoever asks', async () => {
    const { id } = await seal({ title: 'Pour moi seul', visibility: 'private' })
    expect((await page(`/revelation/${id}`, author)).status).toBe(404)
    expect((await page('/', author)).text).not.toContain('Pour moi seul')
  })

  it('is the same bytes for what is hidden and for what does not exist', async () => {
    const forFriends = await seal({ title: 'Entre amis', visibility: 'friends' })
    const own = await seal({ title: 'Pour moi', visibility: 'private' })
    const unknown = await page(`/revelation/${UNKNOWN}`)
    expect(unknown.status).toBe(404)
    expect(unknown.text).toContain('Rien à cette adresse')
    expect(unknown.text).not.toContain('canonical')
    for (const id of [forFriends.id, own.id, 'nul-part']) {
      const { status, text, headers } = await page(`/revelation/${id}`)
      expect({ status, text, length: headers['content-length'] }).toEqual({
        status: 404,
        text: unknown.text,
        length: unknown.headers['content-length'],
      })
    }
  })

  it('says in its head what it is, under the one address of the page', async () => {
    const title = 'Un <titre> "à part" & $1'
    const { id } = await seal({ title, visibility: 'public', reveal_date: inDays(1) })
    const { text } = await page(`/revelation/${id}?de=ailleurs`)
    const head = text.slice(0, text.indexOf('</head>'))
    expect(head).toContain(
      '<title>Un &lt;titre&gt; &quot;à part&quot; &amp; $1 · Révélations</title>',
    )
    expect(head).toContain(
      `<link rel="canonical" href="${server.ctx.config.http.publicUrl}/revelation/${id}" />`,
    )
    expect(text).not.toContain('<titre>')
  })

  it('is left to the browser on the pages of signed-in people', async () => {
    const { status, text } = await page('/profile')
    expect(status).toBe(200)
    expect(text).toContain('<div id="root"></div>')
  })
})
