import { expect } from '@playwright/test'
import { test } from './journey.ts'
import { expectInside } from './keyboard.ts'
import { openDemoLetter } from './moments.ts'
import { watchMotion } from './motion.ts'
import { origin, sealThrough, signIn } from './people.ts'

test.skip(({ isMobile }) => isMobile, 'One browser is enough')

test('nothing slides, fades or bounces for whoever wishes for less motion', {
  tag: '@all',
}, async ({ page }) => {
  const author = await signIn(page)
  const { id } = await sealThrough(author, {
    title: 'Sans un geste de trop',
    reveal_date: new Date(Date.now() + 4_000).toISOString(),
  })
  const motion = await watchMotion(page)
  await page.goto(`${origin()}/revelation/${id}`)
  // It opens before the reader’s eyes.
  await expect(page.getByText('Révélation dévoilée')).toBeVisible()
  await expect(page.locator('.reveal-animation')).toBeHidden()
  await page.getByRole('button', { name: 'Réactions et commentaires' }).click()
  await page.getByRole('button', { name: 'Bravo' }).first().click()
  await page
    .getByRole('button', { name: /^Partager/ })
    .first()
    .click()
  await expectInside(page, page.getByRole('dialog'))
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toBeHidden()
  await page.goto(`${origin()}/create?vue=tout`)
  await page.getByRole('button', { name: 'Relire avant de sceller' }).click()
  // Where the first fault is, the page leads.
  await expect(page.getByLabel('Titre')).toBeFocused()
  await page.getByRole('radio').last().check({ force: true })
  await page.goto(`${origin()}/profile?onglet=parametres`)
  await page.getByRole('button', { name: 'Revoir la présentation' }).click()
  await expect(page.getByRole('dialog')).toContainText('Étape 1 sur 7')
  await expectInside(page, page.getByRole('dialog'))
  await page.keyboard.press('ArrowRight')
  await expect(page.getByRole('dialog')).toContainText('Étape 2 sur 7')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toBeHidden()
  await page.getByRole('tab', { name: 'Relations' }).click()
  await page.goto(origin())
  await page.getByRole('searchbox').fill('geste')
  await expect(page.getByRole('heading', { name: 'Sans un geste de trop' })).toBeVisible()
  await page.clock.install()
  await page.goto(`${origin()}/demo`)
  await expect(page.getByText('En attente', { exact: true })).toBeVisible()
  await openDemoLetter(page)
  await expect(page.locator('.reveal-animation')).toBeHidden()
  await expect(
    page.getByRole('button', { name: 'Lire la vidéo Son prénom, dès qu’elle sera là' }),
  ).toBeVisible()
  expect(await motion()).toEqual([])
})
