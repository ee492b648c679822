import { expect, type Page } from '@playwright/test'
import { test } from './journey.ts'
import { linkIn, mailTo } from './mails.ts'
import { fillSignIn, newPseudo, origin, PASSWORD } from './people.ts'

const NEW_PASSWORD = 'un tout autre mot de passe'

async function openSettings(page: Page): Promise<void> {
  await page.goto(`${origin()}/profile`)
  await page.getByRole('tab', { name: 'Paramètres' }).click()
}

test('a person proves an address, moves to another and chooses another password by mail', {
  tag: '@all',
}, async ({ page }) => {
  const pseudo = newPseudo()
  const email = `${pseudo}@exemple.test`
  await page.goto(`${origin()}/register`)
  await page.getByLabel('Pseudo').fill(pseudo)
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Mot de passe', { exact: true }).fill(PASSWORD)
  await page.getByLabel(/Confirm/).fill(PASSWORD)
  const submit = page.locator('form').getByRole('button', { name: /compte/i })
  await submit.click()
  await expect(
    page.getByText('Révélations est réservé aux personnes de 15 ans ou plus'),
  ).toBeVisible()
  await page.getByLabel('J’ai 15 ans ou plus').check()
  await submit.click()
  await page.getByRole('button', { name: 'Passer' }).click()
  await expect(page.getByRole('complementary', { name: /Vérifiez/ })).toBeVisible()

  // Opening the link proves nothing: programs that look at mails open links too.
  await page.goto(linkIn(await mailTo(email, /^Confirmez votre adresse/), '/verification'))
  await expect(page.getByRole('button', { name: 'Confirmer mon adresse' })).toBeVisible()
  await expect(page).not.toHaveURL(/jeton/)
  await page.getByRole('button', { name: 'Confirmer mon adresse' }).click()
  await expect(page.getByText('Adresse vérifiée')).toBeVisible()

  const other = `autre.${email}`
  await openSettings(page)
  await expect(page.getByText('Vérifiée', { exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Changer d’adresse' }).click()
  await page.getByLabel('Nouvelle adresse').fill(other)
  const panel = page.locator('form').filter({ hasText: 'Nouvelle adresse' })
  await panel.getByLabel('Votre mot de passe').fill('pas le bon')
  await panel.getByRole('button', { name: 'Envoyer le lien' }).click()
  await expect(panel.getByText('Le mot de passe actuel est incorrect')).toBeVisible()
  await panel.getByLabel('Votre mot de passe').fill(PASSWORD)
  await panel.getByRole('button', { name: 'Envoyer le lien' }).click()
  await expect(page.getByText('Un lien est parti')).toBeVisible()
  await mailTo(email, /changement d’adresse/)
  await page.goto(linkIn(await mailTo(other, /^Confirmez votre nouvelle/), '/verification'))
  await page.getByRole('button', { name: 'Confirmer mon adresse' }).click()
  await expect(page.getByText('Adresse vérifiée')).toBeVisible()
  await expect(page.getByText(other, { exact: true })).toBeVisible()
  await mailTo(email, /a été changée/)

  const elsewhere = await page.context().newPage()
  await elsewhere.goto(`${origin()}/mot-de-passe-oublie`)
  await elsewhere.getByLabel('E-mail').fill(other)
  await elsewhere.getByRole('button', { name: 'Recevoir un lien' }).click()
  await expect(elsewhere.getByText('Regardez votre messagerie')).toBeVisible()
  const reset = linkIn(await mailTo(other, /^Choisissez un nouveau/), '/nouveau-mot-de-passe')
  await elsewhere.goto(reset)
  await elsewhere.getByLabel('Nouveau mot de passe', { exact: true }).fill(NEW_PASSWORD)
  await elsewhere.getByLabel('Confirmer le nouveau mot de passe').fill(NEW_PASSWORD)
  await elsewhere.getByRole('button', { name: 'Enregistrer le mot de passe' }).click()
  await expect(elsewhere.getByText('Votre mot de passe est changé.')).toBeVisible()
  await fillSignIn(elsewhere, other, NEW_PASSWORD)
  await expect(elsewhere).toHaveURL(`${origin()}/`)
  await mailTo(other, /mot de passe a été changé/)

  // A link serves once.
  await elsewhere.goto(reset)
  await elsewhere.getByLabel('Nouveau mot de passe', { exact: true }).fill(PASSWORD)
  await elsewhere.getByLabel('Confirmer le nouveau mot de passe').fill(PASSWORD)
  await elsewhere.getByRole('button', { name: 'Enregistrer le mot de passe' }).click()
  await expect(elsewhere.getByText('Ce lien n’est plus valable')).toBeVisible()
})
