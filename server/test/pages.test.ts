import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { CreatePageRenderer } from '#contract/page-renderer.ts'
import { PUBLIC_PAGES } from '#contract/public-pages.ts'
import { inTransaction } from '#server/context.ts'
import { hideRevelation } from '#server/features/revelations/revelations.service.ts'
import { A_DAY_MS, createRevelation } from '#testing/factories.ts'
import { colourVideo, pdf, picture, toneAudio } from '#testing/media-files.ts'
import { type Person, signedIn, startTestServer, type TestApp } from '#testing/test-server.ts'
import { uploadFile } from '#testing/uploads.ts'

const SECRET = 'quokka à la fenêtre'
const RENDERER = path.resolve(import.meta.dirname, '../../web/dist-server/entry.server.js')
const UNKNOWN = '00000000-0000-4000-8000-000000000000'

let server: TestApp
let author: Person
const log: string[] = []

// `script/test` builds first.
describe.runIf(existsSync(RENDERER))('a page that the server renders', () => {
  beforeAll(async () => {
    server = await startTestServer({ log: { write: (line: string) => void log.push(line) } })
    author = await signedIn(server)
    const unlimited = { userId: author.id, plan: 'unlimited' } as const
    await server.ctx.db.insertInto('subscriptions').values(unlimited).execute()
  })
  afterAll(() => server.close())

  const page = (url: string, as?: Person) =>
    server.call('GET', url, { as, headers: { 'accept-encoding': 'identity' } })
  const seal = (overrides: Parameters<typeof createRevelation>[2]) =>
    createRevelation(server, author, { content: `Le ${SECRET} attend son jour.`, ...overrides })
  const change = (id: string, method: string, body?: object) =>
    server.call(method, `/api/revelations/${id}`, { as: author, body })
  const whole = async (id: string) => {
    const { status, text, headers } = await page(`/revelation/${id}`)
    const { date, ...fixed } = headers
    return { status, text, headers: fixed }
  }
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

  it('has one script in its text, which the policy names by its hash, and lets run no other', async () => {
    const { id } = await seal({ title: '<script>alert(1)</script>', visibility: 'public' })
    for (const url of ['/', `/revelation/${id}`, '/create', '/index.html']) {
      const { text, headers } = await page(url)
      const scripts = [...text.matchAll(/<script>(.*?)<\/script>/gs)].map(([, code = '']) => code)
      expect(scripts).toHaveLength(1)
      const hash = createHash('sha256')
        .update(scripts[0] ?? '')
        .digest('base64')
      const policy = String(headers['content-security-policy']).split('; ')
      expect(policy).toContain(`script-src 'self' 'sha256-${hash}'`)
    }
  })

  it('runs no code and wears no styles but those it names by their hash', async () => {
    const { id } = await seal({ title: 'Sous scellés', visibility: 'public' })
    const tags = /<(?:script type="module"|link rel="(?:modulepreload|stylesheet)")[^>]*>/g
    for (const [url, least] of [
      ['/', 3],
      [`/revelation/${id}`, 3],
      ['/profile', 2],
    ] as const) {
      const found = [...(await page(url)).text.matchAll(tags)].map(([tag]) => tag)
      expect(found.length).toBeGreaterThanOrEqual(least)
      for (const tag of found) {
        const [, file = ''] = /(?:src|href)="([^"]+)"/.exec(tag) ?? []
        const { rawPayload } = await server.app.inject(file)
        const hash = createHash('sha384').update(rawPayload).digest('base64')
        expect(tag).toContain(`integrity="sha384-${hash}"`)
      }
    }
  })

  describe('of a revelation', () => {
    const KINDS: Record<string, { shownBy: string; render?: () => Promise<Buffer> | Buffer }> = {
      text: { shownBy: SECRET },
      video: {
        shownBy: '<video',
        render: () => colourVideo({ seconds: 3, fps: 10, size: '64x36' }),
      },
      image: { shownBy: '<img', render: () => picture('png') },
      audio: { shownBy: '<audio', render: () => toneAudio('mp3') },
      document: { shownBy: 'download', render: pdf },
    }
    const STATES = ['prepared', 'waiting', 'failed'] as const
    const CASES = Object.keys(KINDS).flatMap((kind) => STATES.map((state) => ({ kind, state })))
    const ids = new Map<string, string>()
    const nameOf = ({ kind, state }: (typeof CASES)[number]) => `Une ${kind} ${state}`

    async function sealKind(kind: string): Promise<object> {
      const bytes = await KINDS[kind]?.render?.()
      if (!bytes) return {}
      const { url } = await uploadFile(server, author, { bytes })
      const isVideo = kind === 'video'
      return { file_url: url, ...(isVideo && { teaser_start: 0, teaser_end: 2 }) }
    }

    beforeAll(async () => {
      for (const state of STATES) {
        for (const kind of Object.keys(KINDS)) {
          const title = nameOf({ kind, state })
          const file = await sealKind(kind)
          const { id } = await seal({
            title,
            visibility: 'public',
            reveal_date: inDays(3),
            ...file,
          })
          ids.set(title, id)
          if (state !== 'failed') continue
          await server.ctx.pool.query(
            "update media_steps set state = 'failed' where media_id = (select media_id from revelations where id = $1)",
            [id],
          )
        }
        // What the others need is not made: nobody runs their jobs.
        if (state === 'prepared') await server.runJobs()
      }
    })

    it.each(CASES)('is whole before its instant, without the letter: %o', async (of) => {
      const { status, text } = await page(`/revelation/${ids.get(nameOf(of))}`)
      expect(status).toBe(200)
      expect(bodyOf(text)).toContain(nameOf(of))
      expect(text).not.toContain(SECRET)
    })

    describe('that has opened', () => {
      beforeAll(() => server.clock.advance(3 * A_DAY_MS))

      it.each(CASES)('is whole, with the letter: %o', async (of) => {
        const { status, text } = await page(`/revelation/${ids.get(nameOf(of))}`)
        expect(status).toBe(200)
        expect(bodyOf(text)).toContain(nameOf(of))
        const letter = bodyOf(text).split('aria-label="La lettre"')[1]
        expect(letter).toContain(SECRET)
        if (of.state === 'prepared') expect(letter).toContain(KINDS[of.kind]?.shownBy)
      })
    })
  })

  it('is left to the browser where it cannot be rendered, with its status, its title and its preview', async () => {
    const { id } = await seal({ title: 'Un jour sans', visibility: 'public' })
    const { createPageRenderer } = (await import(RENDERER)) as {
      createPageRenderer: CreatePageRenderer
    }
    const index = path.join(path.dirname(RENDERER), '../dist/index.html')
    const renderPage = createPageRenderer(await readFile(index, 'utf8'), {})
    const rendered = await renderPage({
      path: `/revelation/${id}`,
      origin: 'https://revelations.test',
      nowMs: () => {
        throw new Error('no clock')
      },
      fetchApi: async (url) => new Response((await server.call('GET', url)).text),
    })
    expect(rendered).toMatchObject({ status: 200, failure: { route: '/revelation/:id' } })
    expect(rendered?.html).toContain('<title>Un jour sans · Révélations</title>')
    expect(tagsIn(rendered?.html ?? '')['og:image']).toContain(`/apercu/${id}.png`)
    expect(bodyOf(rendered?.html ?? '')).toBe('')
  })

  it.each([...PUBLIC_PAGES, '/mot-de-passe-oublie'])('is whole at %s', async (url) => {
    const { status, text } = await page(url)
    expect(status).toBe(200)
    expect(bodyOf(text)).toMatch(/<h1[^>]*>.+<\/h1>/s)
  })

  it('is a visitor’s, whoever asks', async () => {
    const { id } = await seal({ title: 'Rien que pour moi', visibility: 'private' })
    expect((await page(`/revelation/${id}`, author)).status).toBe(404)
    expect((await page('/', author)).text).not.toContain('Rien que pour moi')
  })

  it('is the same bytes, head and all, for what is hidden and for what does not exist', async () => {
    const forFriends = await seal({ title: 'Entre amis', visibility: 'friends' })
    const own = await seal({ title: 'Pour moi', visibility: 'private' })
    const narrowed = await seal({ title: 'Pour tous d’abord', reveal_date: inDays(9) })
    await change(narrowed.id, 'PUT', { visibility: 'private' })
    const withdrawn = await seal({ title: 'Retirée' })
    await change(withdrawn.id, 'DELETE')
    const moderated = await seal({ title: 'Sous examen' })
    await inTransaction(server.ctx, (tx) => hideRevelation(tx, moderated.id))
    const unknown = await whole(UNKNOWN)
    expect(unknown.status).toBe(404)
    expect(unknown.text).toContain('Rien à cette adresse')
    expect(unknown.text).not.toContain('canonical')
    expect(tagsIn(unknown.text)).toMatchObject({
      robots: 'noindex',
      'og:title': 'Rien à cette adresse',
      'og:image': `${server.ctx.config.http.publicUrl}/apercu/revelations.png`,
    })
    for (const { id } of [forFriends, own, narrowed, withdrawn, moderated, { id: 'nul-part' }]) {
      expect(await whole(id)).toEqual(unknown)
    }
  })

  it('shows nobody what was otherwise before they came, however many come at once', async () => {
    const { id } = await seal({ title: 'Titre 0', visibility: 'public', reveal_date: inDays(2) })
    let written = 0
    let isOver = false
    const seen: { came: number; shown: number }[] = []
    const visit = async () => {
      while (!isOver) {
        const came = written
        const { text } = await page(`/revelation/${id}`)
        seen.push({ came, shown: Number(/Titre (\d+)/.exec(text)?.[1]) })
      }
    }
    const visitors = Array.from({ length: 6 }, visit)
    for (let round = 1; round <= 4; round += 1) {
      await change(id, 'PUT', { title: `Titre ${round}` })
      written = round
      await expect.poll(() => seen.filter(({ came }) => came === round).length).toBeGreaterThan(6)
    }
    isOver = true
    await Promise.all(visitors)
    expect(seen.filter(({ came, shown }) => shown < came)).toEqual([])
    await change(id, 'DELETE')
    expect((await page(`/revelation/${id}`)).status).toBe(404)
  })

  it('calls the API again for what changed, and for searches, which are counted', async () => {
    const { id } = await seal({ title: 'Un titre à voir', visibility: 'public' })
    const callsFor = async (url: string) => {
      const before = log.length
      expect((await page(url)).status).toBe(200)
      const answered = log.slice(before).filter((line) => line.includes('"answered"'))
      return answered.filter((line) => line.includes('"/api/revelations')).length
    }
    for (const url of ['/', `/revelation/${id}`]) {
      await page(url)
      expect(await callsFor(url)).toBe(0)
    }
    await change(id, 'PUT', { title: 'Un autre titre' })
    expect(await callsFor(`/revelation/${id}`)).toBe(1)
    await page('/?q=titre')
    expect(await callsFor('/?q=titre')).toBe(1)
  })

  it('says in its head what previews show, and never a word of the letter', async () => {
    const { publicUrl } = server.ctx.config.http
    const { id } = await seal({ title: 'Le « grand » jour', reveal_date: inDays(1) })
    const sealed = tagsIn((await whole(id)).text)
    expect(sealed).toMatchObject({
      'og:site_name': 'Révélations',
      'og:locale': 'fr_FR',
      'og:type': 'article',
      'og:title': 'Le « grand » jour',
      'og:url': `${publicUrl}/revelation/${id}`,
      'og:image': `${publicUrl}/apercu/${id}.png?v=1-scellee`,
      'og:image:width': '1200',
      'og:image:height': '630',
      'twitter:card': 'summary_large_image',
    })
    expect(sealed['og:description']).toMatch(/^Une révélation de @.+, scellée jusqu’au .+\.$/)
    server.clock.advance(A_DAY_MS)
    const open = tagsIn((await whole(id)).text)
    expect(open['og:description']).toMatch(/^Une révélation de @.+, dévoilée le .+\.$/)
    expect(open['og:image']).toBe(`${publicUrl}/apercu/${id}.png?v=1-devoilee`)
    expect(JSON.stringify(open)).not.toContain('quokka')
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
      `<link rel="canonical" href="${server.ctx.config.http.publicUrl}/revelation/${id}"/>`,
    )
    expect(text).not.toContain('<titre>')
  })

  it('is left to the browser on the pages of signed-in people, and where the address has a secret', async () => {
    for (const url of ['/profile', `/profile/${UNKNOWN}`, '/nouveau-mot-de-passe']) {
      const { status, text } = await page(url)
      expect(status).toBe(200)
      expect(text).toContain('<div id="root"></div>')
      expect(tagsIn(text)).toMatchObject({ robots: 'noindex' })
    }
  })

  it('is listed for search engines under its one address, page by page', async () => {
    for (const url of PUBLIC_PAGES) {
      const { status, text } = await page(url)
      expect(status).toBe(200)
      const canonical = `<link rel="canonical" href="${server.ctx.config.http.publicUrl}${url}"/>`
      expect(text).toContain(canonical)
      expect(tagsIn(text)).not.toHaveProperty('robots')
    }
  })

  it('is the home page for an address that leads nowhere, and nothing for a file that is not there', async () => {
    const { status, headers } = await page('/nulle/part?x=1')
    expect({ status, location: headers.location }).toEqual({ status: 302, location: '/' })
    expect((await page('//exemple.test/ailleurs')).headers.location).toBe('/')
    expect((await page('/assets/app-ancienne.js')).status).toBe(404)
    expect((await page('/revelation/nul.part')).text).toContain('Rien à cette adresse')
  })
})

describe.runIf(existsSync(RENDERER))('a page, for a whole office behind one address', () => {
  const RENDERED_PER_MINUTE = 300
  let office: TestApp
  let id: string
  let addresses = 0

  beforeAll(async () => {
    office = await startTestServer({ rateLimits: true })
    const person = await signedIn(office)
    id = (await createRevelation(office, person, { title: 'Au bureau', visibility: 'public' })).id
  })
  afterAll(() => office.close())

  const newAddress = () => `198.51.100.${++addresses}`
  const from = async (remoteAddress: string, url: string) => {
    const { statusCode, body, headers } = await office.app.inject({ url, remoteAddress })
    return { status: statusCode, text: body, location: headers.location }
  }

  it('is whole however often its browsers called the API', async () => {
    const address = newAddress()
    for (let n = 0; n < 600; n += 1) await from(address, '/api/site')
    expect((await from(address, '/api/site')).status).toBe(429)
    for (const url of ['/', `/revelation/${id}`]) {
      const { status, text } = await from(address, url)
      expect([url, status, bodyOf(text).includes('Au bureau')]).toEqual([url, 200, true])
    }
  })

  it('costs its browser the first screen beyond so many, and is never refused', async () => {
    const address = newAddress()
    for (let n = 0; n < RENDERED_PER_MINUTE; n += 1) await from(address, '/nulle/part')
    for (const [url, title] of [
      ['/', 'Pour dire les choses à leur heure · Révélations'],
      [`/revelation/${id}`, 'Révélations'],
      [`/revelation/${UNKNOWN}`, 'Révélations'],
      ['/preuve', 'La preuve · Révélations'],
      ['/profile', 'Profil · Révélations'],
    ] as const) {
      const { status, text } = await from(address, url)
      expect([url, status]).toEqual([url, 200])
      expect(text).toContain(`<title>${title}</title>`)
      expect(text).toContain('<div id="root"></div>')
    }
    expect(await from(address, '/nulle/part')).toMatchObject({ status: 302, location: '/' })
    expect((await from(address, '/assets/app-ancienne.js')).status).toBe(404)
    expect(bodyOf((await from(newAddress(), '/')).text)).toContain('Au bureau')
  })
})

/** What the server rendered: nothing where it left the page to the browser. */
function bodyOf(html: string): string {
  return /<div id="root">(.*)<script id="page-state"/s.exec(html)?.[1] ?? ''
}

function tagsIn(html: string): Record<string, string> {
  const tags = html.matchAll(/<meta (?:name|property)="([^"]*)" content="([^"]*)"\/>/g)
  return Object.fromEntries(Array.from(tags, ([, name = '', content = '']) => [name, content]))
}
