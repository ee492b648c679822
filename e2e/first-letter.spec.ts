import { expect, type Locator, type Page } from '@playwright/test'
import { test } from './journey.ts'
import { origin, sealThrough, signIn } from './people.ts'

const TAPS_LIMIT = 12

test('a letter to somebody one knows is sealed in a few taps beside its words', {
  tag: '@phone',
}, async ({ page }) => {
  const author = await signIn(page)
  const lea = { email: 'lea@exemple.test', name: 'Léa' }
  await sealThrough(author, { target_email: lea.email, recipients: [lea] })
  const taps: string[] = []
  const tap = async (what: string, target: Locator) => {
    await target.tap()
    taps.push(what)
  }
  const goOn = () => tap('Continuer', page.getByRole('button', { name: 'Continuer' }))
  await page.goto(origin())
  await tap('Écrire', shortcut(page, 'Écrire'))
  await tap('Une lettre', page.getByRole('radio', { name: /^Une lettre/ }))
  await tap('Léa', page.getByRole('button', { name: /^Léa/ }))
  await goOn()
  await expect(page.getByLabel('Titre')).toHaveValue('Une lettre pour Léa')
  await page
    .getByRole('textbox', { name: 'Votre lettre' })
    .fill('Dans un an, tu sauras que j’y pensais.')
  await goOn()
  await tap('Dans un an', page.getByRole('button', { name: 'Dans un an', exact: true }))
  await goOn()
  await tap('Le sceau', page.getByRole('button', { name: 'Sceller' }))
  await expect(page.getByRole('heading', { name: 'C’est scellé.' })).toBeFocused()
  await expect(page.getByText('Une lettre pour Léa')).toBeVisible()
  await test.info().attach('taps', { body: `${taps.length}: ${taps.join(', ')}` })
  expect(taps.length, taps.join(', ')).toBeLessThanOrEqual(TAPS_LIMIT)
  // It is said again to whoever loads the page again, or comes back from the letter.
  await page.reload()
  await page.getByRole('link', { name: 'Voir la lettre' }).tap()
  await expect(page).toHaveURL(/\/revelation\//)
  await page.goBack()
  await expect(page.getByRole('heading', { name: 'C’est scellé.' })).toBeVisible()
  // What is sealed has no steps any more to go back through.
  await page.goBack()
  await expect(page).toHaveURL(`${origin()}/`)
})

test('what is written is there again after a closed tab, at its step', {
  tag: '@phone',
}, async ({ page, context }) => {
  const author = await signIn(page)
  await page.goto(`${origin()}/create?genre=prediction`)
  await page.getByRole('button', { name: 'Continuer' }).tap()
  const words = page.getByRole('textbox', { name: 'Votre prédiction' })
  await words.fill('Il neigera à Noël, et nous serons tous là.')
  const address = page.url()
  expect(address).toContain('etape=lettre')
  // At once: nobody waits before a battery is empty.
  await page.close({ runBeforeUnload: false })
  const again = await context.newPage()
  await again.addInitScript((token) => localStorage.setItem('auth_token', token), author.token)
  await again.goto(address)
  await expect(again.getByRole('textbox', { name: 'Votre prédiction' })).toHaveValue(/Il neigera/)
  // « Écrire » offers what was begun.
  await again.goto(`${origin()}/create`)
  await expect(again.getByText('Il neigera à Noël, et nous serons tous là.')).toBeVisible()
  const elsewhere = await context.newPage()
  await elsewhere.goto(address)
  await expect(elsewhere.getByRole('textbox', { name: 'Votre prédiction' })).toHaveValue(
    /Il neigera/,
  )
  await again.goto(address)
  await expect(
    again.getByRole('heading', { name: 'Ce brouillon est ouvert dans un autre onglet' }),
  ).toBeVisible()
  await again.getByRole('button', { name: 'Continuer ici' }).tap()
  await expect(again.getByRole('textbox', { name: 'Votre prédiction' })).toHaveValue(/Il neigera/)
  await expect(elsewhere.getByRole('button', { name: 'Continuer ici' })).toBeVisible()
})

function shortcut(page: Page, name: string): Locator {
  return page.getByRole('navigation', { name: 'Raccourcis' }).getByRole('link', { name })
}
