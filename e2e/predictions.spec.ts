import { expect } from '@playwright/test'
import { test } from './journey.ts'
import { openBeside, origin, sealThrough, signIn } from './people.ts'

test('a prediction is found, voted on by a reader, and judged by its author', async ({ page }) => {
  const mark = Date.now().toString(36)
  const authorsPage = await openBeside(page)
  const author = await signIn(authorsPage)
  const [sealed, opened] = [`Le podium ${mark}`, `La finale ${mark}`]
  await sealThrough(author, { title: sealed, kind: 'prediction' })
  const { id } = await sealThrough(author, {
    title: opened,
    kind: 'prediction',
    reveal_date: new Date(Date.now() - 1_000).toISOString(),
  })

  await signIn(page)
  await page.goto(`${origin()}/predictions`)
  await page.getByLabel('Auteur, par une partie de son pseudo').fill(author.pseudo)
  await page.getByRole('button', { name: `@${author.pseudo}` }).click()
  await expect(page.getByText('1 prédiction', { exact: true })).toBeVisible()
  await expect(page.getByRole('heading', { name: sealed })).toBeVisible()

  await page.getByRole('tab', { name: 'Dévoilées' }).click()
  await expect(page.getByRole('heading', { name: opened })).toBeVisible()
  const votes = page.getByRole('group', { name: `Votes des lecteurs sur ${opened}` })
  await votes.getByRole('button', { name: /^Réalisée/ }).click()
  await expect(votes.getByRole('button', { name: /^Réalisée ?, 1 vote/ })).toHaveAttribute(
    'aria-pressed',
    'true',
  )

  await authorsPage.goto(`${origin()}/revelation/${id}`)
  const panel = authorsPage.getByRole('region', { name: 'Qu’en est-il advenu ?' })
  await panel.getByRole('button', { name: 'Déclarer l’issue' }).click()
  const dialog = authorsPage.getByRole('dialog', { name: 'Déclarer l’issue' })
  await dialog.getByRole('radio', { name: /^Réalisée/ }).check()
  await dialog.getByLabel('Source').fill('http://exemple.test/resultats')
  await dialog.getByRole('button', { name: 'Déclarer', exact: true }).click()
  await expect(dialog.getByText('La source est une adresse complète')).toBeVisible()
  await dialog.getByLabel('Source').fill('https://exemple.test/resultats')
  await dialog.getByRole('button', { name: 'Déclarer', exact: true }).click()
  await expect(panel.getByRole('link', { name: /Source : exemple\.test/ })).toBeVisible()
  await expect(panel.getByText('1 vote', { exact: false }).first()).toBeVisible()

  const outcome = page.getByLabel('Issue')
  await outcome.selectOption('Ratée')
  await expect(page.getByRole('heading', { name: opened })).toBeHidden()
  await outcome.selectOption('Réalisée')
  await expect(page.getByRole('heading', { name: opened })).toBeVisible()
  await expect(page.getByText(/selon l’auteur, le/)).toBeVisible()
})
