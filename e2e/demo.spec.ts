import { devices, expect, type Page, test } from '@playwright/test'
import { expectAccessible } from './accessibility.ts'
import { openBeside, origin, signIn } from './people.ts'

const LETTER = /Elle s’appelle Aurore/
const demo = (page: Page) => page.getByRole('heading', { level: 1, name: /sous vos yeux/ })
const home = (page: Page) => page.getByRole('heading', { level: 1, name: /Écrit cette nuit/ })

test('a first visit begins with a letter that opens, and home is home from then on', async ({
  page,
}) => {
  await watchForHome(page)
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  await page.goto(origin())
  await expect(page).toHaveURL(`${origin()}/demo`)
  await expect(demo(page)).toBeVisible()
  expect(await page.evaluate(() => sessionStorage.getItem('home was seen'))).toBeNull()
  await expect(page.getByText('En attente', { exact: true })).toBeVisible()
  await expectAccessible(page)
  expect(await page.getByText(LETTER).count()).toBe(0)
  expect(asked.filter((url) => url.includes('aurore'))).toEqual([])

  await expect(page.getByText(LETTER)).toBeVisible({ timeout: 60_000 })
  const film = page.getByLabel('Complète : Son prénom, dès qu’elle sera là', { exact: true })
  await expect(film).toHaveJSProperty('error', null)
  await expect
    .poll(() => film.evaluate((video: HTMLVideoElement) => video.currentTime))
    .toBeGreaterThan(0)
  await expectAccessible(page)

  await page.getByRole('main').getByRole('link', { name: 'Retour à l’accueil' }).last().click()
  await expect(home(page)).toBeVisible()
  await page.goBack()
  await expect(demo(page)).toBeVisible()
  await page.goto(origin())
  await expect(home(page)).toBeVisible()
  await expect(page).toHaveURL(`${origin()}/`)
})

/** Notes it if the home page is ever seen; each document is looked at from its first frame. */
async function watchForHome(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const look = () => {
      const heading = document.querySelector('h1')
      if (heading?.textContent.includes('Écrit cette nuit') && heading.checkVisibility()) {
        sessionStorage.setItem('home was seen', 'yes')
      }
      requestAnimationFrame(look)
    }
    requestAnimationFrame(look)
  })
}

test('whoever is signed in, follows a link or indexes pages is led nowhere', async ({
  page,
  browser,
}) => {
  await page.goto(`${origin()}/legal`)
  await expect(page.getByRole('heading', { name: 'Mentions légales complètes' })).toBeVisible()
  await page.goto(`${origin()}/?status=revealed`)
  await expect(home(page)).toBeVisible()

  const known = await openBeside(page)
  await signIn(known)
  await known.goto(origin())
  await expect(known.getByRole('link', { name: 'Créer une révélation' }).last()).toBeAttached()
  await expect(known).toHaveURL(`${origin()}/`)
  await known.context().close()

  const crawler = await browser.newContext({
    userAgent: `${devices['Desktop Chrome'].userAgent} (compatible; Googlebot/2.1; +http://www.google.com/bot.html)`,
  })
  const indexed = await crawler.newPage()
  await indexed.goto(origin())
  await indexed.waitForLoadState('networkidle')
  await expect(home(indexed)).toBeVisible()
  await crawler.close()
})

test('the dawn is left out for whoever wishes for less motion', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.goto(`${origin()}/demo`)
  await expect(page.getByText(LETTER)).toBeVisible({ timeout: 60_000 })
  await expect(page.locator('.dawn')).toBeHidden()
  await expect(
    page.getByRole('button', { name: 'Lire la vidéo Son prénom, dès qu’elle sera là' }),
  ).toBeVisible()
})
