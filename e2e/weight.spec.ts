import { brotliCompressSync } from 'node:zlib'
import { expect, type Page, type Request } from '@playwright/test'
import { picture } from '#testing/media-files.ts'
import { test } from './journey.ts'
import { cameBefore, openBeside, origin, sealThrough, sendFile, signIn } from './people.ts'

/** Decision 36: what React, its router and plain imports cost, and a little room. */
const SCRIPTS_LIMIT_KB = 195
const FONTS_LIMIT_KB = 60
/** Decision 79: what shows several files comes with them alone, its viewer and its pages at a tap. */
const ALBUM_LIMIT_KB = 200
/** Decision 75: the first step of a letter, for whoever is signed in. */
const WRITING_LIMIT_KB = 252
/** Decision 81: the home page with its twenty cards, before its compression. */
const HOME_HTML_LIMIT_KB = 158
/** Nothing on the way for so long: nothing more comes by itself. */
const QUIET_MS = 1_000

test.skip(({ isMobile }) => isMobile, 'One browser is enough')

/**
 * The downloads of a page by itself until the network is idle, or those asked for before this heading is there: kilobytes of
 * 1000, scripts in brotli.
 */
async function weigh(page: Page, path: string, heading?: string) {
  await page.addInitScript((begin) => {
    new MutationObserver((_, observer) => {
      const isThere = [...document.querySelectorAll('h1')].some(
        (one) => begin && one.textContent.startsWith(begin),
      )
      if (!isThere) return
      performance.mark('heading')
      observer.disconnect()
    }).observe(document, { childList: true, subtree: true })
  }, heading)
  const arrived = new Map<string, Promise<Buffer> | undefined>()
  page.on('response', (response) => {
    const isWeighed = /\.(js|woff2)$/.test(new URL(response.url()).pathname)
    arrived.set(response.url(), isWeighed ? response.body() : undefined)
  })
  let onTheWay = 0
  let lastChange = Date.now()
  const count = (change: 1 | -1) => (request: Request) => {
    // The stream of what is new, for whoever is signed in, never ends.
    if (new URL(request.url()).pathname === '/api/events') return
    onTheWay += change
    lastChange = Date.now()
  }
  page.on('request', count(1))
  page.on('requestfinished', count(-1))
  page.on('requestfailed', count(-1))
  // The code is requested after the first paint, which a busy browser may report late.
  const code = page.waitForResponse((response) => /\.js$/.test(new URL(response.url()).pathname))
  await page.goto(origin() + path)
  await code
  await expect
    .poll(() => (onTheWay > 0 ? 0 : Date.now() - lastChange), { message: 'all has come' })
    .toBeGreaterThan(QUIET_MS)
  const late = await page.evaluate(() => {
    const shownAt =
      performance.getEntriesByName('heading')[0]?.startTime ?? Number.POSITIVE_INFINITY
    return performance
      .getEntriesByType('resource')
      .filter(({ startTime }) => startTime > shownAt)
      .map(({ name }) => name)
  })
  if (heading) expect(late).not.toEqual([])
  const weights = { scripts: 0, fonts: 0, hosts: new Set<string>() }
  for (const [url, answer] of arrived) {
    const { host, pathname } = new URL(url)
    weights.hosts.add(host)
    if (late.includes(url)) continue
    const body = await answer
    if (!body) continue
    if (pathname.endsWith('.js')) weights.scripts += brotliCompressSync(body).length / 1000
    else weights.fonts += body.length / 1000
  }
  return weights
}

test('what a visitor’s page brings is light, and comes from here alone', { tag: '@all' }, async ({
  page,
}) => {
  const author = await signIn(await openBeside(page))
  const sealed = await sealThrough(author, { title: 'Le poids du secret', visibility: 'public' })
  const revealed = await sealThrough(author, {
    title: 'Le poids de l’aveu',
    visibility: 'public',
    reveal_date: new Date(Date.now() - 1_000).toISOString(),
  })
  const photo = { bytes: await picture('png'), name: 'quai.png', type: 'image/png' }
  const album = await sealThrough(author, {
    title: 'Le poids des images',
    visibility: 'public',
    file_urls: [await sendFile(author, 'images', photo), await sendFile(author, 'images', photo)],
    reveal_date: new Date(Date.now() - 1_000).toISOString(),
  })
  const albumPath = `/revelation/${album.id}`
  const paths = [
    '/',
    '/demo',
    '/predictions',
    '/legal',
    `/revelation/${sealed.id}`,
    `/revelation/${revealed.id}`,
    albumPath,
  ]
  for (const path of paths) {
    const visitor = await openBeside(page)
    await cameBefore(visitor)
    const { scripts, fonts, hosts } = await weigh(visitor, path)
    await test.info().attach(path, { body: `${scripts} kB of scripts, ${fonts} kB of fonts` })
    expect(scripts, `scripts of ${path}, in kB`).toBeGreaterThan(20)
    const limit = path === albumPath ? ALBUM_LIMIT_KB : SCRIPTS_LIMIT_KB
    expect(scripts, `scripts of ${path}, in kB`).toBeLessThanOrEqual(limit)
    expect(fonts, `fonts of ${path}, in kB`).toBeLessThanOrEqual(FONTS_LIMIT_KB)
    expect([...hosts]).toEqual([new URL(origin()).host])
    await visitor.context().close()
  }
})

test('the first step of a letter is light', { tag: '@all' }, async ({ page }) => {
  await signIn(page)
  const { scripts, hosts } = await weigh(page, '/create', 'Pour qui, et pourquoi')
  await test.info().attach('/create', { body: `${scripts} kB of scripts` })
  expect(scripts, 'scripts of /create, in kB').toBeGreaterThan(20)
  expect(scripts, 'scripts of /create, in kB').toBeLessThanOrEqual(WRITING_LIMIT_KB)
  expect([...hosts]).toEqual([new URL(origin()).host])
})

test('the home page names what its cards repeat once', { tag: '@all' }, async ({ page }) => {
  const sealCards = async () => {
    const author = await signIn(await openBeside(page))
    const seals = Array.from({ length: 10 }, (_, number) =>
      sealThrough(author, {
        title: `Le poids de la carte ${number}`,
        visibility: 'public',
        ...(number % 2 && { reveal_date: new Date(Date.now() - 1_000).toISOString() }),
      }),
    )
    await Promise.all(seals)
  }
  // What other journeys seal meanwhile has films and long titles: the page is weighed once all its cards are of these. Others
  // seal them each time: the free plan lets nobody have more letters that wait.
  let html = ''
  await expect
    .poll(async () => {
      await Promise.all([sealCards(), sealCards()])
      html = await (await page.request.get(`${origin()}/`)).text()
      const cards = html.split('</article>').slice(0, -1)
      return [cards.length, cards.filter((card) => card.includes('Le poids de la carte')).length]
    })
    .toEqual([20, 20])
  const weight = Buffer.byteLength(html) / 1000
  await test.info().attach('/', { body: `${weight} kB of HTML` })
  expect(weight, 'HTML of /, in kB').toBeLessThanOrEqual(HOME_HTML_LIMIT_KB)
})
