import { expect, type Page } from '@playwright/test'
import { test } from './journey.ts'
import { openBeside, origin, sealThrough, signIn } from './people.ts'

test('a reaction and a comment appear at once on the page of another person', async ({ page }) => {
  const author = await signIn(page)
  const revelation = await sealThrough(author, { title: 'Le grand voyage' })
  const address = `${origin()}/revelation/${revelation.id}`
  await page.goto(address)
  await openComments(page)
  await expect(page.getByText('Aucun commentaire pour l’instant.')).toBeVisible()

  const guest = await openBeside(page)
  const { pseudo } = await signIn(guest)
  await guest.goto(address)
  await openComments(guest)
  await guest
    .getByRole('group', { name: 'Réagir à Le grand voyage' })
    .getByRole('button', { name: 'Bravo' })
    .click()
  await expect(page.getByText(`@${pseudo}`).first()).toBeVisible()
  await guest.getByLabel('Votre commentaire').fill('Quelle patience !')
  await guest.getByRole('button', { name: 'Envoyer le commentaire' }).click()
  await expect(page.getByText('Quelle patience !')).toBeVisible()

  // Its author may delete the comments of others; they see that too.
  await page
    .getByRole('button', { name: `Plus d’actions pour le commentaire de @${pseudo}` })
    .click()
  await page.getByRole('menuitem', { name: 'Supprimer' }).click()
  await expect(page.getByText('Quelle patience !')).toBeHidden()
  await expect(guest.getByText('Quelle patience !')).toBeHidden()
})

async function openComments(page: Page): Promise<void> {
  await page
    .getByRole('button', { name: /commentaires/i, expanded: false })
    .first()
    .click()
}
