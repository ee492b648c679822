import { expect, type Page } from '@playwright/test'
import { test } from './journey.ts'
import { expectInside } from './keyboard.ts'
import { openDemoLetter } from './moments.ts'
import { fillSignIn, newPseudo, openBeside, origin, PASSWORD } from './people.ts'

const LETTER = /Elle s’appelle Aurore/
const STEPS = [
  'Bienvenue',
  'Prédictions publiques',
  'Livraisons privées',
  'Capsules temporelles',
  'Vos proches',
  'Comment ça marche',
  'À vous',
]
const demo = (page: Page) => page.getByRole('heading', { level: 1, name: /sous vos yeux/ })
const home = (page: Page) => page.getByRole('heading', { level: 1, name: /Écrit cette nuit/ })

test('a first visit begins with a letter that opens, and home is home from then on', {
  tag: '@phone',
}, async ({ page }) => {
  await page.clock.install()
  await watchForHome(page)
  const requests: string[] = []
  page.on('request', (request) => requests.push(request.url()))
  await page.goto(origin())
  await expect(page).toHaveURL(`${origin()}/demo`)
  await expect(demo(page)).toBeVisible()
  expect(await page.evaluate(() => sessionStorage.getItem('home was seen'))).toBeNull()
  await expect(page.getByText('En attente', { exact: true })).toBeVisible()
  expect(await page.getByText(LETTER).count()).toBe(0)
  expect(requests.filter((url) => url.includes('aurore'))).toEqual([])

  await openDemoLetter(page)
  const film = page.getByLabel('Complète : Son prénom, dès qu’elle sera là', { exact: true })
  await expect(film).toHaveJSProperty('error', null)
  await expect
    .poll(() => film.evaluate((video: HTMLVideoElement) => video.currentTime))
    .toBeGreaterThan(0)

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
    const check = () => {
      const heading = document.querySelector('h1')
      if (heading?.textContent.includes('Écrit cette nuit') && heading.checkVisibility()) {
        sessionStorage.setItem('home was seen', 'yes')
      }
      requestAnimationFrame(check)
    }
    requestAnimationFrame(check)
  })
}

test('somebody new is shown around once, on whatever device', async ({ page }) => {
  const pseudo = newPseudo()
  await page.goto(`${origin()}/register`)
  await page.getByLabel('Pseudo').fill(pseudo)
  await page.getByLabel('E-mail').fill(`${pseudo}@exemple.test`)
  await page.getByLabel('Mot de passe', { exact: true }).fill(PASSWORD)
  await page.getByLabel(/Confirm/).fill(PASSWORD)
  await page.getByLabel('J’ai 15 ans ou plus').check()
  const submit = page.locator('form').getByRole('button', { name: /compte/i })
  await submit.click()
  for (const name of STEPS) {
    await expect(page.getByRole('dialog', { name })).toBeVisible()
    await page.keyboard.press('ArrowRight')
  }
  await page.keyboard.press('ArrowLeft')
  await page.getByRole('button', { name: 'Passer' }).click()
  await expect(page.getByRole('dialog')).toBeHidden()
  await page.reload()
  await expect(page.getByRole('link', { name: 'Écrire une lettre…' })).toBeAttached()
  await expect(page.getByRole('dialog')).toBeHidden()

  const other = await openBeside(page)
  await other.goto(`${origin()}/login`)
  await fillSignIn(other, `${pseudo}@exemple.test`)
  await expect(home(other)).toBeVisible()
  await expect(other.getByRole('dialog')).toBeHidden()
  await other.goto(`${origin()}/profile?onglet=parametres`)
  await other.getByRole('button', { name: 'Revoir la présentation' }).click()
  await expectInside(other, other.getByRole('dialog', { name: 'Bienvenue' }))
  await other.keyboard.press('Escape')
  await expect(other.getByRole('button', { name: 'Revoir la présentation' })).toBeFocused()
})
