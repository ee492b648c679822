import { expect, type Locator, type Page } from '@playwright/test'
import type { LetterFile } from '#contract/revelations.ts'
import { colourVideo, picture } from '#testing/media-files.ts'
import { test } from './journey.ts'
import { soonAfter, untilAfter } from './moments.ts'
import { watchMotion } from './motion.ts'
import {
  cameBefore,
  getJson,
  openBeside,
  origin,
  type Person,
  sealThrough,
  sendFile,
  signIn,
} from './people.ts'

const TITLE = 'Un dimanche au port'
const WORDS = 'Trois photos et un film, dans l’ordre où je les ai vus.'
const CAPTIONS = ['Le quai', null, 'La jetée', 'Le retour du bateau']
const NAMES = [
  'Photo 1 sur 4 : Le quai',
  'Photo 2 sur 4',
  'Photo 3 sur 4 : La jetée',
  'Film 4 sur 4 : Le retour du bateau',
] as const

/** Three photos of different shapes and a film. */
async function sendAlbum(author: Person): Promise<string[]> {
  const addresses: string[] = []
  for (const [width, height] of [
    [900, 600],
    [400, 900],
    [600, 600],
  ] as const) {
    const bytes = await picture('png', width, height)
    const file = { bytes, name: `${width}.png`, type: 'image/png' }
    addresses.push(await sendFile(author, 'images', file))
  }
  const bytes = await colourVideo({ seconds: 20, fps: 10, size: '64x36' })
  const film = { bytes, name: 'bateau.mp4', type: 'video/mp4' }
  return [...addresses, await sendFile(author, 'videos', film)]
}

async function sealAlbum(author: Person, changes: Record<string, unknown>) {
  const file_urls = await sendAlbum(author)
  const words = { title: TITLE, content: WORDS, captions: CAPTIONS }
  return sealThrough(author, { ...words, file_urls, ...changes })
}

/** One finger, from the right to the left. */
async function swipe(page: Page, y: number): Promise<void> {
  const device = await page.context().newCDPSession(page)
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', x?: number) =>
    device.send('Input.dispatchTouchEvent', {
      type,
      touchPoints: x === undefined ? [] : [{ x, y }],
    })
  await touch('touchStart', 300)
  for (let x = 290; x >= 90; x -= 20) await touch('touchMove', x)
  await touch('touchEnd')
  await device.detach()
}

/** The middle of what is shown. */
async function middleOf(part: Locator): Promise<number> {
  const box = await part.boundingBox()
  if (!box) throw new Error('Nothing is shown')
  return box.y + box.height / 2
}

test('an album is turned like pages as its letter opens, looked at on the whole screen, and left by going back', {
  tag: '@both',
}, async ({ page, hasTouch }) => {
  const begunAt = Date.now()
  const author = await signIn(page)
  const file_urls = await sendAlbum(author)
  // As heavy as the page that is to be open before the instant.
  await page.goto(origin())
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  const instant = soonAfter(begunAt)
  const { id } = await sealThrough(author, {
    ...{ title: TITLE, content: WORDS, captions: CAPTIONS, file_urls },
    reveal_date: instant.toISOString(),
  })
  await page.goto(`${origin()}/revelation/${id}`)
  await expect(page.getByText('Révélation en attente')).toBeVisible()
  await expect(page.getByText('Révélation dévoilée')).toBeVisible(untilAfter(instant))
  await expect(page.locator('.reveal-animation')).toHaveCount(0)

  const pages = page.getByRole('dialog', { name: `Les pages de ${TITLE}` })
  const expectPage = (name: string) => expect(pages.getByRole('status').first()).toHaveText(name)
  if (hasTouch) await swipe(page, await middleOf(page.getByText(WORDS)))
  else await page.keyboard.press('ArrowRight')
  await expectPage(NAMES[0])
  await expect(pages.getByText('Le quai', { exact: true })).toBeVisible()
  if (hasTouch) await swipe(page, 400)
  else await page.keyboard.press('Enter')
  await expectPage(NAMES[1])
  const second = pages.getByRole('img', { name: NAMES[1] })
  if (hasTouch) await second.tap()
  else await second.click()
  await expectPage(NAMES[2])
  await pages.getByRole('button', { name: 'Tourner la page' }).click()
  await expectPage(NAMES[3])
  await pages.getByRole('button', { name: 'Revenir à la lettre' }).click()
  await expect(pages).toBeHidden()
  await expect(page.getByText(WORDS)).toBeVisible()
  await expect(page.getByRole('button', { name: 'Feuilleter' })).toBeVisible()

  await page.getByRole('link', { name: NAMES[2] }).click()
  const viewer = page.getByRole('dialog', { name: `Album de la révélation ${TITLE}` })
  // A player has a status of its own.
  const status = viewer.getByRole('status').last()
  await expect(status).toHaveText(NAMES[2])
  await expect(viewer.getByText('La jetée', { exact: true })).toBeVisible()
  await expect(viewer.getByRole('img', { name: 'Photo 3 sur 4' })).toHaveJSProperty(
    'complete',
    true,
  )
  if (hasTouch) await swipe(page, 400)
  else await page.keyboard.press('ArrowRight')
  await expect(status).toHaveText(NAMES[3])
  await viewer.getByRole('button', { name: 'Lire la vidéo Le retour du bateau' }).click()
  const film = viewer.getByLabel('Vidéo complète : Le retour du bateau')
  await expect(film).toHaveJSProperty('paused', false)
  await viewer.getByRole('button', { name: 'Précédent' }).click()
  await expect(status).toHaveText(NAMES[2])
  await expect(film).toHaveJSProperty('paused', true)
  await page.goBack()
  await expect(viewer).toBeHidden()
  await expect(page).toHaveURL(new RegExp(`/revelation/${id}$`))
  await expect(page.getByRole('link', { name: NAMES[2] })).toBeFocused()
})

test('an album is read without scripts', async ({ page, browser }) => {
  const author = await signIn(page)
  const reveal_date = new Date(Date.now() - 1_000).toISOString()
  const { id } = await sealAlbum(author, { visibility: 'public', reveal_date })
  const context = await browser.newContext({
    javaScriptEnabled: false,
    viewport: { width: 320, height: 700 },
  })
  const reader = await context.newPage()
  // Without scripts a page does not follow how its pictures are prepared.
  await expect(async () => {
    const { revelation } = await getJson(`/api/revelations/${id}`)
    expect(revelation.files.map(({ url }: LetterFile) => url)).not.toContain(null)
  }).toPass()
  await reader.goto(`${origin()}/revelation/${id}`)
  for (const name of NAMES) {
    const link = reader.getByRole('link', { name, exact: true })
    await expect(link).toBeVisible()
    await expect(link).toHaveAttribute('href', /^\/api\/.+token=/)
  }
  for (const caption of CAPTIONS) {
    if (caption) await expect(reader.locator('figcaption', { hasText: caption })).toBeVisible()
  }
})

test('pages fade into one another for whoever wishes for less motion', { tag: '@all' }, async ({
  page,
}) => {
  const author = await signIn(await openBeside(page))
  const reveal_date = new Date(Date.now() - 1_000).toISOString()
  const { id } = await sealAlbum(author, { visibility: 'public', reveal_date })
  await cameBefore(page)
  const motion = await watchMotion(page)
  await page.goto(`${origin()}/revelation/${id}`)
  await page.getByRole('button', { name: 'Feuilleter' }).click()
  const pages = page.getByRole('dialog')
  await expect(pages.getByRole('status').first()).toHaveText(NAMES[0])
  await page.evaluate(() => {
    const fades: string[] = []
    Object.assign(window, { fades })
    addEventListener(
      'animationstart',
      ({ target, animationName }) => {
        if (!(target instanceof Element && target.matches('.album-page'))) return
        fades.push(`${animationName} ${getComputedStyle(target).animationDuration}`)
      },
      true,
    )
  })
  const fades = () => page.evaluate(() => (window as unknown as { fades: string[] }).fades)
  for (const [turned] of NAMES.entries()) {
    await page.keyboard.press('ArrowRight')
    // A page that is turned before it began to fade never does.
    await expect.poll(fades).toEqual(Array(turned + 1).fill('reveal-ends 0.25s'))
    const name = NAMES[turned + 1]
    if (name) await expect(pages.getByRole('status').first()).toHaveText(name)
  }
  await expect(pages).toBeHidden()
  expect(await motion()).toEqual([])
})
