import { expect, test } from '@playwright/test'
import { expectAccessible } from './accessibility.ts'
import { origin, postJson, signIn } from './people.ts'

test('an author changes a sealed letter, then withdraws it', async ({ page }) => {
  const { token, email } = await signIn(page)
  const { revelation } = await postJson(
    '/api/revelations',
    {
      title: 'Premier titre',
      content: 'Un premier contenu, à changer.',
      target_email: email,
      reveal_date: new Date(Date.now() + 3 * 86_400_000).toISOString(),
    },
    token,
  )

  await page.goto(`${origin()}/edit/${revelation.id}`)
  await expect(page.getByLabel('Contenu')).toHaveValue('Un premier contenu, à changer.')
  await expectAccessible(page)
  await page.getByLabel('Titre').fill('Second titre')
  await page.getByRole('button', { name: 'Enregistrer les modifications' }).click()
  await expect(page).toHaveURL(`${origin()}/`)

  await page.goto(`${origin()}/revelation/${revelation.id}`)
  await expect(page.getByRole('heading', { name: 'Second titre' })).toBeVisible()
  // The seal names it too.
  await expect(page.getByText(/modifiée .*version 2/)).toBeVisible()
  await page
    .getByRole('button', { name: /Supprimer/ })
    .first()
    .click()
  await expect(
    page.getByText('Êtes-vous sûr de vouloir supprimer cette révélation ?'),
  ).toBeVisible()
  await expectAccessible(page)
  await page
    .getByRole('dialog')
    .or(page.getByRole('alertdialog'))
    .getByRole('button', { name: /Supprimer/ })
    .click()
  await expect(page).not.toHaveURL(/revelation/)

  await page.goto(`${origin()}/revelation/${revelation.id}`)
  await expect(page.getByRole('heading', { name: 'Rien à cette adresse' })).toBeVisible()
})
