import { expect, type Page, test } from '@playwright/test'
import { expectAccessible } from './accessibility.ts'
import { expectInside, leaveWithEscape, pressOn, tabTo, typeInto } from './keyboard.ts'
import { openBeside, origin, sealThrough, signIn } from './people.ts'

test('one reacts and comments, the other sees it at once, without reloading', async ({ page }) => {
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
  await expectAccessible(page)

  // Its author may take away what others left there; they see that too.
  await page
    .getByRole('button', { name: `Plus d’actions pour le commentaire de @${pseudo}` })
    .click()
  await page.getByRole('menuitem', { name: 'Supprimer' }).click()
  await expect(page.getByText('Quelle patience !')).toBeHidden()
  await expect(guest.getByText('Quelle patience !')).toBeHidden()
  await guest.context().close()
})

test('everything around a revelation is done with the keyboard alone', async ({ page }) => {
  const author = await signIn(page)
  const revelation = await sealThrough(author, { title: 'Sans souris' })
  await page.goto(`${origin()}/revelation/${revelation.id}`)
  await expect(page.getByRole('heading', { level: 1, name: 'Sans souris' })).toBeVisible()

  await pressOn(page, page.getByRole('button', { name: /commentaires/i, expanded: false }))
  const others = page.getByRole('button', { name: 'Autres réactions' })
  await expect(others).toBeVisible()
  await pressOn(page, others)
  const popover = page.getByRole('dialog')
  await expectInside(page, popover)
  await expectAccessible(page)
  await leaveWithEscape(page, popover, others)
  await page.keyboard.press('Enter')
  await expectInside(page, popover)
  const flame = page.getByRole('button', { name: 'Ça enflamme' })
  await pressOn(page, flame, 'Space')
  await expect(flame.first()).toHaveAttribute('aria-pressed', 'true')
  await expect(others).toBeFocused()

  await typeInto(page, page.getByLabel('Votre commentaire'), 'Écrit au clavier')
  await page.keyboard.press('Control+Enter')
  await expect(page.getByText('Écrit au clavier')).toBeVisible()

  const share = page.getByRole('main').getByRole('button', { name: /^Partager/ })
  await tabTo(page, share, 'Shift+Tab')
  await page.keyboard.press('Enter')
  await expectInside(page, page.getByRole('dialog'))
  await expectAccessible(page)
  await leaveWithEscape(page, page.getByRole('dialog'), share)
})

async function openComments(page: Page): Promise<void> {
  await page
    .getByRole('button', { name: /commentaires/i, expanded: false })
    .first()
    .click()
}
