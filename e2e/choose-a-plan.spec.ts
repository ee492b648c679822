import { expect, test } from '@playwright/test'
import { expectAccessible } from './accessibility.ts'
import { origin, sealThrough, signIn } from './people.ts'

test('a person at the limit of the free plan simulates a larger one, and seals the sixth', async ({
  page,
}) => {
  const author = await signIn(page)
  for (let count = 1; count <= 5; count += 1)
    await sealThrough(author, { title: `Lettre ${count}` })

  await page.goto(`${origin()}/create`)
  await expect(page.getByText('Vos 5 révélations du plan gratuit sont prises')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('link', { name: 'Voir les plans' }).click()

  await expect(page).toHaveURL(`${origin()}/subscription`)
  await expect(page.getByText('Mode démo activé')).toBeVisible()
  const mine = page.getByRole('region', { name: 'Votre abonnement' })
  await expect(mine.getByText('Jamais')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Plan actuel' })).toBeDisabled()
  await expectAccessible(page)
  const standard = page.getByRole('article', { name: 'Standard' })
  await standard.getByRole('button', { name: /^Simuler upgrade/ }).click()
  const question = page.getByRole('dialog', { name: 'Passer au plan Standard ?' })
  await expect(question.getByText('Mode démo : rien n’est prélevé')).toBeVisible()
  await expectAccessible(page)
  await question.getByRole('button', { name: 'Simuler le changement' }).click()
  await expect(page.getByText(/^Plan Standard activé jusqu’au/)).toBeVisible()
  await expect(mine.getByText('Standard', { exact: true })).toBeVisible()
  await expect(mine.getByRole('heading')).toBeFocused()
  await expect(standard.getByRole('button', { name: 'Plan actuel' })).toBeDisabled()

  await page.goto(`${origin()}/create`)
  await page.getByLabel('Titre').fill('Lettre 6')
  await page.getByLabel('Contenu').fill('Celle qui ne tenait pas dans le plan gratuit.')
  await page.getByLabel('Email du destinataire').fill(author.email)
  await expect(page.getByRole('link', { name: 'Voir les plans' })).toBeHidden()
  await page.getByRole('button', { name: 'Relire avant de sceller' }).click()
  await page.getByRole('button', { name: 'Sceller', exact: true }).click()
  await expect(page.getByText('Révélation en attente')).toBeVisible()
})
