import { expect, type Page } from '@playwright/test'
import { test } from './journey.ts'
import { linkIn, mailTo } from './mails.ts'
import { breakSeal } from './moments.ts'
import { newPseudo, openBeside, origin, PASSWORD, sealThrough, signIn } from './people.ts'

const LETTER = 'La clé est sous le pot de géraniums.'

async function confirmAddress(page: Page, email: string): Promise<void> {
  await page.goto(linkIn(await mailTo(email, /^Confirmez votre adresse/), '/verification'))
  await page.getByRole('button', { name: 'Confirmer mon adresse' }).click()
  await expect(page.getByText('Adresse vérifiée')).toBeVisible()
}

test('somebody without an account reads a letter from its mail, returns to it, and loses the link alone', {
  tag: '@phone',
}, async ({ page }) => {
  const author = await signIn(page)
  const pseudo = newPseudo()
  const addressee = `${pseudo}@exemple.test`
  const second = `bis.${addressee}`
  const { id } = await sealThrough(author, {
    title: 'La clé du jardin',
    content: LETTER,
    visibility: 'private',
    target_email: addressee,
    recipients: [{ email: addressee }, { email: second }],
    reveal_date: new Date(Date.now() + 3_000).toISOString(),
  })
  const mail = await mailTo(addressee, /lettre .*s’est ouverte/)
  expect(mail.text + mail.html).not.toContain('géraniums')
  expect(mail.headers['list-unsubscribe-post']).toBe('List-Unsubscribe=One-Click')

  const reader = await openBeside(page)
  await reader.goto(linkIn(mail, '/revelation/'))
  await breakSeal(reader)
  await expect(reader.getByText(LETTER)).toBeVisible()
  await reader.getByRole('link', { name: 'Créer un compte pour la garder' }).click()
  await reader.getByLabel('Pseudo').fill(pseudo)
  await reader.getByLabel('E-mail').fill(addressee)
  await reader.getByLabel('Mot de passe', { exact: true }).fill(PASSWORD)
  await reader.getByLabel(/Confirm/).fill(PASSWORD)
  await reader.getByLabel('J’ai 15 ans ou plus').check()
  await reader
    .locator('form')
    .getByRole('button', { name: /compte/i })
    .click()
  await expect(reader.getByText(LETTER)).toBeVisible()
  await confirmAddress(reader, addressee)

  // The author sees the journal, and revokes the link.
  await page.goto(`${origin()}/revelation/${id}`)
  const journal = page.getByRole('region', { name: 'Livraison' })
  await journal.getByRole('button', { name: /^Livraison.*1\souvert/ }).click()
  const line = journal.getByRole('button', { name: new RegExp(`^${addressee}`) })
  await expect(line).toHaveAccessibleName(/Ouvert$/)
  await line.click()
  await journal.getByRole('button', { name: /Désactiver le lien/ }).click()
  await page
    .getByRole('alertdialog')
    .getByRole('button', { name: /Désactiver/ })
    .click()
  await expect(line).toHaveAccessibleName(/Lien désactivé$/)

  const stranger = await openBeside(page)
  await stranger.goto(linkIn(mail, '/revelation/'))
  await expect(stranger.getByText('Ce lien a été désactivé')).toBeVisible()
  // The other recipient has a link of their own, and the account its right.
  await stranger.goto(linkIn(await mailTo(second, /lettre .*s’est ouverte/), '/revelation/'))
  await breakSeal(stranger)
  await expect(stranger.getByText(LETTER)).toBeVisible()
  await reader.goto(`${origin()}/revelation/${id}`)
  await expect(reader.getByText(LETTER)).toBeVisible()
})

test('whoever wants no mail says so in one tap, and reports what should not be', {
  tag: '@phone',
}, async ({ page }) => {
  const author = await signIn(page)
  const addressee = `${newPseudo()}@exemple.test`
  const soon = new Date(Date.now() + 2_000).toISOString()
  await sealThrough(author, { target_email: addressee, reveal_date: soon })
  const mail = await mailTo(addressee, /lettre .*s’est ouverte/)

  const reader = await openBeside(page)
  await reader.goto(linkIn(mail, '/signaler'))
  await reader.getByRole('radio', { name: 'Publicité indésirable ou arnaque' }).check()
  await reader.getByRole('button', { name: 'Signaler', exact: true }).click()
  await expect(reader.getByText('Merci, votre signalement est arrivé.')).toBeVisible()
  await reader.goto(linkIn(mail, '/ne-plus-recevoir'))
  await reader.getByRole('button', { name: 'Ne plus recevoir ces e-mails' }).click()
  await expect(reader.getByText('C’est fait')).toBeVisible()

  const { id } = await sealThrough(author, {
    title: 'Une autre annonce',
    target_email: addressee,
    reveal_date: new Date(Date.now() + 2_000).toISOString(),
  })
  await page.goto(`${origin()}/revelation/${id}`)
  await expect(page.getByText(/ne souhaite plus recevoir/)).toBeVisible()
})
