import { expect, type Page, test } from '@playwright/test'
import { expectAccessible } from './accessibility.ts'
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

  await openComments(page, 'keyboard')
  await tabTo(page, 'Autres réactions')
  await page.keyboard.press('Enter')
  const popover = page.getByRole('dialog')
  await expect(popover).toBeVisible()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(popover).toBeHidden()
  await expect(page.getByRole('button', { name: 'Autres réactions' }).first()).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(popover).toBeVisible()
  await page.getByRole('button', { name: 'Ça enflamme' }).focus()
  await page.keyboard.press('Space')
  await expect(page.getByRole('button', { name: 'Ça enflamme' }).first()).toHaveAttribute(
    'aria-pressed',
    'true',
  )

  await page.getByLabel('Votre commentaire').focus()
  await page.keyboard.type('Écrit au clavier')
  await page.keyboard.press('Control+Enter')
  await expect(page.getByText('Écrit au clavier')).toBeVisible()

  await tabTo(page, 'Partager')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog')).toBeVisible()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toBeHidden()
})

async function openComments(page: Page, by: 'pointer' | 'keyboard' = 'pointer'): Promise<void> {
  const toggle = page.getByRole('button', { name: /commentaires/i, expanded: false }).first()
  await expect(toggle).toBeVisible()
  if (by === 'pointer') return toggle.click()
  await toggle.focus()
  await page.keyboard.press('Enter')
}

/** Presses Tab until a control of this name has the focus. */
async function tabTo(page: Page, name: string): Promise<void> {
  await page.locator('main').focus()
  for (let presses = 0; presses < 60; presses += 1) {
    await page.keyboard.press('Tab')
    const isThere = await page
      .getByRole('button', { name })
      .evaluateAll((buttons) => buttons.some((button) => button === document.activeElement))
    if (isThere) return
  }
  throw new Error(`Tab never reached « ${name} »`)
}
