import { expect } from '@playwright/test'
import { test } from './journey.ts'
import { cameBefore, fillSignIn, openBeside, origin, sealThrough, signIn } from './people.ts'

const LETTERS = 5
/** Cards below may be a pixel taller or shorter than when one left. */
const NEAR_PX = 4

test('going back returns to the card that was left, and to its link @both', async ({ page }) => {
  const author = await signIn(page)
  for (let index = 0; index < LETTERS; index += 1) {
    await sealThrough(author, { title: `La lettre numéro ${index}`, visibility: 'public' })
  }
  await page.goto(`${origin()}/?q=${encodeURIComponent(author.pseudo)}`)
  const link = page.getByRole('article').getByRole('link', { name: 'La lettre numéro 0' })
  await expect(page.getByRole('article')).toHaveCount(LETTERS)
  await link.evaluate((element) => element.scrollIntoView({ block: 'center' }))
  const top = () => link.evaluate((element) => element.getBoundingClientRect().top)
  const before = await top()
  await link.click()
  await expect(page.getByRole('heading', { level: 1 })).toContainText('La lettre numéro 0')
  await page.goBack()
  await expect(link).toBeFocused()
  expect(Math.abs((await top()) - before)).toBeLessThanOrEqual(NEAR_PX)
})

test('a visitor is led to sign in, and on to where they were going @both', async ({ page }) => {
  const { email } = await signIn(await openBeside(page))
  await cameBefore(page)
  await page.goto(origin())
  const main = page.getByRole('main')
  await main.getByRole('link', { name: 'Cercle Privé' }).click()
  await fillSignIn(page, email)
  await expect(page.getByRole('heading', { level: 1, name: 'Cercle Privé' })).toBeVisible()
  await expect(page).toHaveURL(`${origin()}/family`)
})

test('an address that is none leads home, which says so once', async ({ page }) => {
  const told = page.getByText('Cette adresse n’existe pas. Voici l’accueil.')
  // Even on a first visit, which would be led to the demo.
  await page.goto(`${origin()}/nulle/part`)
  await expect(page).toHaveURL(`${origin()}/`)
  await expect(told).toBeVisible()
  await cameBefore(page)
  await page.reload()
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Écrit cette nuit')
  await expect(told).toBeHidden()
})

test('the bar of a phone covers nothing, and leaves its place to the keyboard @phone', async ({
  page,
  hasTouch,
}) => {
  test.skip(!hasTouch, 'A bar for the thumb')
  await signIn(page)
  await page.goto(`${origin()}/create`)
  const bar = page.getByRole('navigation', { name: 'Raccourcis' })
  await expect(bar.getByRole('link', { name: 'Écrire' })).toHaveAttribute('aria-current', 'page')
  const goOn = page.getByRole('button', { name: 'Continuer' })
  await expect(goOn).toBeVisible()
  const [action, edge] = [await goOn.boundingBox(), await bar.boundingBox()]
  expect((action?.y ?? 0) + (action?.height ?? 0)).toBeLessThanOrEqual(edge?.y ?? 0)
  // What a browser tells when its keyboard opens: it takes from what is seen, not from the page.
  await page.evaluate(() => {
    Object.defineProperty(visualViewport, 'height', { value: innerHeight - 300 })
    visualViewport?.dispatchEvent(new Event('resize'))
  })
  await expect(bar).toBeHidden()
})
