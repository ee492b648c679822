import { expect, type Page } from '@playwright/test'
import { test } from './journey.ts'
import { chooseDay } from './moments.ts'
import { openBeside, origin, sealThrough, signIn, tie } from './people.ts'

test('a family has a circle: deliveries, contacts, a calendar one subscribes to, figures', {
  tag: '@all',
}, async ({ page }) => {
  const author = await signIn(page)
  await page.goto(`${origin()}/family`)
  await expect(page.getByText('Votre Cercle Privé est vide')).toBeVisible()
  await openTab(page, 'Contacts')
  await expect(page.getByText('Aucun contact de confiance')).toBeVisible()

  const cousin = await openBeside(page)
  const relative = await signIn(cousin)
  await tie(author, relative, 'family')
  const { id } = await sealThrough(author, {
    title: 'Pour la famille seulement',
    visibility: 'family',
  })

  // What one seals for the family, the other finds in the circle.
  await cousin.goto(`${origin()}/family`)
  await cousin
    .getByRole('link', { name: /Pour la famille seulement/ })
    .first()
    .click()
  await expect(cousin).toHaveURL(`${origin()}/revelation/${id}`)
  await cousin.goto(`${origin()}/family?onglet=contacts`)
  const card = cousin.getByRole('listitem').filter({ hasText: `@${author.pseudo}` })
  await expect(card).toContainText('livraison1')

  await cousin.goto(`${origin()}/family?onglet=calendrier`)
  await addEvent(cousin, 'Anniversaire de Mamie')
  await subscribe(cousin)

  await openTab(cousin, 'Statistiques')
  await expect(cousin.getByText(/À améliorer/).first()).toBeVisible()

  // « Envoyer un message » is the recorder with that person chosen.
  await openTab(cousin, 'Contacts')
  await menuOf(cousin, author.pseudo)
  await cousin.getByRole('menuitem', { name: 'Envoyer un message' }).click()
  await expect(cousin.getByRole('dialog', { name: 'Enregistrer un message' })).toBeVisible()
  await cousin.keyboard.press('Escape')

  // A former member of the family sees nothing of it.
  await page.goto(`${origin()}/family?onglet=contacts`)
  await menuOf(page, relative.pseudo)
  await page.getByRole('menuitem', { name: 'Retirer' }).click()
  const question = page.getByRole('alertdialog')
  await expect(question).toContainText(`Retirer @${relative.pseudo} de votre famille ?`)
  await question.getByRole('button', { name: 'Retirer' }).click()
  await expect(page.getByText('Aucun contact de confiance')).toBeVisible()
  await cousin.goto(`${origin()}/family`)
  await expect(cousin.getByText('Votre Cercle Privé est vide')).toBeVisible()
})

async function openTab(page: Page, name: string): Promise<void> {
  const tab = page.getByRole('tab', { name: new RegExp(`^${name}`) })
  await tab.click()
  await expect(tab).toHaveAttribute('aria-selected', 'true')
}

async function menuOf(page: Page, pseudo: string): Promise<void> {
  await page.getByRole('button', { name: `Plus d’actions pour @${pseudo}` }).click()
}

async function addEvent(page: Page, title: string): Promise<void> {
  await page.getByRole('button', { name: 'Ajouter un événement' }).first().click()
  const form = page.getByRole('dialog', { name: 'Ajouter un événement' })
  await form.getByLabel('Titre').fill(title)
  await chooseDay(page, 'Date', new Date())
  await form.getByRole('button', { name: 'Ajouter', exact: true }).click()
  await expect(form).toBeHidden()
  await expect(page.getByText(title).filter({ visible: true }).first()).toBeVisible()
}

/** As the calendar of a phone does: with nothing but the address. */
async function subscribe(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Créer mon adresse' }).click()
  const url = await page.getByLabel('Adresse de votre calendrier').inputValue()
  const feed = await fetch(origin() + new URL(url).pathname)
  expect(feed.headers.get('content-type')).toMatch(/^text\/calendar/)
  const text = await feed.text()
  expect(text).toContain('Anniversaire de Mamie')
  expect(text).toContain('Pour la famille seulement')
  await page.getByRole('button', { name: 'Révoquer' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Révoquer' }).click()
  await expect(page.getByRole('button', { name: 'Créer mon adresse' })).toBeVisible()
  expect((await fetch(origin() + new URL(url).pathname)).status).toBe(404)
}
