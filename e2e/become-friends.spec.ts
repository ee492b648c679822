import { expect } from '@playwright/test'
import { test } from './journey.ts'
import { breakSeal } from './moments.ts'
import { openBeside, origin, sealThrough, signIn } from './people.ts'

test('a request becomes a friendship, and a friend reads what is for friends', async ({ page }) => {
  const author = await signIn(page)
  const revelation = await sealThrough(author, {
    title: 'Entre amis',
    content: 'Des mots pour mes amis seulement.',
    visibility: 'friends',
    reveal_date: new Date(Date.now() - 1000).toISOString(),
  })
  const friend = await openBeside(page)
  const { pseudo } = await signIn(friend)
  await friend.goto(`${origin()}/revelation/${revelation.id}`)
  await expect(friend.getByRole('heading', { name: 'Rien à cette adresse' })).toBeVisible()
  await friend.goto(`${origin()}/profile?onglet=relations`)
  await friend.getByRole('tab', { name: /Relations/ }).click()

  await page.goto(`${origin()}/profile`)
  await expect(page.getByRole('heading', { level: 1, name: `@${author.pseudo}` })).toBeVisible()
  await page.getByRole('tab', { name: /Relations/ }).click()
  await page.getByLabel('Rechercher une personne').fill(pseudo.slice(0, -1))
  await page.getByRole('button', { name: `Ajouter @${pseudo}` }).click()
  await expect(page.getByText('Demande envoyée').first()).toBeVisible()

  // It arrives on the open page of the other.
  await friend.getByRole('button', { name: `Accepter @${author.pseudo}` }).click()
  await expect(page.getByRole('heading', { name: /Amis/ })).toContainText('1')

  await friend.goto(`${origin()}/revelation/${revelation.id}`)
  await breakSeal(friend)
  await expect(friend.getByText('Des mots pour mes amis seulement.')).toBeVisible()
})
