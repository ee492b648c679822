import { expect, test } from '@playwright/test'
import { expectAccessible } from './accessibility.ts'
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
  await expectAccessible(friend)

  await page.goto(`${origin()}/profile`)
  await expect(page.getByRole('heading', { level: 1, name: `@${author.pseudo}` })).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('tab', { name: /Relations/ }).click()
  await page.getByLabel('Rechercher une personne').fill(pseudo.slice(0, -1))
  await page.getByRole('button', { name: `Ajouter @${pseudo}` }).click()
  await expect(page.getByText('Demande envoyée').first()).toBeVisible()

  // It arrives on the open page of the other.
  await friend.getByRole('button', { name: `Accepter @${author.pseudo}` }).click()
  await expect(page.getByRole('heading', { name: /Amis/ })).toContainText('1')
  await expectAccessible(page)

  await friend.goto(`${origin()}/revelation/${revelation.id}`)
  await expect(friend.getByText('Des mots pour mes amis seulement.')).toBeVisible()
  await friend.context().close()
})

test('every tab of one’s own profile is without fault', async ({ page }) => {
  const person = await signIn(page)
  await sealThrough(person)
  await page.goto(`${origin()}/profile`)
  for (const name of ['Révélations', 'Relations', 'Paramètres', 'Abonnements', 'Vue d’ensemble']) {
    const tab = page.getByRole('tab', { name: new RegExp(name.replace('’', "['’]")) })
    await tab.click()
    await expect(tab).toHaveAttribute('aria-selected', 'true')
    await expectAccessible(page)
  }
})
